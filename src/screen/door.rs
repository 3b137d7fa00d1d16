//! The door is the web server. It answers one HTTP request per connection, with time limits for
//! everything. Players may POST requests of at most two kilobytes. All other HTTP requests must be
//! GETs.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use adjutant_engine::referee::Player;
use adjutant_engine::render::screen;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, mpsc};
use tokio::task::spawn_local;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::hall::{Hall, PLAYER_PATH, Page};
use super::letterbox::{MAX_REQUEST_BYTES, Refusal};
use super::reach;
use crate::clock::current_time;

/// The time limit for a complete request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit for sending an answer.
const SEND_TIMEOUT: Duration = Duration::from_millis(if cfg!(test) { 1_000 } else { 20_000 });
/// The time between two heartbeats. The page treats eight seconds of silence as a lost connection.
const BEAT_INTERVAL: Duration = Duration::from_millis(if cfg!(test) { 300 } else { 3_000 });
/// The header that holds a player's key.
const KEY_HEADER: HeaderName = HeaderName::from_static("x-adjutant-key");
/// The path to which players send requests.
const REQUESTS_PATH: &str = "/player/requests";
/// The maximum size of a request's head, in bytes and in lines.
const MAX_HEAD_BYTES: usize = 16 << 10;
const MAX_HEAD_LINES: usize = 64;

/// The headers of every answer. They ensure that nothing is loaded from outside, nothing is stored,
/// and no referrer is sent.
const ANSWER_HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::VARY, "accept"),
];

/// The body of an answer: a text, or a stream of messages.
pub(super) enum AnswerBody {
    Text(Option<Bytes>),
    Messages(mpsc::Receiver<Bytes>),
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match self.get_mut() {
            AnswerBody::Text(text) => Poll::Ready(text.take()),
            AnswerBody::Messages(messages) => messages.poll_recv(context),
        };
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Waits until one of two futures is done.
async fn first_done(one: impl Future, other: impl Future) {
    let mut one = pin!(one);
    let mut other = pin!(other);
    poll_fn(|context| {
        let done = one.as_mut().poll(context).is_ready() || other.as_mut().poll(context).is_ready();
        if done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Answers the request on a connection and, if a page is followed, sends its updates. Returns when
/// the connection is closed or too slow, or must make room for another one; at once if there is no
/// room for it.
pub(super) async fn serve_connection<T>(stream: T, from: IpAddr, hall: Rc<RefCell<Hall>>)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let admitted = hall.borrow_mut().guests.admit(from);
    let Some((number, leave)) = admitted else { return };
    let follows = Rc::new(Cell::new(false));
    let slow = Rc::new(Notify::new());
    let late = async {
        sleep(SEND_TIMEOUT).await;
        // A connection that follows a page is too slow only if a message can't be sent in time.
        if follows.get() {
            slow.notified().await;
        }
    };
    let service = service_fn(|request| {
        let (hall, follows, slow) = (hall.clone(), follows.clone(), slow.clone());
        async move {
            if *request.method() == Method::POST {
                return Ok::<_, Infallible>(answer_post(request, &hall, number).await);
            }
            let (sent, page) = answer(&request, &hall, from, number);
            Ok(match page {
                Some(page) => {
                    follows.set(true);
                    let (messages, to_send) = mpsc::channel(1);
                    spawn_local(send_updates(hall, page, from, messages, slow));
                    sent.map(|_| AnswerBody::Messages(to_send))
                }
                None => sent,
            })
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIMEOUT)
        .max_headers(MAX_HEAD_LINES)
        .max_buf_size(MAX_HEAD_BYTES)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    first_done(first_done(served, late), leave.notified()).await;
    hall.borrow_mut().guests.forget(number);
}

/// Returns the answer to an HTTP request and, if the connection follows a page from now on, that
/// page. `from` is the address of the browser, and `number` is the number of the connection.
pub(super) fn answer<B>(
    request: &Request<B>,
    hall: &Rc<RefCell<Hall>>,
    from: IpAddr,
    number: u64,
) -> (Response<AnswerBody>, Option<Page>) {
    let mut hall = hall.borrow_mut();
    let text = |head: HeaderName| request.headers().get(head).and_then(|v| v.to_str().ok());
    let told = |status: StatusCode, kind: &'static str, words: String| {
        (response(status, kind, words), None)
    };
    let refused = |status, words: &str| told(status, "text/plain; charset=utf-8", words.to_owned());
    if request.method() != Method::GET {
        let (mut sent, page) =
            refused(StatusCode::METHOD_NOT_ALLOWED, "nothing can be sent here\n");
        sent.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
        return (sent, page);
    }
    let Some(host) = allowed_host(request, &hall) else {
        return refused(StatusCode::FORBIDDEN, "this is not an address of the screen\n");
    };
    // A request that was forwarded from elsewhere has another host name.
    let is_here = from.is_loopback() && reach::is_local_host(host);
    let ok = StatusCode::OK;
    let script = "text/javascript; charset=utf-8";
    match request.uri().path() {
        PLAYER_PATH => {
            let page = text(KEY_HEADER).and_then(|key| hall.find_player_page(key, is_here));
            let Some(page) = page else {
                return refused(StatusCode::NOT_FOUND, "there is no such page; ask the umpire\n");
            };
            hall.guests.mark_known(number);
            if !hall.guests.follow(number, &page.viewer) {
                return refused(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open here\n");
            }
            (response(ok, "text/event-stream", String::new()), Some(page))
        }
        "/player" => told(ok, "text/html; charset=utf-8", screen::PLAYER_PAGE.to_owned()),
        "/player.css" => told(ok, "text/css; charset=utf-8", screen::PLAYER_STYLE.to_owned()),
        "/player.js" => told(ok, script, screen::PLAYER_SCRIPT.to_owned()),
        "/screen.css" => told(ok, "text/css; charset=utf-8", screen::page_style()),
        "/screen.js" => told(ok, script, screen::SCRIPT.to_owned()),
        path => {
            let Some(page) = hall.find_page(path, request.uri().query(), is_here) else {
                return refused(StatusCode::NOT_FOUND, "there is no such page; ask the umpire\n");
            };
            let follows = text(header::ACCEPT).is_some_and(|a| a.contains("text/event-stream"));
            hall.guests.mark_known(number);
            if follows && !hall.guests.follow(number, &page.viewer) {
                return refused(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open here\n");
            }
            if follows {
                return (response(ok, "text/event-stream", String::new()), Some(page));
            }
            match hall.page_html(&page) {
                Ok(html) => told(ok, "text/html; charset=utf-8", html),
                // The error message could reveal something hidden.
                Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, "ask the umpire\n"),
            }
        }
    }
}

/// Returns the host in a request if the request names only this one, and it is one that
/// [`reach::is_allowed_host`] allows. A page of another site whose name resolves to this address
/// must not be able to read or send anything.
fn allowed_host<'r, B>(request: &'r Request<B>, hall: &Hall) -> Option<&'r str> {
    let host = request.headers().get(header::HOST).and_then(|v| v.to_str().ok())?;
    let has_one_host = request.headers().get_all(header::HOST).iter().count() == 1
        && request.uri().authority().is_none_or(|named| named.as_str() == host);
    (has_one_host && reach::is_allowed_host(host, &hall.hosts)).then_some(host)
}

/// Answers a player's request on the connection with this number. The body is read only if
/// everything else is valid.
pub(super) async fn answer_post<B>(
    request: Request<B>,
    hall: &Rc<RefCell<Hall>>,
    number: u64,
) -> Response<AnswerBody>
where
    B: Body<Data = Bytes> + Unpin,
{
    let told = |(status, words): Refusal| {
        response(status, "text/plain; charset=utf-8", format!("{words}\n"))
    };
    let player = match admit_post(&request, &mut hall.borrow_mut(), number) {
        Ok(player) => player,
        Err(refusal) => return told(refusal),
    };
    let body = match timeout(REQUEST_TIMEOUT, read_body(request.into_body())).await {
        Ok(Some(body)) => body,
        Ok(None) => {
            return told((StatusCode::PAYLOAD_TOO_LARGE, "the request is too long".to_owned()));
        }
        Err(_) => {
            return told((
                StatusCode::REQUEST_TIMEOUT,
                "the request arrived too slowly".to_owned(),
            ));
        }
    };
    let mut hall = hall.borrow_mut();
    let hall = &mut *hall;
    let taken = hall.letterbox.take(hall.follower.session(), &player, &body, current_time());
    match taken {
        Ok(()) => {
            hall.update_watchers();
            told((StatusCode::ACCEPTED, "the umpire will see the request".to_owned()))
        }
        Err(refusal) => told(refusal),
    }
}

/// Checks everything in a player's request except the body, and deducts the request from the
/// player's budget. Returns the player.
fn admit_post<B>(request: &Request<B>, hall: &mut Hall, number: u64) -> Result<Player, Refusal> {
    let text = |head: HeaderName| request.headers().get(head).and_then(|v| v.to_str().ok());
    let refused = |status, words: &str| Err((status, words.to_owned()));
    let Some(host) = allowed_host(request, hall) else {
        return refused(StatusCode::FORBIDDEN, "this is not an address of the screen");
    };
    // In these headers, a browser names the page that sends the request. Other programs may leave
    // them out.
    let site = request.headers().get("sec-fetch-site");
    let origin = request.headers().get(header::ORIGIN);
    if site.is_some_and(|site| site != "same-origin")
        || origin.is_some_and(|origin| origin != format!("http://{host}").as_str())
    {
        return refused(StatusCode::FORBIDDEN, "this was not sent by a page of the screen");
    }
    if request.uri().path() != REQUESTS_PATH || request.uri().query().is_some() {
        return refused(StatusCode::METHOD_NOT_ALLOWED, "only /player/requests accepts POST");
    }
    if text(header::CONTENT_TYPE) != Some("application/json") {
        return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a request must be JSON");
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    match length {
        Some(length) if length <= MAX_REQUEST_BYTES => {}
        Some(_) => return refused(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long"),
        None => return refused(StatusCode::LENGTH_REQUIRED, "a request needs Content-Length"),
    }
    let Some(player) = text(KEY_HEADER).and_then(|key| hall.player_with_key(key)) else {
        return refused(StatusCode::NOT_FOUND, "there is no such page; ask the umpire");
    };
    hall.guests.mark_known(number);
    hall.letterbox.admit(&player)?;
    Ok(player)
}

/// Reads a body. Returns `None` if it is too long or incomplete.
async fn read_body<B>(mut body: B) -> Option<Vec<u8>>
where
    B: Body<Data = Bytes> + Unpin,
{
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        if let Some(data) = frame.ok()?.data_ref() {
            bytes.extend_from_slice(data);
        }
        if bytes.len() > MAX_REQUEST_BYTES {
            return None;
        }
    }
    Some(bytes)
}

fn response(status: StatusCode, kind: &'static str, words: String) -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::Text(Some(words.into())));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in ANSWER_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Sends the sections and the clock of a page whenever they change, and heartbeats in between,
/// until the connection ends or the page's key is no longer valid.
async fn send_updates(
    hall: Rc<RefCell<Hall>>,
    page: Page,
    from: IpAddr,
    messages: mpsc::Sender<Bytes>,
    slow: Rc<Notify>,
) {
    let (mut changed, number) = {
        let mut hall = hall.borrow_mut();
        let number = hall.watchers.last().map_or(1, |(last, _)| last + 1);
        hall.watchers.insert(number, (from, page.viewer.clone(), page.layout));
        (hall.changed.subscribe(), number)
    };
    let mut before = None;
    let mut head = "retry: 1000\n";
    // Heartbeats are sent at fixed times. If hidden events could delay them, players could notice
    // these events.
    let mut next_beat = Instant::now() + BEAT_INTERVAL;
    loop {
        changed.mark_unchanged();
        let state = {
            let mut hall = hall.borrow_mut();
            if hall.still_opens(&page) { hall.page_state(&page).ok() } else { None }
        };
        let Some((sections, clock)) = state else { break };
        // If something happened that this page doesn't show, nothing is sent at all.
        let now = Some((sections.clone(), clock));
        let message = if before != now {
            let left = clock.map_or("null".to_owned(), |clock| clock.time_left().to_string());
            let rest = sections.strip_prefix('{').unwrap_or_default();
            format!("{}data: {{\"left\":{left},{rest}\n\n", std::mem::take(&mut head))
        } else {
            String::new()
        };
        let is_due = Instant::now() >= next_beat;
        while next_beat <= Instant::now() {
            next_beat += BEAT_INTERVAL;
        }
        let beat = if is_due { "event: beat\ndata:\n\n" } else { "" };
        let message = message + beat;
        before = now;
        if !message.is_empty() {
            match timeout(SEND_TIMEOUT, messages.send(message.into())).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => break,
                Err(_) => {
                    slow.notify_one();
                    break;
                }
            }
        }
        let next_due = sleep_until(next_beat);
        first_done(first_done(changed.changed(), messages.closed()), next_due).await;
        if messages.is_closed() {
            break;
        }
    }
    hall.borrow_mut().watchers.shift_remove(&number);
}

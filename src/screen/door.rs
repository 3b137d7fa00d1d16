//! The door: one request a connection, GET alone, and nobody is waited for.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

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
use tokio::time::{sleep, timeout};

use super::hall::{Hall, Page};
use super::reach;

/// The time in which a request must be there.
const TO_ASK: Duration = Duration::from_secs(5);
/// The time in which an answer must be taken.
const TO_TAKE: Duration = Duration::from_millis(if cfg!(test) { 1_000 } else { 20_000 });
/// The time between two signs of life.
const QUIET: Duration = Duration::from_secs(15);
/// The most bytes of a request's head, and the most lines.
const HEAD: usize = 16 << 10;
const LINES: usize = 64;

/// The headers of every answer: nothing is loaded from outside, nothing is stored, and no referrer is sent.
const HEADERS: [(HeaderName, &str); 7] = [
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

/// The body of an answer: a text, or messages as they come.
pub(super) enum Sent {
    Text(Option<Bytes>),
    Messages(mpsc::Receiver<Bytes>),
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match self.get_mut() {
            Sent::Text(text) => Poll::Ready(text.take()),
            Sent::Messages(messages) => messages.poll_recv(context),
        };
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Returns when the first of two is done.
async fn first(one: impl Future, other: impl Future) {
    let mut one = pin!(one);
    let mut other = pin!(other);
    poll_fn(|context| {
        let done = one.as_mut().poll(context).is_ready() || other.as_mut().poll(context).is_ready();
        if done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Serves one connection.
pub(super) async fn connection<T>(stream: T, from: IpAddr, hall: Rc<RefCell<Hall>>)
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let follows = Rc::new(Cell::new(false));
    let slow = Rc::new(Notify::new());
    let late = async {
        sleep(TO_TAKE).await;
        // One who follows is slow only if a message waits.
        if follows.get() {
            slow.notified().await;
        }
    };
    let service = service_fn(|request| {
        let (sent, page) = answer(&request, &hall);
        let response = match page {
            Some(page) => {
                follows.set(true);
                let (messages, to_send) = mpsc::channel(1);
                spawn_local(follow(hall.clone(), page, from, messages, slow.clone()));
                sent.map(|_| Sent::Messages(to_send))
            }
            None => sent,
        };
        async { Ok::<_, Infallible>(response) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(TO_ASK)
        .max_headers(LINES)
        .max_buf_size(HEAD)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    first(served, late).await;
}

/// Returns the answer to a request, and the page if its messages are to follow.
pub(super) fn answer<B>(
    request: &Request<B>,
    hall: &Rc<RefCell<Hall>>,
) -> (Response<Sent>, Option<Page>) {
    let mut hall = hall.borrow_mut();
    let text = |head: HeaderName| request.headers().get(head).and_then(|v| v.to_str().ok());
    let told = |status: StatusCode, kind: &'static str, words: String| {
        (response(status, kind, words), None)
    };
    let refused = |status, words: &str| told(status, "text/plain; charset=utf-8", words.to_owned());
    if request.method() != Method::GET {
        let (mut sent, page) =
            refused(StatusCode::METHOD_NOT_ALLOWED, "there is nothing to send\n");
        sent.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
        return (sent, page);
    }
    // A page of another site that gave its name this address must not read anything.
    if !text(header::HOST).is_some_and(|host| reach::is_allowed(host, &hall.hosts)) {
        return refused(StatusCode::FORBIDDEN, "this is not an address of the screen\n");
    }
    let ok = StatusCode::OK;
    match request.uri().path() {
        "/screen.css" => told(ok, "text/css; charset=utf-8", screen::style()),
        "/screen.js" => told(ok, "text/javascript; charset=utf-8", screen::SCRIPT.to_owned()),
        path => {
            let Some(page) = hall.find(path, request.uri().query()) else {
                return refused(StatusCode::NOT_FOUND, "there is no such page; ask the umpire\n");
            };
            let follows = text(header::ACCEPT).is_some_and(|a| a.contains("text/event-stream"));
            if follows {
                return (response(ok, "text/event-stream", String::new()), Some(page));
            }
            match hall.html(&page) {
                Ok(html) => told(ok, "text/html; charset=utf-8", html),
                // Why could name what is hidden.
                Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, "ask the umpire\n"),
            }
        }
    }
}

fn response(status: StatusCode, kind: &'static str, words: String) -> Response<Sent> {
    let mut response = Response::new(Sent::Text(Some(words.into())));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Sends what a page holds whenever that is something else than before, until nobody takes it.
async fn follow(
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
    let mut quiet = false;
    loop {
        changed.mark_unchanged();
        let state = {
            let mut hall = hall.borrow_mut();
            if hall.still_opens(&page) { hall.state(&page).ok() } else { None }
        };
        let Some((sections, clock)) = state else { break };
        // Something may have happened that this page does not show: then nothing is sent at all.
        let now = Some((sections.clone(), clock));
        let message = if before != now {
            let left = clock.map_or("null".to_owned(), |clock| clock.left().to_string());
            let rest = sections.strip_prefix('{').unwrap_or_default();
            format!("{}data: {{\"left\":{left},{rest}\n\n", std::mem::take(&mut head))
        } else if quiet {
            ":\n\n".to_owned()
        } else {
            String::new()
        };
        before = now;
        if !message.is_empty() {
            match timeout(TO_TAKE, messages.send(message.into())).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => break,
                Err(_) => {
                    slow.notify_one();
                    break;
                }
            }
        }
        quiet = false;
        let silence = async {
            sleep(QUIET).await;
            quiet = true;
        };
        first(first(changed.changed(), messages.closed()), silence).await;
        if messages.is_closed() {
            break;
        }
    }
    hall.borrow_mut().watchers.shift_remove(&number);
}

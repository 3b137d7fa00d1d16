//! The pages and their viewers: what each viewer may see, updated from the journal.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use adjutant_engine::names::count_with_noun;
use adjutant_engine::referee::{Player, Viewer};
use adjutant_engine::render::json;
use adjutant_engine::render::screen::{HeldPages, Layout, Story};
use indexmap::map::{Entry, IndexMap};
use tokio::sync::watch;

use super::guests::Guests;
use super::keys::{KeyOwner, PageKeys};
use super::letterbox::Letterbox;
use super::{ScreenError, ScreenOptions, reach, text_report};
use crate::clock::current_time;
use crate::session_folder::Follower;
use adjutant_engine::console::{PageWatchers, ScreenFacts, ScreenReport};

/// The maximum number of players who have pages. The key file has room for this many keys.
const MAX_PLAYERS: usize = 64;
/// Two clocks with the same limit count as the same clock if they began less than this time apart.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(1);

/// A page: its viewer, its layout, its path and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub viewer: Viewer,
    pub layout: Layout,
    path: String,
    key: String,
    /// True if a browser on this machine requested it.
    is_here: bool,
}

/// The umpire's clock: the time allowed for a move, and when the move began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScreenClock {
    limit: Duration,
    began: Instant,
}

impl ScreenClock {
    /// Returns the time left, in milliseconds; negative if the time is up.
    pub(super) fn time_left(self) -> i64 {
        let used = i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        i64::try_from(self.limit.as_millis()).unwrap_or(i64::MAX).saturating_sub(used)
    }
}

/// The sections of a page as JSON, and its clock.
pub(super) type PageState = (String, Option<ScreenClock>);

/// The pages of a session.
pub(super) struct Hall {
    pub(super) follower: Follower,
    folder: PathBuf,
    lan: bool,
    port: u16,
    pub(super) hosts: Vec<String>,
    pub(super) keys: PageKeys,
    stories: IndexMap<Viewer, Story>,
    /// The content of the page for everyone while the umpire holds outcomes back; `None` at other
    /// times. A page that is first opened while they are held back shows the same content.
    held: HeldPages,
    clock: Option<ScreenClock>,
    /// The pages that are being watched, by number: the browser's address, the viewer and the
    /// layout.
    pub(super) watchers: IndexMap<u64, (IpAddr, Viewer, Layout)>,
    /// The open connections.
    pub(super) guests: Guests,
    /// Increases whenever a page may have changed.
    pub(super) changed: watch::Sender<u64>,
    /// The reason why the pages are not up to date; `None` if they are.
    fault: Option<String>,
    /// The players' requests.
    pub(super) letterbox: Letterbox,
}

/// The path at which a player's page gets its updates. The key is sent in a header, never in the
/// path.
pub(super) const PLAYER_PATH: &str = "/player/updates";

impl Hall {
    pub(super) fn new(options: &ScreenOptions) -> Result<Hall, ScreenError> {
        let follower = Follower::open(&options.folder)?;
        let letterbox = Letterbox::open(&options.folder, options.requests, follower.session())?;
        Ok(Hall {
            follower,
            folder: options.folder.clone(),
            lan: options.lan,
            port: 0,
            hosts: options.hosts.clone(),
            keys: PageKeys::of(&options.folder),
            stories: IndexMap::new(),
            held: None,
            clock: None,
            watchers: IndexMap::new(),
            guests: Guests::default(),
            changed: watch::channel(0).0,
            fault: None,
            letterbox,
        })
    }

    /// Sets the port at which the pages are served, and creates the missing keys.
    pub(super) fn open(&mut self, port: u16) -> Result<(), ScreenError> {
        self.port = port;
        let (sides, players) = (self.sides(), self.player_names());
        self.keys.add_missing_keys(&sides, &players, port)
    }

    /// Returns the players of the game, at most 64.
    pub(super) fn players(&self) -> Vec<Player> {
        let session = self.follower.session();
        let mut players = session.referee().players(session.table());
        players.truncate(MAX_PLAYERS);
        players
    }

    fn player_names(&self) -> Vec<String> {
        self.players().into_iter().map(|player| player.name).collect()
    }

    /// Returns the player with this key; `None` if no player has it.
    pub(super) fn player_with_key(&self, key: &str) -> Option<Player> {
        let name = self.keys.player_of(key)?;
        self.players().into_iter().find(|player| player.name == name)
    }

    /// Returns the page of the player with this key; `None` if no player has it.
    pub(super) fn find_player_page(&self, key: &str, is_here: bool) -> Option<Page> {
        let viewer = Viewer::Player(self.player_with_key(key)?);
        let (layout, key) = (Layout::All, key.to_owned());
        Some(Page { viewer, layout, path: PLAYER_PATH.to_owned(), key, is_here })
    }

    fn sides(&self) -> Vec<String> {
        let session = self.follower.session();
        let referee = session.referee();
        // If the rules declare no sides, nothing is hidden from a player.
        let hides = referee.ruleset().schema.sides.is_some();
        referee.sides(session.table()).into_iter().filter(|_| hides).collect()
    }

    /// Processes the new events in the journal and the umpire's new decisions. If the journal can't
    /// be read, it is opened again; if that fails too, the pages stay as they are.
    pub(super) fn catch_up(&mut self) {
        let stories = &mut self.stories;
        let mut fault = None;
        let read = self.follower.catch_up(|session| {
            for story in stories.values_mut() {
                fault = story.update(session).err().map(|e| e.to_string()).or(fault.take());
            }
        });
        if self.letterbox.catch_up() {
            self.update_watchers();
        }
        match read {
            Ok(false) => return,
            Ok(true) => self.fault = fault,
            Err(error) => {
                self.fault = Some(error.to_string());
                // Another console may have repaired the journal.
                if let Ok(follower) = Follower::open(&self.folder) {
                    self.follower = follower;
                    let session = self.follower.session();
                    let told = self.stories.values_mut().filter_map(|s| s.rebuild(session).err());
                    self.fault = told.last().map(|e| e.to_string());
                }
            }
        }
        self.letterbox.follow(self.follower.session(), current_time());
        let (sides, players, port) = (self.sides(), self.player_names(), self.port);
        if let Err(error) = self.keys.add_missing_keys(&sides, &players, port) {
            self.fault = Some(error.to_string());
        }
        self.update_watchers();
    }

    /// Makes every open page check whether its content has changed.
    pub(super) fn update_watchers(&mut self) {
        self.changed.send_modify(|n| *n += 1);
    }

    /// Returns the story of a viewer: everything that this viewer has seen. It is created on first
    /// use.
    fn viewer_story(&mut self, viewer: &Viewer) -> Result<&mut Story, ScreenError> {
        Ok(match self.stories.entry(viewer.clone()) {
            Entry::Occupied(story) => story.into_mut(),
            Entry::Vacant(entry) => {
                let mut story = Story::new(self.follower.session(), viewer)?;
                story.set_held(self.held.clone());
                entry.insert(story)
            }
        })
    }

    /// Returns the page at an address, if there is one and the key is valid. On this machine, the
    /// page for everyone needs no key. If it needed one, a page that was opened before the umpire
    /// opened the screen to the network would lose its access.
    pub(super) fn find_page(&self, path: &str, query: Option<&str>, is_here: bool) -> Option<Page> {
        let layout = |part: &str| Layout::ALL.iter().find(|l| l.1 == part).map(|l| l.0);
        if let Some(rest) = path.strip_prefix("/side/") {
            let (key, part) = rest.split_once('/').unwrap_or((rest, ""));
            let side = self.keys.side_of(key)?.to_owned();
            return Some(Page {
                viewer: Viewer::Side(side),
                layout: layout(part)?,
                path: format!("/side/{key}"),
                key: String::new(),
                is_here,
            });
        }
        let given = query.unwrap_or_default().split('&').find_map(|q| q.strip_prefix("key="));
        let needs_key = self.lan && !(is_here && given.is_none());
        if needs_key && !given.is_some_and(|key| self.keys.is_shared_key(key)) {
            return None;
        }
        let layout = layout(path.strip_prefix('/')?)?;
        let key =
            if needs_key { format!("?key={}", self.keys.shared_key()) } else { String::new() };
        Some(Page { viewer: Viewer::Players, layout, path: "/".to_owned(), key, is_here })
    }

    /// Returns true if the key of an open page is still valid. Renewing a key ends the access of
    /// pages with the old one.
    pub(super) fn still_opens(&self, page: &Page) -> bool {
        if page.path == PLAYER_PATH {
            return self.find_player_page(&page.key, page.is_here).as_ref() == Some(page);
        }
        self.find_page(&page.path, page.key.strip_prefix('?'), page.is_here).is_some()
    }

    /// Returns a page as HTML.
    pub(super) fn page_html(&mut self, page: &Page) -> Result<String, ScreenError> {
        let clock = self.clock.map_or(String::new(), |clock| {
            let left = clock.time_left() / 1000;
            let sign = if clock.time_left() < 0 { "+" } else { "" };
            format!("{sign}{}:{:02}", left.abs() / 60, left.abs() % 60)
        });
        let code = self.page_code(page);
        let story = self.viewer_story(&page.viewer)?;
        Ok(story.page(page.layout, &page.path, &page.key, (&clock, &code)))
    }

    /// Returns the current content of a page.
    pub(super) fn page_state(&mut self, page: &Page) -> Result<PageState, ScreenError> {
        let code = self.page_code(page);
        let mut sections = self.viewer_story(&page.viewer)?.sections(page.layout);
        if !code.is_empty() {
            sections.insert("code", code);
        }
        if let Viewer::Player(player) = &page.viewer {
            sections.insert("mine", self.letterbox.own_state(self.follower.session(), player));
        }
        Ok((json::to_json(&sections).to_string(), self.clock))
    }

    /// Returns the address of the page for everyone as a QR code, which the page for a television
    /// shows until the first turn begins. Returns an empty string for other pages, and if only this
    /// machine has access.
    fn page_code(&self, page: &Page) -> String {
        let session = self.follower.session();
        let has_begun = session.referee().turn_number(session.table()) > 0;
        let is_for_all = page.layout == Layout::Television && page.viewer == Viewer::Players;
        if has_begun || !is_for_all || !self.lan {
            return String::new();
        }
        let Ok(url) = self.url(self.host(), None) else { return String::new() };
        reach::qr_code_svg(&url, "the address of the page for everyone")
    }

    /// Carries out a command from the umpire or the console. Returns `None` if it needs no answer.
    pub(super) fn command(&mut self, line: &str) -> Option<ScreenReport> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let said = match words.as_slice() {
            [] | ["who"] => self.watching_viewers(),
            ["where"] => self.page_addresses(None),
            ["where", ..] => self.page_addresses(Some(after_word(line))),
            ["players"] => self.player_addresses(),
            ["question", ..] => {
                if self.letterbox.set_question(after_word(line)) {
                    self.update_watchers();
                }
                return None;
            }
            ["hold"] => self.hold_outcomes(),
            ["show"] => {
                self.held = None;
                self.stories.values_mut().for_each(|story| story.set_held(None));
                self.update_watchers();
                Ok(text_report("the screen now shows everything"))
            }
            ["new", _, ..] => self.renew_key(after_word(line)),
            ["clock", limit, used] => {
                self.set_clock(limit.parse().ok()?, used.parse().ok()?);
                return None;
            }
            ["clock", _] => {
                if self.clock.take().is_some() {
                    self.update_watchers();
                }
                return None;
            }
            _ => Err(ScreenError::Word),
        };
        Some(said.unwrap_or_else(|error| text_report(error.to_string())))
    }

    fn set_clock(&mut self, limit: u64, used: u64) {
        let limit = Duration::from_millis(limit);
        let used = Duration::from_millis(used);
        let Some(began) = Instant::now().checked_sub(used) else { return };
        let is_same = |clock: &ScreenClock| {
            let apart = clock.began.max(began).duration_since(clock.began.min(began));
            clock.limit == limit && apart < CLOCK_TOLERANCE
        };
        if !self.clock.as_ref().is_some_and(is_same) {
            self.clock = Some(ScreenClock { limit, began });
            self.update_watchers();
        }
    }

    /// Holds back all later outcomes, on every page, until the umpire shows them.
    fn hold_outcomes(&mut self) -> Result<ScreenReport, ScreenError> {
        self.catch_up();
        let sides = self.sides().into_iter().map(Viewer::Side);
        let players = self.players().into_iter().map(Viewer::Player);
        for viewer in sides.chain(players).chain([Viewer::Players]) {
            let story = self.viewer_story(&viewer)?;
            let held = story.pages_to_hold();
            story.set_held(held.clone());
            // The page for everyone is last in this loop.
            self.held = held;
        }
        self.update_watchers();
        Ok(text_report("the screen hides the dice from now on; `screen show` shows them"))
    }

    fn renew_key(&mut self, side: &str) -> Result<ScreenReport, ScreenError> {
        if side == "all" {
            self.keys.renew(None)?;
        } else if self.player_names().iter().any(|player| player == side) {
            self.keys.renew(Some(KeyOwner::Player(side)))?;
        } else if self.sides().iter().any(|s| s == side) {
            self.keys.renew(Some(KeyOwner::Side(side)))?;
        } else {
            return Err(ScreenError::Side(side.chars().take(40).collect()));
        }
        self.update_watchers();
        self.page_addresses((side != "all").then_some(side))
    }

    /// Lists who is watching which page, and the address of the page for everyone. If the pages are
    /// not up to date, gives the reason.
    fn watching_viewers(&self) -> Result<ScreenReport, ScreenError> {
        let mut groups: BTreeMap<(&Viewer, Layout), Vec<String>> = BTreeMap::new();
        for (from, viewer, layout) in self.watchers.values() {
            let from = if from.is_loopback() { "this machine" } else { &from.to_string() };
            groups.entry((viewer, *layout)).or_default().push(from.to_owned());
        }
        let mut said = ScreenReport::default();
        for ((viewer, layout), from) in &groups {
            let title = layout.title();
            let pages = count_with_noun(from.len(), "page");
            said.lines.push(format!("{viewer}, {title}: {pages} ({})", from.join(", ")));
        }
        if groups.is_empty() {
            said.lines.push("no one is watching".to_owned());
        }
        said.lines.extend(
            self.fault.iter().map(|fault| format!("the pages are not up to date: {fault}")),
        );
        said.lines.push(format!("the page for everyone: {}", self.url(self.host(), None)?));
        let looking = groups.into_iter().map(|((viewer, layout), from)| PageWatchers {
            viewer: viewer.to_string(),
            page: layout.title().to_owned(),
            from,
        });
        said.data = ScreenFacts::Watchers { looking: looking.collect() };
        Ok(said)
    }

    fn host(&self) -> IpAddr {
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        if self.lan { reach::network_addresses().first().copied().unwrap_or(here) } else { here }
    }

    fn url(&self, host: IpAddr, side: Option<&str>) -> Result<String, ScreenError> {
        let path = match side {
            Some(name) if self.keys.key_of_player(name).is_some() => {
                let key = self.keys.key_of_player(name).unwrap_or_default();
                // Browsers don't send the part after `#`.
                format!("player#{key}")
            }
            Some(side) => {
                let unknown = || ScreenError::Side(side.chars().take(40).collect());
                format!("side/{}", self.keys.key_of_side(side).ok_or_else(unknown)?)
            }
            None if self.lan => format!("?key={}", self.keys.shared_key()),
            None => String::new(),
        };
        Ok(format!("http://{host}:{}/{path}", self.port))
    }

    /// Lists the address of each player's page, and states whether players may send requests.
    fn player_addresses(&self) -> Result<ScreenReport, ScreenError> {
        let mut said = ScreenReport::default();
        let mut addresses = Vec::new();
        for player in self.players() {
            let url = self.url(self.host(), Some(&player.name))?;
            said.lines.push(format!("{}: {url}", player.name));
            addresses.push(url);
        }
        if let (true, Some(first)) = (self.lan, self.players().first()) {
            let words =
                format!("`screen {}` shows the QR code of a page, for a phone to scan", first.name);
            said.lines.push(words);
        }
        let may_send = if self.letterbox.is_open() {
            "players may send orders, dice and `ready` from these pages"
        } else {
            "players can't send anything from these pages"
        };
        said.lines.push(may_send.to_owned());
        said.data = ScreenFacts::Addresses { addresses };
        Ok(said)
    }

    /// Lists the addresses of the page of a side or player, or of the page for everyone if `side`
    /// is `None`. If others on the network may watch, each address has a QR code. For `None`, also
    /// lists one address of each side's page, without a QR code.
    pub(super) fn page_addresses(&self, side: Option<&str>) -> Result<ScreenReport, ScreenError> {
        let hosts = if self.lan { reach::network_addresses() } else { vec![self.host()] };
        let mut said = ScreenReport::default();
        let mut urls = Vec::new();
        for host in hosts {
            let url = self.url(host, side)?;
            said.lines.push(format!("{}: {url}", side.unwrap_or("all players")));
            if self.lan {
                said.lines.extend(reach::qr_code(&url));
            }
            urls.push(url);
        }
        if side.is_none() {
            for alone in self.sides() {
                said.lines.push(format!("{alone} alone: {}", self.url(self.host(), Some(&alone))?));
            }
        }
        if self.lan && side.is_none() {
            said.lines.push(
                "if a page does not open, a guest network, VPN or firewall may be blocking it; if so, use a phone's hotspot"
                    .to_owned(),
            );
            said.lines.push("others on this network can read what is sent".to_owned());
        }
        said.data = ScreenFacts::Addresses { addresses: urls };
        Ok(said)
    }
}

/// Returns the text after the first word of a line. The names of players can contain spaces.
fn after_word(line: &str) -> &str {
    line.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
}

//! The open connections. If there are too many, this module decides which of them are closed.
//!
//! No client can lock others out. Each address and each key has its own limit, and connections that
//! have not made a valid request are closed first.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::rc::Rc;

use adjutant_engine::referee::Viewer;
use indexmap::IndexMap;
use tokio::sync::Notify;

/// The maximum number of connections in total, and from one address.
const MAX_CONNECTIONS: usize = 256;
const MAX_OF_ADDRESS: usize = 64;
/// The maximum number of connections that follow a page (receive its updates) in total, from one
/// address, and with one key. The remaining connections of an address are reserved for single
/// requests.
const MAX_FOLLOWED: usize = 192;
const MAX_FOLLOWED_OF_ADDRESS: usize = 48;
const MAX_FOLLOWED_OF_KEY: usize = 96;

/// An open connection.
#[derive(Debug)]
struct Guest {
    from: IpAddr,
    /// The viewer whose page it follows; `None` if it doesn't follow a page. Most connections never
    /// do.
    follows: Option<Viewer>,
    /// True after a request with a valid key.
    is_known: bool,
    /// The signal for the connection to end.
    leave: Rc<Notify>,
}

/// The open connections, and their limits.
#[derive(Debug, Default)]
pub(super) struct Guests {
    next: u64,
    /// The connections by number, the oldest first.
    open: IndexMap<u64, Guest>,
}

impl Guests {
    /// Admits a connection, and returns its number and the signal for it to end; `None` if there is
    /// no room. If its address is at the limit, the oldest connection from this address that has
    /// not made a valid request is closed. If the total is at the limit, the address with the most
    /// connections that have not made a valid request loses the oldest of these. If all connections
    /// have made valid requests, the oldest connection from the address with the most connections
    /// is closed, but only if that address then still has at least as many as the address of the
    /// new one.
    pub(super) fn admit(&mut self, from: IpAddr) -> Option<(u64, Rc<Notify>)> {
        let idle = |guest: &Guest| !guest.is_known;
        if self.count(|guest| guest.from == from) >= MAX_OF_ADDRESS {
            let oldest = self.oldest(|guest| idle(guest) && guest.from == from)?;
            self.let_go(oldest);
        }
        if self.open.len() >= MAX_CONNECTIONS {
            match self.oldest_of_largest_crowd(idle) {
                Some((oldest, _)) => self.let_go(oldest),
                None if self.make_room(from, |_| true) => {}
                None => return None,
            }
        }
        self.next += 1;
        let leave = Rc::new(Notify::new());
        let guest = Guest { from, follows: None, is_known: false, leave: leave.clone() };
        self.open.insert(self.next, guest);
        Some((self.next, leave))
    }

    /// Marks a connection as having made a request with a valid key.
    pub(super) fn mark_known(&mut self, number: u64) {
        if let Some(guest) = self.open.get_mut(&number) {
            guest.is_known = true;
        }
    }

    /// Lets a connection follow a page. If there is no room in total or for this key, tries to
    /// [make room](Guests::make_room). Returns false if there is still no room, if the address of
    /// this connection is at its limit, or if the connection has ended.
    pub(super) fn follow(&mut self, number: u64, viewer: &Viewer) -> bool {
        let Some(from) = self.open.get(&number).map(|guest| guest.from) else { return false };
        let follows = |guest: &Guest| guest.follows.is_some();
        let with_key = |guest: &Guest| guest.follows.as_ref() == Some(viewer);
        if self.count(|guest| follows(guest) && guest.from == from) >= MAX_FOLLOWED_OF_ADDRESS {
            return false;
        }
        if self.count(with_key) >= MAX_FOLLOWED_OF_KEY && !self.make_room(from, with_key) {
            return false;
        }
        if self.count(follows) >= MAX_FOLLOWED && !self.make_room(from, follows) {
            return false;
        }
        if let Some(guest) = self.open.get_mut(&number) {
            guest.follows = Some(viewer.clone());
        }
        true
    }

    /// Forgets a connection that has ended.
    pub(super) fn forget(&mut self, number: u64) {
        self.open.shift_remove(&number);
    }

    /// Closes one of the connections that `of` selects: the oldest from the address with the most
    /// of them, if that address would still have at least as many as `from` will have. Returns true
    /// if it closed one.
    fn make_room(&mut self, from: IpAddr, of: impl Fn(&Guest) -> bool) -> bool {
        let own = self.count(|guest| of(guest) && guest.from == from);
        match self.oldest_of_largest_crowd(of) {
            Some((oldest, count)) if count > own + 1 => {
                self.let_go(oldest);
                true
            }
            _ => false,
        }
    }

    fn let_go(&mut self, number: u64) {
        if let Some(guest) = self.open.shift_remove(&number) {
            guest.leave.notify_one();
        }
    }

    fn count(&self, of: impl Fn(&Guest) -> bool) -> usize {
        self.open.values().filter(|guest| of(guest)).count()
    }

    fn oldest(&self, of: impl Fn(&Guest) -> bool) -> Option<u64> {
        self.open.iter().find(|(_, guest)| of(guest)).map(|(number, _)| *number)
    }

    /// Returns the oldest of the connections that `of` selects, from an address with the most of
    /// them, and the number of such connections from that address; `None` if `of` selects none.
    fn oldest_of_largest_crowd(&self, of: impl Fn(&Guest) -> bool) -> Option<(u64, usize)> {
        let mut counts: BTreeMap<IpAddr, usize> = BTreeMap::new();
        for guest in self.open.values().filter(|guest| of(guest)) {
            *counts.entry(guest.from).or_default() += 1;
        }
        let most = counts.values().copied().max()?;
        let oldest = self.oldest(|guest| of(guest) && counts[&guest.from] == most)?;
        Some((oldest, most))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use adjutant_engine::referee::Viewer;

    use super::{Guests, MAX_CONNECTIONS, MAX_FOLLOWED_OF_ADDRESS, MAX_OF_ADDRESS};

    fn address(last: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 168, 0, last))
    }

    /// Admits a connection that requests a page and follows it. Returns false if it is refused.
    fn follows(guests: &mut Guests, from: u8, viewer: &Viewer) -> bool {
        let Some((number, _)) = guests.admit(address(from)) else { return false };
        guests.mark_known(number);
        let may_follow = guests.follow(number, viewer);
        if !may_follow {
            guests.forget(number);
        }
        may_follow
    }

    #[test]
    fn an_address_that_says_nothing_shuts_nobody_out() {
        let mut guests = Guests::default();
        for _ in 0..500 {
            assert!(guests.admit(address(1)).is_some());
        }
        assert_eq!(guests.open.len(), MAX_OF_ADDRESS);
        // Not even a connection from the same address is shut out.
        let (number, _) = guests.admit(address(1)).unwrap();
        guests.mark_known(number);
        assert!(guests.open.contains_key(&number));
        for from in 2..=250 {
            assert!(guests.admit(address(from)).is_some(), "{from}");
        }
        assert!(guests.open.len() <= MAX_CONNECTIONS);
    }

    #[test]
    fn one_player_cannot_take_every_page() {
        let mut guests = Guests::default();
        let red = Viewer::Side("red".to_owned());
        let of_one = (0..200).filter(|_| follows(&mut guests, 1, &red)).count();
        assert_eq!(of_one, MAX_FOLLOWED_OF_ADDRESS);
        // Many players have the same key. Each address gets a share of its connections.
        for from in 2..=4 {
            assert!((0..200).any(|_| follows(&mut guests, from, &red)), "{from}");
            assert!((0..200).any(|_| !follows(&mut guests, from, &red)), "{from}");
        }
        for from in 5..=20 {
            assert!(follows(&mut guests, from, &red), "{from}");
            assert!(follows(&mut guests, from, &Viewer::Players), "{from}");
        }
    }

    #[test]
    fn many_addresses_that_say_nothing_shut_nobody_out() {
        // The honest address is the lowest or the highest of all.
        for honest in [0, 255] {
            let mut guests = Guests::default();
            for from in 0..1_000 {
                guests.admit(IpAddr::V4(Ipv4Addr::new(10, 0, from as u8, 1))).unwrap();
            }
            let (number, _) = guests.admit(IpAddr::V4(Ipv4Addr::new(honest, 0, 0, 1))).unwrap();
            // More strangers connect before its request arrives.
            for from in 0..100 {
                guests.admit(IpAddr::V4(Ipv4Addr::new(10, 1, from, 1))).unwrap();
            }
            assert!(guests.open.contains_key(&number), "{honest}");
        }
    }

    #[test]
    fn key_holders_who_take_every_connection_make_room_for_others() {
        let mut guests = Guests::default();
        let red = Viewer::Side("red".to_owned());
        // Each address follows as many pages as it may, and leaves the answers to its other
        // requests unread.
        for from in 1..=4 {
            for number in 0..MAX_OF_ADDRESS {
                let viewer = if number % 2 == 0 { &red } else { &Viewer::Players };
                let (connection, _) = guests.admit(address(from)).unwrap();
                guests.mark_known(connection);
                assert_eq!(guests.follow(connection, viewer), number < MAX_FOLLOWED_OF_ADDRESS);
            }
        }
        assert_eq!(guests.open.len(), MAX_CONNECTIONS);
        for from in 5..=40 {
            assert!(follows(&mut guests, from, &red), "{from}");
        }
        assert!(guests.open.len() <= MAX_CONNECTIONS);
        // None of the other connections were closed.
        for from in 5..=40 {
            assert_eq!(guests.count(|guest| guest.from == address(from)), 1, "{from}");
        }
    }

    #[test]
    fn whoever_must_go_is_asked_to() {
        let mut guests = Guests::default();
        let (_, first) = guests.admit(address(1)).unwrap();
        for _ in 1..=MAX_OF_ADDRESS {
            guests.admit(address(1)).unwrap();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(first.notified());
    }

    #[test]
    fn those_who_left_take_no_room() {
        let mut guests = Guests::default();
        for _ in 0..1_000 {
            let (number, _) = guests.admit(address(1)).unwrap();
            guests.mark_known(number);
            assert!(guests.follow(number, &Viewer::Players));
            guests.forget(number);
        }
        assert!(guests.open.is_empty());
    }
}

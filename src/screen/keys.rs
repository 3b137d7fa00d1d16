//! The keys of the pages: a short one for the page for everyone, and a long one for each side and
//! each player. The keys are saved with the session, so an address stays valid all evening.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};

use super::ScreenError;
use crate::files::{Disk, SystemDisk};
use crate::session_folder::PAGE_KEYS_FILE;

/// The 32 characters used in keys, five bits each. As in Crockford's Base32, `i`, `l`, `o` and `u`
/// are left out, because they are easily confused with other characters.
const KEY_ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of characters in the key for everyone, which only has to keep casual visitors out.
const SHARED_KEY_LETTERS: usize = 6;
/// The number of characters in the key of a side or a player: 80 bits.
const SIDE_KEY_LETTERS: usize = 16;
/// The maximum size of the key file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 16;

/// The keys of a session.
#[derive(Debug)]
pub(super) struct PageKeys {
    file: PathBuf,
    kept: StoredKeys,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredKeys {
    port: u16,
    all: String,
    sides: IndexMap<String, String>,
    #[serde(default)]
    players: IndexMap<String, String>,
}

/// The owner of a long key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOwner<'a> {
    /// A side.
    Side(&'a str),
    /// A player.
    Player(&'a str),
}

impl PageKeys {
    /// Returns the saved keys of the session in a folder, without invalid ones. There are no keys if
    /// the file can't be read. Missing keys are not created until [`PageKeys::add_missing_keys`] is called.
    pub(super) fn of(folder: &Path) -> PageKeys {
        let file = folder.join(PAGE_KEYS_FILE);
        let kept = SystemDisk.read(&file, MAX_FILE_BYTES).ok();
        let kept: Option<StoredKeys> = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut kept = kept.unwrap_or_default();
        // A key with the wrong form could be guessed.
        kept.sides.retain(|_, key| is_key(key, SIDE_KEY_LETTERS));
        kept.players.retain(|_, key| is_key(key, SIDE_KEY_LETTERS));
        if !is_key(&kept.all, SHARED_KEY_LETTERS) {
            kept.all.clear();
        }
        PageKeys { file, kept }
    }

    /// Returns the port that was used before; 0 if no port was used.
    pub(super) fn port(&self) -> u16 {
        self.kept.port
    }

    /// Creates the missing keys. Saves the keys and the port if anything has changed. Fails if
    /// there are no random numbers for a key.
    pub(super) fn add_missing_keys(
        &mut self,
        sides: &[String],
        players: &[String],
        port: u16,
    ) -> Result<(), ScreenError> {
        let counts = |kept: &StoredKeys| (kept.sides.len(), kept.players.len());
        let before = (self.kept.all.is_empty(), counts(&self.kept), self.kept.port);
        if self.kept.all.is_empty() {
            self.kept.all = random_key(SHARED_KEY_LETTERS)?;
        }
        for side in sides {
            if !self.kept.sides.contains_key(side) {
                self.kept.sides.insert(side.clone(), random_key(SIDE_KEY_LETTERS)?);
            }
        }
        for player in players {
            if !self.kept.players.contains_key(player) {
                self.kept.players.insert(player.clone(), random_key(SIDE_KEY_LETTERS)?);
            }
        }
        self.kept.port = port;
        if before != (false, counts(&self.kept), port) {
            self.save();
        }
        Ok(())
    }

    /// Replaces the key of a side or a player, and saves the new one. `None` replaces the key for
    /// everyone. Fails if there are no random numbers for the key.
    pub(super) fn renew(&mut self, owner: Option<KeyOwner<'_>>) -> Result<(), ScreenError> {
        let (keys, name) = match owner {
            Some(KeyOwner::Side(side)) => (&mut self.kept.sides, side),
            Some(KeyOwner::Player(player)) => (&mut self.kept.players, player),
            None => {
                self.kept.all = random_key(SHARED_KEY_LETTERS)?;
                self.save();
                return Ok(());
            }
        };
        keys.insert(name.to_owned(), random_key(SIDE_KEY_LETTERS)?);
        self.save();
        Ok(())
    }

    /// Saves the keys in a file that only its owner can read. If that fails, they are valid only
    /// until the screen ends.
    fn save(&self) {
        let disk = SystemDisk;
        let _ = disk.remove(&self.file);
        if let (Ok(bytes), Ok(mut file)) =
            (serde_json::to_vec(&self.kept), disk.create(&self.file, true))
        {
            let _ = file.append(&bytes);
        }
    }

    /// Returns the key for everyone.
    pub(super) fn shared_key(&self) -> &str {
        &self.kept.all
    }

    /// Returns the key of a side; `None` if the side has none.
    pub(super) fn key_of_side(&self, side: &str) -> Option<&str> {
        self.kept.sides.get(side).map(String::as_str)
    }

    /// Returns the key of a player; `None` if the player has none.
    pub(super) fn key_of_player(&self, player: &str) -> Option<&str> {
        self.kept.players.get(player).map(String::as_str)
    }

    /// Returns true if this is the key for everyone.
    pub(super) fn is_shared_key(&self, key: &str) -> bool {
        is_same_key(&self.kept.all, key)
    }

    /// Returns the side with this key, if there is one. Every side's key is compared, each in
    /// constant time.
    pub(super) fn side_of(&self, key: &str) -> Option<&str> {
        owner_of(&self.kept.sides, key)
    }

    /// Returns the player with this key, if there is one. Every player's key is compared, each in
    /// constant time.
    pub(super) fn player_of(&self, key: &str) -> Option<&str> {
        owner_of(&self.kept.players, key)
    }
}

/// Returns the name with this key, if there is one. Every key is compared, each in constant time.
fn owner_of<'k>(keys: &'k IndexMap<String, String>, key: &str) -> Option<&'k str> {
    let mut found = None;
    for (name, kept) in keys {
        if is_same_key(kept, key) {
            found = Some(name.as_str());
        }
    }
    found
}

fn is_key(key: &str, letters: usize) -> bool {
    key.len() == letters && key.bytes().all(|b| KEY_ALPHABET.contains(&b))
}

/// Returns true if two keys are equal and not empty. The time this takes depends only on their
/// lengths.
fn is_same_key(key: &str, other: &str) -> bool {
    let differences =
        key.bytes().zip(other.bytes()).fold(0, |all, (a, b)| black_box(all | (a ^ b)));
    key.len() == other.len() && !key.is_empty() && black_box(differences) == 0
}

fn random_key(letters: usize) -> Result<String, ScreenError> {
    let mut bytes = vec![0; letters];
    SysRng.try_fill_bytes(&mut bytes).map_err(|e| ScreenError::Random(e.to_string()))?;
    Ok(bytes.into_iter().map(|b| char::from(KEY_ALPHABET[usize::from(b % 32)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_kept_and_renewed() {
        let folder = tempfile::tempdir().unwrap();
        let sides = ["red".to_owned(), "blue".to_owned()];
        let mut keys = PageKeys::of(folder.path());
        keys.add_missing_keys(&sides, &["ann".to_owned()], 7373).unwrap();
        let red = keys.key_of_side("red").unwrap().to_owned();
        assert!(is_key(&red, 16) && red != keys.key_of_side("blue").unwrap());
        assert_eq!(keys.side_of(&red), Some("red"));
        assert!(
            keys.is_shared_key(keys.shared_key())
                && !keys.is_shared_key("")
                && !keys.is_shared_key(&red)
        );
        assert_eq!(keys.side_of(&red[1..]), None);
        let ann = keys.key_of_player("ann").unwrap().to_owned();
        assert!(is_key(&ann, 16) && ann != red);
        assert_eq!((keys.player_of(&ann), keys.side_of(&ann)), (Some("ann"), None));
        assert_eq!(keys.player_of(&red), None);
        let mut again = PageKeys::of(folder.path());
        assert_eq!((again.key_of_side("red"), again.port()), (Some(red.as_str()), 7373));
        again.renew(Some(KeyOwner::Side("red"))).unwrap();
        assert_eq!(again.side_of(&red), None);
        assert_eq!(PageKeys::of(folder.path()).side_of(&red), None);
        assert_eq!(again.player_of(&ann), Some("ann"));
        again.renew(Some(KeyOwner::Player("ann"))).unwrap();
        assert_eq!(PageKeys::of(folder.path()).player_of(&ann), None);
    }

    #[test]
    fn a_key_that_is_renewed_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let mut keys = PageKeys::of(folder.path());
        keys.add_missing_keys(&["red".to_owned(), "blue".to_owned()], &[], 7373).unwrap();
        let red = keys.key_of_side("red").unwrap().to_owned();
        let blue = keys.key_of_side("blue").unwrap().to_owned();
        let all = keys.shared_key().to_owned();
        keys.renew(Some(KeyOwner::Side("red"))).unwrap();
        let new = keys.key_of_side("red").unwrap().to_owned();
        assert!(is_key(&new, 16) && new != red);
        let again = PageKeys::of(folder.path());
        assert_eq!(
            (again.key_of_side("red"), again.key_of_side("blue")),
            (Some(new.as_str()), Some(blue.as_str()))
        );
        assert_eq!((again.shared_key(), again.port()), (all.as_str(), 7373));
        keys.renew(None).unwrap();
        assert!(is_key(keys.shared_key(), 6) && keys.shared_key() != all);
        let again = PageKeys::of(folder.path());
        assert_eq!(
            (again.shared_key(), again.key_of_side("red")),
            (keys.shared_key(), Some(new.as_str()))
        );
    }

    #[test]
    fn keys_that_can_be_guessed_are_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let planted = r#"{"port":80,"all":"","sides":{"red":"1"}}"#;
        std::fs::write(folder.path().join(PAGE_KEYS_FILE), planted).unwrap();
        let mut keys = PageKeys::of(folder.path());
        keys.add_missing_keys(&["red".to_owned()], &[], 80).unwrap();
        assert!(keys.side_of("1").is_none() && !keys.is_shared_key(""));
    }
}

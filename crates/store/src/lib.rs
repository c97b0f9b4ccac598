//! The proof store: a cache of proof artefacts, found by what they are valid for.
//!
//! The one idea: nobody has to trust the store. An artefact is looked up by a key, the hash of everything it
//! depends on, so what does not apply is not found; what another build of the tool wrote is not read
//! ([`Options::tool`]); what is found is checked against checksums that cover the key, the payload and all
//! metadata, so what is damaged reads as absent. A store that cannot be used is an [`Error`] that says what
//! to do, and verification goes on without it. Missing, stale, foreign or damaged entries cost time, never
//! truth.
//!
//! Below is an SQLite database in WAL mode (`store.db` in the store's folder): several processes share it and
//! wait for each other, a process killed at any moment leaves whole entries only. What the database says is
//! believed no more than any other file: every row carries a seal, every payload is named by its hash.
//!
//! ```
//! use store::{Artefact, Key, Options, Store};
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path().join(".reprove");
//! let store = Store::open(&folder, Options::default())?;
//! let key = Key::of(&[b"fingerprint of f", b"--check overflow"]);
//! store.put(&Artefact::new("summary", key, b"x >= 0".to_vec()).label("f"))?;
//! assert_eq!(store.get("summary", &key).unwrap().payload, b"x >= 0");
//! # Ok::<(), store::Error>(())
//! ```

mod audit;
mod error;
mod format;
mod gc;
mod open;
mod place;
mod record;
mod store;

pub use audit::{Audit, Finding, Problem};
pub use error::Error;
pub use format::FORMAT;
pub use gc::{Collected, Gc};
pub use place::{DEFAULT_FOLDER, VARIABLE, folder};
pub use record::MAX_PAYLOAD;
pub use store::{Batch, Counters, KindStatistics, Statistics, Store};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What an artefact is valid for, as a hash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// The hash of all parts in order. Where one part ends and the next begins matters.
    pub fn of(parts: &[&[u8]]) -> Key {
        let mut hasher = blake3::Hasher::new_derive_key("reprove store key");
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Key(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

impl FromStr for Key {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Key, Self::Err> {
        let hash = blake3::Hash::from_hex(text).map_err(|_| "a key is 64 hexadecimal digits")?;
        Ok(Key(*hash.as_bytes()))
    }
}

/// The name of an artefact: its kind, which the user of the store chooses, and its key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Id {
    pub kind: String,
    pub key: Key,
}

impl Id {
    pub fn new(kind: impl Into<String>, key: Key) -> Id {
        Id { kind: kind.into(), key }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.key)
    }
}

/// What is put into the store and got back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artefact {
    pub id: Id,
    /// For people: a function's name, a file.
    pub label: String,
    pub payload: Vec<u8>,
    /// Artefacts that this one needs. They are kept as long as this one is.
    pub links: Vec<Id>,
}

impl Artefact {
    pub fn new(kind: impl Into<String>, key: Key, payload: Vec<u8>) -> Artefact {
        Artefact { id: Id::new(kind, key), label: String::new(), payload, links: Vec::new() }
    }

    pub fn label(mut self, label: impl Into<String>) -> Artefact {
        self.label = label.into();
        self
    }

    pub fn link(mut self, to: Id) -> Artefact {
        self.links.push(to);
        self
    }
}

/// An artefact without its payload. Times are milliseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    pub id: Id,
    pub label: String,
    pub links: Vec<Id>,
    /// The version of the tool that wrote it.
    pub tool: String,
    pub created: u64,
    pub used: u64,
    /// Bytes of the payload.
    pub size: u64,
    /// Bytes of the payload as it is stored; shared by all artefacts with the same payload.
    pub stored: u64,
}

/// How a store is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// Change nothing, not even when an artefact was last used. The store must exist.
    pub read_only: bool,
    /// How long to wait for other processes.
    pub wait: Duration,
    /// The database file may not grow beyond this; a put that would is refused as on a full disk.
    pub max_bytes: Option<u64>,
    /// Who writes: new entries say so, and only entries that say the same are read. What an entry means is
    /// known to the code that wrote it.
    pub tool: String,
    /// Look at entries of others, too: for people, who want to know what is there.
    pub every_tool: bool,
    /// Milliseconds since 1970.
    pub clock: fn() -> u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            read_only: false,
            wait: Duration::from_secs(30),
            max_bytes: None,
            tool: env!("CARGO_PKG_VERSION").to_string(),
            every_tool: false,
            clock: now,
        }
    }
}

impl Options {
    pub(crate) fn reads(&self, entry: &Entry) -> bool {
        self.every_tool || entry.tool == self.tool
    }
}

/// The system's clock, as entries record it.
pub fn now() -> u64 {
    // A clock before 1970 is wrong anyway; times only decide what is collected first.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}

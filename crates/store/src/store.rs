//! The store itself: get, put, remove, list, count.
//!
//! Reading never fails: what cannot be had is absent, and counted. Writing is one transaction a call, all or
//! nothing, or one for many calls close to each other ([`Store::batch`]). Uses are noted in memory and written
//! with the next change or at the end, so that reading does not write.

use crate::error::Error;
use crate::open::{self, Opened};
use crate::place::Place;
use crate::record::{self, COLUMNS, MAX_PAYLOAD, Record};
use crate::{Artefact, Entry, Id, Key, Options};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// An open store. Threads may share it; they take turns.
pub struct Store {
    pub(crate) place: Place,
    pub(crate) options: Options,
    pub(crate) inner: Mutex<Inner>,
    aside: Option<PathBuf>,
}

pub(crate) struct Inner {
    /// Before the lock, so that it is closed before the lock is released.
    pub db: Connection,
    pub lock: Option<File>,
    used: BTreeMap<Id, u64>,
    /// How many batches there are.
    batches: u32,
    /// What was put in them and is not written yet, and since when something waits.
    waiting: BTreeMap<Id, Artefact>,
    since: Option<Instant>,
    counters: Counters,
}

/// What happened to requests since the store was opened.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Counters {
    pub hits: u64,
    pub misses: u64,
    /// Those of them for which there is an entry of another tool.
    pub foreign: u64,
    /// Entries that were there, but not as they were written.
    pub damaged: u64,
    /// Requests that the system did not let us answer.
    pub failed: u64,
    /// What the first of those was about, for a warning.
    pub trouble: Option<String>,
}

#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Statistics {
    pub kinds: BTreeMap<String, KindStatistics>,
    pub entries: u64,
    /// Distinct payloads, and their bytes as stored.
    pub payloads: u64,
    pub stored: u64,
    /// Bytes of the database on disk.
    pub file: u64,
}

#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct KindStatistics {
    pub entries: u64,
    /// Bytes of all payloads of this kind, before compression.
    pub size: u64,
}

impl Store {
    /// Opens the store in a folder, and makes both where there is none. A store of an older format and a file
    /// that is no store are set aside ([`Store::set_aside`]); one of a newer format is refused.
    pub fn open(folder: &Path, options: Options) -> Result<Store, Error> {
        let place = Place::find(folder, !options.read_only)?;
        let Opened { db, lock, aside } = open::open(&place, &options)?;
        let (used, waiting, counters) = Default::default();
        let inner = Inner { db, lock, used, batches: 0, waiting, since: None, counters };
        Ok(Store { place, options, inner: Mutex::new(inner), aside })
    }

    /// Opens a store for writing, or else for reading if there is something to read. The error says why there
    /// is less than a writable store.
    pub fn open_as_possible(folder: &Path, options: Options) -> (Option<Store>, Option<Error>) {
        match Store::open(folder, options.clone()) {
            Ok(store) => (Some(store), None),
            Err(e) if e.is_about_writing() && !options.read_only => {
                (Store::open(folder, Options { read_only: true, ..options }).ok(), Some(e))
            }
            Err(e) => (None, Some(e)),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.place.folder
    }

    pub fn is_read_only(&self) -> bool {
        self.options.read_only
    }

    /// Where opening put a file that was no store of this format.
    pub fn set_aside(&self) -> Option<&Path> {
        self.aside.as_deref()
    }

    /// The artefact of this kind and key, if it is there and exactly as it was put.
    pub fn get(&self, kind: &str, key: &Key) -> Option<Artefact> {
        if let Some(artefact) = self.waiting(kind, key) {
            return Some(artefact);
        }
        let (_, artefact) = self.look_up(kind, key)?;
        if !self.options.read_only {
            self.lock().used.insert(artefact.id.clone(), (self.options.clock)());
        }
        Some(artefact)
    }

    /// The same with its metadata, and without counting as a use.
    pub fn look_up(&self, kind: &str, key: &Key) -> Option<(Entry, Artefact)> {
        self.write_waiting_or_note();
        let mut inner = self.lock();
        match find(&inner.db, kind, key) {
            Ok(Some(Ok((entry, _)))) if !self.options.reads(&entry) => {
                inner.counters.misses += 1;
                inner.counters.foreign += 1;
                None
            }
            Ok(Some(Ok(found))) => {
                inner.counters.hits += 1;
                Some(found)
            }
            Ok(None) => {
                inner.counters.misses += 1;
                None
            }
            Ok(Some(Err(problem))) => {
                inner.counters.damage(format!("{kind} {key}: {problem}"));
                None
            }
            Err(e) => {
                let error = self.fail("read", e);
                inner.counters.error(error);
                None
            }
        }
    }

    pub fn put(&self, artefact: &Artefact) -> Result<(), Error> {
        self.put_all(std::slice::from_ref(artefact))
    }

    /// Stores all of them or, when it fails, none. Artefacts of the same kind and key are replaced.
    pub fn put_all(&self, artefacts: &[Artefact]) -> Result<(), Error> {
        if !self.options.read_only && self.wait(artefacts) {
            return Ok(());
        }
        self.write_waiting()?;
        self.write_all(artefacts)
    }

    /// As long as this lives, what is put is written a little later, with what is put next: one transaction for
    /// many. It is read as if it was written. If writing fails then, it is noted like damage.
    pub fn batch(&self) -> Batch<'_> {
        self.lock().batches += 1;
        Batch { store: self }
    }

    /// Is it enough to write this with what comes next?
    fn wait(&self, artefacts: &[Artefact]) -> bool {
        let mut inner = self.lock();
        if inner.batches == 0 {
            return false;
        }
        let since = *inner.since.get_or_insert_with(Instant::now);
        if inner.waiting.len() >= MOST_WAITING || since.elapsed() >= LONGEST_WAIT {
            return false;
        }
        inner.waiting.extend(artefacts.iter().map(|artefact| (artefact.id.clone(), artefact.clone())));
        true
    }

    fn waiting(&self, kind: &str, key: &Key) -> Option<Artefact> {
        let mut inner = self.lock();
        if inner.waiting.is_empty() {
            return None;
        }
        let found = inner.waiting.get(&Id::new(kind, *key)).cloned();
        inner.counters.hits += u64::from(found.is_some());
        found
    }

    fn write_waiting(&self) -> Result<(), Error> {
        let mut inner = self.lock();
        inner.since = None;
        let waiting = std::mem::take(&mut inner.waiting);
        drop(inner);
        if waiting.is_empty() {
            return Ok(());
        }
        self.write_all(&waiting.into_values().collect::<Vec<_>>())
    }

    fn write_waiting_or_note(&self) {
        if let Err(error) = self.write_waiting() {
            self.lock().counters.error(error);
        }
    }

    fn write_all(&self, artefacts: &[Artefact]) -> Result<(), Error> {
        let now = self.now();
        let pack = |artefact| {
            record::pack(artefact, &self.options.tool, now).ok_or_else(|| Error::TooLarge {
                id: artefact.id.clone(),
                size: artefact.payload.len() as u64,
                limit: MAX_PAYLOAD,
            })
        };
        // Outside the transaction: others wait for it.
        let packed = artefacts.iter().map(pack).collect::<Result<Vec<_>, Error>>()?;
        self.change(|transaction| {
            packed.iter().try_for_each(|p| insert(transaction, p, &self.options.tool, now))
        })
    }

    /// Whether it was there.
    pub fn remove(&self, kind: &str, key: &Key) -> Result<bool, Error> {
        self.write_waiting()?;
        let removed = self.change(|transaction| {
            let old = payload_of(transaction, kind, &key.0)?;
            let sql = "DELETE FROM artefact WHERE kind = ?1 AND key = ?2";
            let count = transaction.prepare_cached(sql)?.execute(params![kind, key.0])?;
            old.map_or(Ok(()), |hash| drop_unused(transaction, &hash))?;
            Ok(count > 0)
        })?;
        self.lock().used.remove(&Id::new(kind, *key));
        Ok(removed)
    }

    /// Whole entries, all of them or those of a kind, of a label, or both; by kind, label and age.
    pub fn list(&self, kind: Option<&str>, label: Option<&str>) -> Result<Vec<Entry>, Error> {
        self.write_waiting()?;
        let mut inner = self.lock();
        let found = records(&inner.db, kind, label).map_err(|e| self.fail("read", e))?;
        let mut entries = Vec::with_capacity(found.len());
        for record in found {
            match record {
                // A damaged index leads to rows that were not asked for.
                Ok(Record { entry, .. }) => {
                    let wanted = kind.is_none_or(|k| entry.id.kind == k)
                        && label.is_none_or(|l| entry.label == l)
                        && self.options.reads(&entry);
                    entries.extend(wanted.then_some(entry));
                }
                Err((_, problem)) => inner.counters.damage(problem.to_string()),
            }
        }
        for entry in &mut entries {
            let noted = inner.used.get(&entry.id).copied();
            entry.used = entry.used.max(noted.unwrap_or(0));
        }
        entries.sort_by(|a, b| {
            let order = |e: &Entry| (e.created, e.id.key);
            (&a.id.kind, &a.label).cmp(&(&b.id.kind, &b.label)).then(order(a).cmp(&order(b)))
        });
        Ok(entries)
    }

    pub fn statistics(&self) -> Result<Statistics, Error> {
        let entries = self.list(None, None)?;
        let mut statistics = Statistics { entries: entries.len() as u64, ..Statistics::default() };
        for entry in entries {
            let of_kind = statistics.kinds.entry(entry.id.kind).or_default();
            of_kind.entries += 1;
            of_kind.size += entry.size;
        }
        let sql = "SELECT count(*), total(length(data)) FROM payload";
        let sums =
            self.lock().db.query_row(sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?)));
        let (payloads, stored) = sums.map_err(|e| self.fail("read", e))?;
        (statistics.payloads, statistics.stored) = (payloads.max(0) as u64, stored.max(0.0) as u64);
        statistics.file = self.place.bytes();
        Ok(statistics)
    }

    pub fn counters(&self) -> Counters {
        self.lock().counters.clone()
    }

    /// Writes down when artefacts were last used. Happens by itself with every change and at the end.
    pub fn flush(&self) -> Result<(), Error> {
        self.write_waiting()?;
        let nothing = self.lock().used.is_empty();
        if nothing { Ok(()) } else { self.change(|_| Ok(())) }
    }

    /// One transaction, with the uses noted so far.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        if self.options.read_only {
            return Err(Error::ReadOnly(self.place.folder.clone()));
        }
        let mut inner = self.lock();
        let Inner { db, used, .. } = &mut *inner;
        let done = db.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
            let result = work(&transaction)?;
            write_uses(&transaction, used)?;
            transaction.commit()?;
            Ok(result)
        });
        let result = done.map_err(|e| self.fail("write", e))?;
        used.clear();
        Ok(result)
    }

    /// A panic of another thread leaves no half-done transaction behind, so the lock is never poisonous.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn fail(&self, doing: &'static str, error: rusqlite::Error) -> Error {
        match Error::database(&self.place.folder, doing, error) {
            Error::Busy { path, .. } => Error::Busy { path, waited: self.options.wait },
            Error::Full { path, .. } => Error::Full { path, limit: self.options.max_bytes },
            other => other,
        }
    }

    pub(crate) fn now(&self) -> i64 {
        i64::try_from((self.options.clock)()).unwrap_or(i64::MAX)
    }
}

/// So many artefacts are written at once.
const MOST_WAITING: usize = 256;
/// What is lost if the process is killed is as little as it was found out in.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// See [`Store::batch`].
pub struct Batch<'s> {
    store: &'s Store,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.store.lock().batches -= 1;
        self.store.write_waiting_or_note();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Times of use are worth a moment, not a long wait.
        let _ = self.lock().db.busy_timeout(Duration::from_secs(1));
        let _ = self.flush();
    }
}

impl Counters {
    fn damage(&mut self, what: String) {
        self.damaged += 1;
        self.trouble.get_or_insert(what);
    }

    fn error(&mut self, error: Error) {
        match error {
            Error::Damaged { .. } => self.damaged += 1,
            _ => self.failed += 1,
        }
        self.trouble.get_or_insert(error.to_string());
    }
}

type Checked<T> = Result<T, crate::Problem>;

fn find(db: &Connection, kind: &str, key: &Key) -> rusqlite::Result<Option<Checked<(Entry, Artefact)>>> {
    let sql = format!(
        "SELECT {COLUMNS}, p.data FROM artefact a LEFT JOIN payload p ON p.hash = a.payload \
         WHERE a.kind = ?1 AND a.key = ?2"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let checked = |row: &rusqlite::Row<'_>| {
        let record = record::read(row)?;
        // A damaged index leads to a whole row that somebody else asked for.
        if record.entry.id.kind != kind || record.entry.id.key != *key {
            return Err(crate::Problem::Metadata);
        }
        let payload = record::unpack(row, &record)?;
        let Entry { id, label, links, .. } = record.entry.clone();
        Ok((record.entry, Artefact { id, label, payload, links }))
    };
    statement.query_row(params![kind, key.0], |row| Ok(checked(row))).optional()
}

/// Rows with what is wrong with them. A row that has no readable number is none that can be dealt with.
pub(crate) type Rows = Vec<Result<Record, (i64, crate::Problem)>>;

pub(crate) fn records(db: &Connection, kind: Option<&str>, label: Option<&str>) -> rusqlite::Result<Rows> {
    let kinds = if kind.is_some() { "a.kind = ?1" } else { "?1 IS NULL" };
    let labels = if label.is_some() { "a.label = ?2" } else { "?2 IS NULL" };
    let sql = format!(
        "SELECT {COLUMNS} FROM artefact a LEFT JOIN payload p ON p.hash = a.payload WHERE {kinds} AND {labels}"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params![kind, label])?;
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(11)?;
        // Damaged trees can lead to the same row again, and around in circles.
        if !seen.insert(number) {
            break;
        }
        found.push(record::read(row).map_err(|problem| (number, problem)));
    }
    Ok(found)
}

fn insert(
    transaction: &Transaction<'_>,
    packed: &record::Packed<'_>,
    tool: &str,
    now: i64,
) -> rusqlite::Result<()> {
    let Id { kind, key } = &packed.artefact.id;
    let old = payload_of(transaction, kind, &key.0)?;
    // An equal payload is there already, unless it was damaged.
    let sql = "INSERT INTO payload(hash, data) VALUES(?1, ?2) \
               ON CONFLICT(hash) DO UPDATE SET data = excluded.data WHERE data IS NOT excluded.data";
    transaction.prepare_cached(sql)?.execute(params![packed.hash, packed.data])?;
    let sql = "INSERT OR REPLACE INTO artefact(kind, key, payload, size, label, tool, created, used, links, seal) \
               VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9)";
    transaction.prepare_cached(sql)?.execute(params![
        kind,
        key.0,
        packed.hash,
        packed.size,
        packed.artefact.label,
        tool,
        now,
        packed.links,
        packed.seal
    ])?;
    match old {
        Some(old) if old != packed.hash => drop_unused(transaction, &old),
        _ => Ok(()),
    }
}

fn payload_of(transaction: &Transaction<'_>, kind: &str, key: &[u8]) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT payload FROM artefact WHERE kind = ?1 AND key = ?2";
    let mut statement = transaction.prepare_cached(sql)?;
    // A damaged value names no payload; the next collection finds what is left over.
    let value = |row: &rusqlite::Row<'_>| Ok(row.get::<_, Vec<u8>>(0).ok());
    Ok(statement.query_row(params![kind, key], value).optional()?.flatten())
}

fn drop_unused(transaction: &Transaction<'_>, hash: &[u8]) -> rusqlite::Result<()> {
    let sql =
        "DELETE FROM payload WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM artefact WHERE payload = ?1)";
    transaction.prepare_cached(sql)?.execute([hash]).map(|_| ())
}

fn write_uses(transaction: &Transaction<'_>, used: &BTreeMap<Id, u64>) -> rusqlite::Result<()> {
    let sql = "UPDATE artefact SET used = max(used, ?3) WHERE kind = ?1 AND key = ?2";
    let mut statement = transaction.prepare_cached(sql)?;
    for (id, time) in used {
        statement.execute(params![id.kind, id.key.0, i64::try_from(*time).unwrap_or(i64::MAX)])?;
    }
    Ok(())
}

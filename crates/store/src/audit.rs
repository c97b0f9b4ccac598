//! Audit: is every entry as it was written, and everything there that it links to?
//!
//! Entries are looked at one by one, by row number, so that damage in one place hides as little as possible
//! of the rest. Repair removes bad entries; where the database itself is damaged, whole entries are copied to
//! a new one.

use crate::error::Error;
use crate::gc::{delete, shrink};
use crate::open;
use crate::record::{self, COLUMNS, Record};
use crate::store::{Inner, Store};
use crate::{Id, Key};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Audit {
    /// Entries that were looked at.
    pub entries: u64,
    /// Those that are as they should be; after a repair, those that are left.
    pub whole: u64,
    pub findings: Vec<Finding>,
    /// Whether what was found has been removed.
    pub fixed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which entry, as far as it can be read.
    pub id: Option<Id>,
    pub label: String,
    pub problem: Problem,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The entry's own checksum does not fit.
    Metadata,
    /// The payload cannot be decompressed, or does not have its checksum.
    Payload,
    NoPayload,
    /// It links to an artefact that is not there, or not whole.
    Link(Id),
    /// What the database finds wrong with itself.
    Structure(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Metadata => write!(f, "the entry fails its checksum"),
            Problem::Payload => write!(f, "the payload fails its checksum"),
            Problem::NoPayload => write!(f, "the payload is missing"),
            Problem::Link(id) => write!(f, "links to {id}, which is missing or damaged"),
            Problem::Structure(detail) => write!(f, "the database is damaged: {detail}"),
        }
    }
}

/// Enough to see what is wrong; a damaged file can have millions.
const MOST_STRUCTURE_FINDINGS: usize = 20;

impl Store {
    /// Checks everything, and removes what is not whole if asked to.
    pub fn audit(&self, fix: bool) -> Result<Audit, Error> {
        let mut inner = self.lock();
        let checked = self.check(&inner.db)?;
        let mut audit = Audit {
            entries: checked.entries,
            whole: checked.whole(),
            findings: checked.findings(),
            fixed: false,
        };
        if !fix || (audit.findings.is_empty() && self.options.read_only) {
            return Ok(audit);
        }
        if self.options.read_only {
            return Err(Error::ReadOnly(self.place.folder.clone()));
        }
        let mut remove = checked;
        if !remove.structure.is_empty() || self.remove_rows(&inner.db, &remove.rows()).is_err() {
            self.rebuild(&mut inner)?;
            remove = self.check(&inner.db)?;
            self.remove_rows(&inner.db, &remove.rows())?;
        }
        shrink(&inner.db);
        let left = self.check(&inner.db)?;
        audit.whole = left.whole();
        audit.fixed = left.findings().is_empty();
        self.place.forget_aside()?;
        Ok(audit)
    }

    fn remove_rows(&self, db: &Connection, rows: &[i64]) -> Result<(), Error> {
        let done = Transaction::new_unchecked(db, TransactionBehavior::Immediate)
            .and_then(|transaction| delete(&transaction, rows).and_then(|()| transaction.commit()));
        done.map_err(|e| self.fail("write", e))
    }

    fn check(&self, db: &Connection) -> Result<Checked, Error> {
        // One moment for all entries, whatever others write meanwhile.
        let transaction = db.unchecked_transaction().map_err(|e| self.fail("read", e))?;
        let mut checked = Checked::default();
        match integrity(&transaction) {
            Ok(structure) => checked.structure = structure,
            Err(e) => checked.structure.push(self.only_damage(e)?),
        }
        let (rows, error) = row_numbers(&transaction);
        if let Some(e) = error {
            checked.structure.push(self.only_damage(e)?);
        }
        checked.entries = rows.len() as u64;
        for row in rows {
            match entry(&transaction, row) {
                Ok(Some((record, None))) => {
                    checked.good.insert(record.entry.id.clone(), record);
                }
                Ok(Some((record, Some(problem)))) => checked
                    .bad
                    .push((row, Finding { id: Some(record.entry.id), label: record.entry.label, problem })),
                Ok(None) => {
                    let (id, label) = readable(&transaction, row);
                    checked.bad.push((row, Finding { id, label, problem: Problem::Metadata }));
                }
                Err(e) => checked.structure.push(self.only_damage(e)?),
            }
        }
        checked.structure.truncate(MOST_STRUCTURE_FINDINGS);
        checked.follow_links();
        Ok(checked)
    }

    /// Damage is what an audit looks for; everything else means that it cannot be made.
    fn only_damage(&self, error: rusqlite::Error) -> Result<String, Error> {
        match self.fail("read", error) {
            Error::Damaged { detail, .. } => Ok(detail),
            other => Err(other),
        }
    }

    /// Copies every whole entry to a new database, and puts that in the place of the old one.
    fn rebuild(&self, inner: &mut Inner) -> Result<(), Error> {
        let nothing = Connection::open_in_memory().map_err(|e| self.fail("open", e))?;
        drop(std::mem::replace(&mut inner.db, nothing));
        inner.lock = None;
        let copied = self.place.lock_alone(self.options.wait).and_then(|_alone| {
            let aside = self.place.set_aside()?;
            let mut new = open::create(&self.place, &self.options)?;
            // What cannot even be opened has nothing to save.
            match Connection::open(open::plain(&aside)) {
                Ok(old) => copy(&old, &mut new).map_err(|e| self.fail("write", e)),
                Err(_) => Ok(()),
            }
        });
        // Also when copying failed: the store stays usable.
        let opened = open::open(&self.place, &self.options)?;
        (inner.db, inner.lock) = (opened.db, opened.lock);
        copied
    }
}

#[derive(Default)]
struct Checked {
    entries: u64,
    structure: Vec<String>,
    good: BTreeMap<Id, Record>,
    bad: Vec<(i64, Finding)>,
}

impl Checked {
    fn whole(&self) -> u64 {
        self.good.len() as u64
    }

    fn rows(&self) -> Vec<i64> {
        self.bad.iter().map(|(row, _)| *row).collect()
    }

    fn findings(&self) -> Vec<Finding> {
        let structure = self.structure.iter().map(|detail| Finding {
            id: None,
            label: String::new(),
            problem: Problem::Structure(detail.clone()),
        });
        structure.chain(self.bad.iter().map(|(_, finding)| finding.clone())).collect()
    }

    /// An entry that needs one that is not whole is not whole.
    fn follow_links(&mut self) {
        let mut users: HashMap<Id, Vec<Id>> = HashMap::new();
        let mut missing: Vec<Id> = Vec::new();
        for (id, record) in &self.good {
            for link in &record.entry.links {
                users.entry(link.clone()).or_default().push(id.clone());
                if !self.good.contains_key(link) {
                    missing.push(link.clone());
                }
            }
        }
        let mut seen = BTreeSet::new();
        while let Some(gone) = missing.pop() {
            if !seen.insert(gone.clone()) {
                continue;
            }
            for user in users.get(&gone).into_iter().flatten() {
                if let Some(record) = self.good.remove(user) {
                    let problem = Problem::Link(gone.clone());
                    let finding = Finding { id: Some(user.clone()), label: record.entry.label, problem };
                    self.bad.push((record.row, finding));
                    missing.push(user.clone());
                }
            }
        }
    }
}

fn integrity(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = db.prepare(&format!("PRAGMA integrity_check({MOST_STRUCTURE_FINDINGS})"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").map(|line| line.replace('\n', " ")).collect())
}

/// The numbers of all rows that can be reached from either end, and what stopped the way between.
fn row_numbers(db: &Connection) -> (Vec<i64>, Option<rusqlite::Error>) {
    let mut found = BTreeSet::new();
    let mut walk = |direction: &str| -> rusqlite::Result<()> {
        let sql = format!("SELECT rowid FROM artefact NOT INDEXED ORDER BY rowid {direction}");
        let mut statement = db.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut own = BTreeSet::new();
        while let Some(row) = rows.next()? {
            let number = row.get(0)?;
            // In circles through a damaged tree.
            if !own.insert(number) {
                break;
            }
            found.insert(number);
        }
        Ok(())
    };
    let error = match walk("ASC") {
        Ok(()) => None,
        Err(e) => {
            let _ = walk("DESC");
            Some(e)
        }
    };
    (found.into_iter().collect(), error)
}

/// A row by number and what is wrong with its payload; None if the row itself is not what was written.
fn entry(db: &Connection, row: i64) -> rusqlite::Result<Option<(Record, Option<Problem>)>> {
    let sql = format!(
        "SELECT {COLUMNS}, p.data FROM artefact a LEFT JOIN payload p ON p.hash = a.payload WHERE a.rowid = ?1"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_row([row], |row| {
        Ok(record::read(row).ok().map(|record| {
            let problem = record::unpack(row, &record).err();
            (record, problem)
        }))
    });
    Ok(found.optional()?.flatten())
}

/// What a damaged row says it is, for people.
fn readable(db: &Connection, row: i64) -> (Option<Id>, String) {
    let sql = "SELECT kind, key, label FROM artefact WHERE rowid = ?1";
    let read = db.query_row(sql, [row], |row| {
        let id = match (row.get(0), row.get(1)) {
            (Ok(kind), Ok(key)) => Some(Id { kind, key: Key(key) }),
            _ => None,
        };
        Ok((id, row.get::<_, String>(2).unwrap_or_default()))
    });
    read.unwrap_or_default()
}

fn copy(old: &Connection, new: &mut Connection) -> rusqlite::Result<()> {
    let transaction = new.transaction()?;
    for row in row_numbers(old).0 {
        let Ok(Some((record, None))) = entry(old, row) else { continue };
        let sql = "SELECT a.links, a.seal, p.data FROM artefact a JOIN payload p ON p.hash = a.payload \
                   WHERE a.rowid = ?1";
        let raw = old.prepare_cached(sql).and_then(|mut statement| {
            let blob = |row: &rusqlite::Row<'_>, i| row.get::<_, Vec<u8>>(i);
            statement.query_row([row], |row| Ok((blob(row, 0)?, blob(row, 1)?, blob(row, 2)?)))
        });
        let Ok((links, seal, data)) = raw else { continue };
        let time = |t: u64| i64::try_from(t).unwrap_or(i64::MAX);
        let (id, size) = (&record.entry.id, time(record.entry.size));
        transaction
            .prepare_cached("INSERT OR IGNORE INTO payload(hash, data) VALUES(?1, ?2)")?
            .execute(params![record.payload, data])?;
        let sql = "INSERT OR IGNORE INTO artefact(kind, key, payload, size, label, tool, created, used, links, seal) \
                   VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        transaction.prepare_cached(sql)?.execute(params![
            id.kind,
            id.key.0,
            record.payload,
            size,
            record.entry.label,
            record.entry.tool,
            time(record.entry.created),
            time(record.entry.used),
            links,
            seal
        ])?;
    }
    transaction.commit()
}

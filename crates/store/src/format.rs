//! What a store's database looks like, and whether a database looks like that.
//!
//! `application_id` says whose database it is, `user_version` in which format. The schema must be ours to the
//! letter: a flipped bit in it changes what queries mean. Everything but our present format is refused or set
//! aside.

use crate::error::Error;
use rusqlite::Connection;
use std::path::Path;

/// Raised whenever stores of earlier versions would be misread.
pub const FORMAT: u32 = 2;

pub(crate) enum State {
    Ready,
    /// No store yet: a new file, or one whose making was interrupted.
    Empty,
    Older(u32),
    Damaged(String),
}

/// "rprv"
const APPLICATION: i64 = 0x7270_7276;

const SCHEMA: [&str; 4] = [
    "CREATE TABLE payload(hash BLOB NOT NULL PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE artefact(kind TEXT NOT NULL, key BLOB NOT NULL, payload BLOB NOT NULL, size INTEGER NOT NULL, \
     label TEXT NOT NULL, tool TEXT NOT NULL, created INTEGER NOT NULL, used INTEGER NOT NULL, links BLOB NOT NULL, \
     seal BLOB NOT NULL, PRIMARY KEY(kind, key))",
    "CREATE INDEX artefact_label ON artefact(label)",
    "CREATE INDEX artefact_payload ON artefact(payload)",
];

pub(crate) fn inspect(db: &Connection, path: &Path) -> Result<State, Error> {
    let (application, version, schema) = match read(db) {
        Ok(found) => found,
        Err(e) => match Error::database(path, "read", e) {
            Error::Damaged { detail, .. } => return Ok(State::Damaged(detail)),
            other => return Err(other),
        },
    };
    if application == 0 && schema.is_empty() {
        return Ok(State::Empty);
    }
    if application != APPLICATION {
        return Err(Error::Foreign(path.to_path_buf()));
    }
    match u32::try_from(version) {
        Ok(found) if found > FORMAT => Err(Error::Newer { path: path.to_path_buf(), found }),
        Ok(found) if found < FORMAT => Ok(State::Older(found)),
        Ok(_) if schema == SCHEMA => Ok(State::Ready),
        _ => Ok(State::Damaged("its description of itself was altered".to_string())),
    }
}

/// Makes an empty store in an empty database. Killed anywhere, it leaves an empty database or a store.
pub(crate) fn create(db: &mut Connection) -> rusqlite::Result<()> {
    db.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    use_log(db)?;
    let transaction = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", FORMAT)?;
    SCHEMA.iter().try_for_each(|sql| transaction.execute(sql, []).map(|_| ()))?;
    transaction.commit()
}

/// With a write-ahead log readers and a writer do not wait for each other. Where the file system cannot have
/// one, SQLite stays with its rollback journal, which is as safe.
pub(crate) fn use_log(db: &Connection) -> rusqlite::Result<()> {
    db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
}

fn read(db: &Connection) -> rusqlite::Result<(i64, i64, Vec<String>)> {
    let number = |name: &str| db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let mut statement = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")?;
    let schema = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok((number("application_id")?, number("user_version")?, schema))
}

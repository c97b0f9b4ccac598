//! Opening a store: connect, look at what is there, and make, replace or refuse it.
//!
//! What is there is judged while the lock is shared. If it has to be made or set aside, the lock is taken
//! alone and the judgement repeated, since another process may have been faster.

use crate::Options;
use crate::error::Error;
use crate::format::{self, State};
use crate::place::Place;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) struct Opened {
    pub db: Connection,
    pub lock: Option<File>,
    /// Where an unusable database went.
    pub aside: Option<PathBuf>,
}

/// Others may undo our work between two looks at most as often as there are other processes starting.
const ATTEMPTS: usize = 100;

pub(crate) fn open(place: &Place, options: &Options) -> Result<Opened, Error> {
    let mut aside = None;
    for _ in 0..ATTEMPTS {
        let lock = place.lock_shared(options.read_only, options.wait)?;
        let db = connect(place, options)?;
        let state = format::inspect(&db, &place.database)?;
        match state {
            State::Ready => {
                prepare(&db, place, options)?;
                return Ok(Opened { db, lock, aside });
            }
            State::Empty if options.read_only => return Err(Error::Missing(place.folder.clone())),
            State::Older(found) if options.read_only => {
                return Err(Error::Older { path: place.folder.clone(), found });
            }
            State::Damaged(detail) if options.read_only => {
                return Err(Error::Damaged { path: place.folder.clone(), detail });
            }
            _ => {}
        }
        drop(db);
        drop(lock);
        let _alone = place.lock_alone(options.wait)?;
        let db = connect(place, options)?;
        let state = format::inspect(&db, &place.database)?;
        drop(db);
        match state {
            State::Ready => continue,
            State::Empty => {}
            State::Older(_) | State::Damaged(_) => aside = Some(place.set_aside()?),
        }
        create(place, options)?;
    }
    Err(Error::Busy { path: place.folder.clone(), waited: options.wait })
}

/// A new, empty store where no database is. The caller holds the lock alone.
pub(crate) fn create(place: &Place, options: &Options) -> Result<Connection, Error> {
    let mut db = connect(place, options)?;
    let made = limit(&db, options).and_then(|()| format::create(&mut db));
    match made.map_err(|e| Error::database(&place.folder, "create", e)) {
        Ok(()) => Ok(db),
        Err(Error::Full { path, .. }) => Err(Error::Full { path, limit: options.max_bytes }),
        Err(e) => Err(e),
    }
}

fn connect(place: &Place, options: &Options) -> Result<Connection, Error> {
    let fail = |e| Error::database(&place.database, "open", e);
    if !options.read_only {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let db = Connection::open_with_flags(plain(&place.database), flags)
            .map_err(|e| unwritable(place, fail(e)))?;
        configure(&db, options).map_err(fail)?;
        // SQLite opens a file that cannot be written for reading only, and does not mention it.
        return match db.is_readonly("main") {
            Ok(false) => Ok(db),
            _ => Err(Error::ReadOnly(place.folder.clone())),
        };
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    if let Err(e) = File::open(&place.database) {
        return Err(Error::io(&place.database, "read", &e));
    }
    let db = Connection::open_with_flags(plain(&place.database), flags).map_err(fail)?;
    configure(&db, options).map_err(fail)?;
    // Reading a database with a log needs a writable folder, unless SQLite may believe that nobody writes.
    let readable = |db: &Connection| db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    let no_log = fs::metadata(place.log()).map_or(true, |log| log.len() == 0);
    match readable(&db).map_err(fail) {
        Err(Error::Io { .. } | Error::ReadOnly(_) | Error::NoPermission { .. }) if no_log => {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            let db = Connection::open_with_flags(immutable(&place.database), flags).map_err(fail)?;
            configure(&db, options).map_err(fail)?;
            Ok(db)
        }
        // What the log holds needs a folder where its index can be made.
        Err(Error::Io { .. } | Error::ReadOnly(_) | Error::NoPermission { .. }) => {
            Err(Error::NoPermission { path: place.log(), doing: "merge" })
        }
        // Damage is for `inspect` to judge.
        _ => Ok(db),
    }
}

/// SQLite only says that it cannot open the file. Usually somebody has to change permissions.
fn unwritable(place: &Place, error: Error) -> Error {
    match File::options().write(true).create(true).truncate(false).open(&place.database) {
        Err(e) => Error::io(&place.database, "write", &e),
        Ok(_) => error,
    }
}

/// Before the first look at the file: nothing here may read it.
fn configure(db: &Connection, options: &Options) -> rusqlite::Result<()> {
    db.busy_timeout(options.wait)?;
    // Otherwise a statement is compiled again whenever it is used with other keys.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The content of the file is not trusted.
    db.pragma_update(None, "trusted_schema", false)?;
    db.pragma_update(None, "cell_size_check", true)
}

fn prepare(db: &Connection, place: &Place, options: &Options) -> Result<(), Error> {
    if options.read_only {
        return Ok(());
    }
    let fail = |e| Error::database(&place.folder, "write", e);
    limit(db, options).map_err(fail)?;
    // A power failure may lose the last transactions, not tear them.
    db.pragma_update(None, "synchronous", "NORMAL").map_err(fail)?;
    let log = db.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
    match log.map_err(fail)?.as_str() {
        "wal" => Ok(()),
        // The mode can only be changed while nobody else is there; it is not worth waiting for.
        _ => {
            let _ = db.busy_timeout(Duration::ZERO);
            let _ = format::use_log(db);
            db.busy_timeout(options.wait).map_err(fail)
        }
    }
}

fn limit(db: &Connection, options: &Options) -> rusqlite::Result<()> {
    let Some(bytes) = options.max_bytes else { return Ok(()) };
    let page: i64 = db.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page.max(1);
    // A larger number than SQLite's own limit is taken as that limit.
    db.query_row(&format!("PRAGMA max_page_count = {}", pages.clamp(1, u32::MAX.into())), [], |_| Ok(()))
}

/// SQLite takes names that begin with `file:` for addresses; no name of ours begins like that.
pub(crate) fn plain(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

/// The address that promises SQLite an unchanging file.
fn immutable(path: &Path) -> PathBuf {
    let mut address = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => address.push(byte.into()),
            _ => address.push_str(&format!("%{byte:02x}")),
        }
    }
    address.push_str("?immutable=1");
    PathBuf::from(address)
}

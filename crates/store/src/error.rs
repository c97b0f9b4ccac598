//! Why a store cannot be used: what happened, where, and what to do about it.
//!
//! None of these is a reason to end a verification. The messages are complete sentences for a warning.

use crate::Id;
use crate::format::FORMAT;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// Something else has the name of the folder, or of the file in it.
    NotAFolder(PathBuf),
    NotAFile(PathBuf),
    /// There is no store, and none was to be made.
    Missing(PathBuf),
    NoPermission {
        path: PathBuf,
        doing: &'static str,
    },
    /// It can be read (`Options::read_only`), but not written.
    ReadOnly(PathBuf),
    /// The file is a database of another program.
    Foreign(PathBuf),
    Newer {
        path: PathBuf,
        found: u32,
    },
    Older {
        path: PathBuf,
        found: u32,
    },
    Damaged {
        path: PathBuf,
        detail: String,
    },
    Busy {
        path: PathBuf,
        waited: Duration,
    },
    Full {
        path: PathBuf,
        limit: Option<u64>,
    },
    TooLarge {
        id: Id,
        size: u64,
        limit: u64,
    },
    Io {
        path: PathBuf,
        doing: &'static str,
        detail: String,
    },
}

impl Error {
    /// The store is there and may be whole, but this process may not change it: reading can still work.
    pub fn is_about_writing(&self) -> bool {
        matches!(
            self,
            Error::NoPermission { .. } | Error::ReadOnly(_) | Error::Full { .. } | Error::Io { .. }
        )
    }

    pub(crate) fn io(path: &Path, doing: &'static str, error: &io::Error) -> Error {
        let path = path.to_path_buf();
        match error.kind() {
            io::ErrorKind::PermissionDenied => Error::NoPermission { path, doing },
            io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly(path),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full { path, limit: None },
            io::ErrorKind::NotADirectory => Error::NotAFolder(path),
            _ => Error::Io { path, doing, detail: error.to_string() },
        }
    }

    /// What the database said. Whatever it should not be able to say means that the file is not what we
    /// wrote.
    pub(crate) fn database(path: &Path, doing: &'static str, error: rusqlite::Error) -> Error {
        use rusqlite::ErrorCode as Code;
        let path = path.to_path_buf();
        let detail = error.to_string();
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked | Code::FileLockingProtocolFailed) => {
                Error::Busy { path, waited: Duration::ZERO }
            }
            Some(Code::DiskFull) => Error::Full { path, limit: None },
            Some(Code::ReadOnly) => Error::ReadOnly(path),
            Some(Code::PermissionDenied | Code::AuthorizationForStatementDenied) => {
                Error::NoPermission { path, doing }
            }
            Some(Code::CannotOpen | Code::SystemIoFailure | Code::OutOfMemory | Code::NoLargeFileSupport) => {
                Error::Io { path, doing, detail }
            }
            _ => Error::Damaged { path, detail },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAFolder(path) => write!(
                f,
                "the proof store {} is not a folder; name another one (--store DIR), or move what is there",
                path.display()
            ),
            Error::NotAFile(path) => {
                write!(f, "{} is not a file; remove it, or name another store (--store DIR)", path.display())
            }
            Error::Missing(path) => write!(
                f,
                "there is no proof store in {}; `reprove verify` makes one, --store DIR names another",
                path.display()
            ),
            Error::NoPermission { path, doing } => write!(
                f,
                "no permission to {doing} {}; change its permissions, or name another store (--store DIR)",
                path.display()
            ),
            Error::ReadOnly(path) => write!(
                f,
                "the proof store {} can be read but not written; make it writable, or name another store (--store DIR)",
                path.display()
            ),
            Error::Foreign(path) => write!(
                f,
                "{} is a database of another program; name another store (--store DIR)",
                path.display()
            ),
            Error::Newer { path, found } => write!(
                f,
                "the proof store {} was written by a newer version of reprove (format {found}, this one reads {FORMAT}); \
                 use that version, or name another store (--store DIR)",
                path.display()
            ),
            Error::Older { path, found } => write!(
                f,
                "the proof store {} was written by an older version of reprove (format {found}, this one reads {FORMAT}); \
                 the next run that may write will set it aside",
                path.display()
            ),
            Error::Damaged { path, detail } => write!(
                f,
                "the proof store {} is damaged ({detail}); `reprove store audit --fix` saves what is whole",
                path.display()
            ),
            Error::Busy { path, waited } => {
                write!(f, "another process is using the proof store {}", path.display())?;
                if *waited >= Duration::from_secs(1) {
                    write!(f, " (waited {} s)", waited.as_secs())?;
                }
                write!(f, "; try again when it is done, or name another store (--store DIR)")
            }
            Error::Full { path, limit: None } => write!(
                f,
                "no space left for the proof store {}; make room, for example with `reprove store gc --max-size 100M`",
                path.display()
            ),
            Error::Full { path, limit: Some(limit) } => write!(
                f,
                "the proof store {} has reached its limit of {limit} bytes; raise it, or use `reprove store gc`",
                path.display()
            ),
            Error::TooLarge { id, size, limit } => write!(
                f,
                "{id} is too large for the proof store ({size} bytes, at most {limit}); it was not stored"
            ),
            Error::Io { path, doing, detail } => write!(
                f,
                "cannot {doing} {}: {detail}; check the disk, or name another store (--store DIR)",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Error {}

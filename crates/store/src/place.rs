//! Where a store is: the folder, the files in it, and who may use them.
//!
//! A lock file says who has the database open: users share it, and whoever replaces the database holds it
//! alone. The system releases it when a process dies, however it dies. SQLite's own locks order the
//! transactions; they cannot protect the file from being renamed.

use crate::error::Error;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where the store is unless the user says otherwise.
pub const DEFAULT_FOLDER: &str = ".reprove";
/// The environment variable that names another folder.
pub const VARIABLE: &str = "REPROVE_STORE";

/// The folder that an option or else the environment variable names. `none` stands for no store at all.
pub fn folder(option: Option<PathBuf>, variable: Option<OsString>) -> Option<PathBuf> {
    let variable = variable.filter(|value| !value.is_empty()).map(PathBuf::from);
    let named = option.or(variable).unwrap_or_else(|| PathBuf::from(DEFAULT_FOLDER));
    (named.as_os_str() != "none").then_some(named)
}

pub(crate) struct Place {
    pub folder: PathBuf,
    pub database: PathBuf,
}

const DATABASE: &str = "store.db";
const ASIDE: &str = "store.db.aside";
const LOCK: &str = "lock";
/// What SQLite keeps beside a database. The log comes first: a new database must never meet an old log.
const COMPANIONS: [&str; 3] = ["-wal", "-journal", "-shm"];

impl Place {
    pub fn find(folder: &Path, create: bool) -> Result<Place, Error> {
        let place = Place { folder: folder.to_path_buf(), database: folder.join(DATABASE) };
        match fs::metadata(folder) {
            Ok(found) if !found.is_dir() => return Err(Error::NotAFolder(place.folder)),
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound && create => place.make_folder()?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(Error::Missing(place.folder)),
            Err(e) => return Err(Error::io(folder, "open", &e)),
        }
        match fs::metadata(&place.database) {
            Ok(found) if !found.is_file() => Err(Error::NotAFile(place.database)),
            Ok(_) => Ok(place),
            Err(e) if e.kind() == io::ErrorKind::NotFound && create => Ok(place),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Err(Error::Missing(place.folder)),
            Err(e) => Err(Error::io(&place.database, "open", &e)),
        }
    }

    fn make_folder(&self) -> Result<(), Error> {
        fs::create_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, "create", &e))?;
        // Version control should not see a cache. Only in a folder of our own making; nothing depends on it.
        let _ = fs::write(self.folder.join(".gitignore"), "*\n");
        Ok(())
    }

    /// Keeps others from replacing the database while the file lives. None where the lock cannot be had
    /// because nothing here can be written: then nobody like us can replace anything either.
    pub fn lock_shared(&self, read_only: bool, wait: Duration) -> Result<Option<File>, Error> {
        let path = self.folder.join(LOCK);
        let opened = match read_only {
            true => File::open(&path),
            false => File::options().read(true).write(true).create(true).truncate(false).open(&path),
        };
        let file = match opened {
            Ok(file) => file,
            Err(_) if read_only => return Ok(None),
            Err(e) => return Err(Error::io(&path, "write", &e)),
        };
        self.wait_for(file, File::try_lock_shared, wait)
    }

    pub fn lock_alone(&self, wait: Duration) -> Result<Option<File>, Error> {
        let path = self.folder.join(LOCK);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|e| Error::io(&path, "write", &e))?;
        self.wait_for(file, File::try_lock, wait)
    }

    fn wait_for(
        &self,
        file: File,
        attempt: impl Fn(&File) -> Result<(), TryLockError>,
        wait: Duration,
    ) -> Result<Option<File>, Error> {
        let start = Instant::now();
        loop {
            match attempt(&file) {
                Ok(()) => return Ok(Some(file)),
                // File systems without locks are used by one process at a time, or at the risk of lost
                // entries.
                Err(TryLockError::Error(_)) => return Ok(None),
                Err(TryLockError::WouldBlock) if start.elapsed() >= wait => {
                    return Err(Error::Busy { path: self.folder.clone(), waited: start.elapsed() });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Renames the database so that a new one can be made. The caller holds the lock alone.
    pub fn set_aside(&self) -> Result<PathBuf, Error> {
        let aside = self.folder.join(ASIDE);
        self.forget_aside()?;
        for suffix in COMPANIONS {
            move_if_there(&with_suffix(&self.database, suffix), &with_suffix(&aside, suffix))?;
        }
        move_if_there(&self.database, &aside)?;
        Ok(aside)
    }

    /// Removes what was set aside, and returns how many bytes that were.
    pub fn forget_aside(&self) -> Result<u64, Error> {
        let aside = self.folder.join(ASIDE);
        let mut bytes = 0;
        for suffix in COMPANIONS.into_iter().chain([""]) {
            let path = with_suffix(&aside, suffix);
            let size = fs::metadata(&path).map_or(0, |m| m.len());
            match fs::remove_file(&path) {
                Ok(()) => bytes += size,
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(Error::io(&path, "remove", &e)),
            }
        }
        Ok(bytes)
    }

    /// Bytes of the database with its log.
    pub fn bytes(&self) -> u64 {
        let size = |path: PathBuf| fs::metadata(path).map_or(0, |m| m.len());
        size(self.database.clone()) + size(self.log())
    }

    pub fn log(&self) -> PathBuf {
        with_suffix(&self.database, "-wal")
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

fn move_if_there(from: &Path, to: &Path) -> Result<(), Error> {
    match fs::rename(from, to) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::io(from, "rename", &e)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_folder() {
        let check = |option: Option<&str>, variable: Option<&str>, expected: Option<&str>| {
            let found = folder(option.map(PathBuf::from), variable.map(OsString::from));
            assert_eq!(found, expected.map(PathBuf::from), "{option:?} {variable:?}");
        };
        check(None, None, Some(".reprove"));
        check(None, Some(""), Some(".reprove"));
        check(None, Some("cache"), Some("cache"));
        check(Some("mine"), Some("cache"), Some("mine"));
        check(Some("none"), Some("cache"), None);
        check(None, Some("none"), None);
        check(Some("./none"), None, Some("./none"));
    }
}

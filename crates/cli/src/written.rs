//! Files for others: there whole, or not at all.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes beside the file and then renames, so that whoever ends the process, and when, there is no half of a
/// file. What is no ordinary file (a terminal, a pipe, a link) is written as it is.
pub fn write(file: &Path, text: &str) -> Result<(), String> {
    let ordinary = std::fs::symlink_metadata(file).map_or(true, |known| known.is_file());
    let done = if ordinary { replace(file, text) } else { std::fs::write(file, text) };
    done.map_err(|e| format!("cannot write {}: {e}", file.display()))
}

fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let known = match std::fs::OpenOptions::new().write(true).open(file) {
        Ok(open) => Some(open.metadata()?.permissions()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As for any new file; the user's mask takes away what it takes away.
    let usual = Permissions::from_mode(0o666);
    let Ok(mut beside) = tempfile::Builder::new().permissions(usual).tempfile_in(folder) else {
        // A folder in which nothing can be made may still have a file that can be written; if not, that is
        // the message.
        return std::fs::write(file, text);
    };
    beside.write_all(text.as_bytes())?;
    if let Some(permissions) = known {
        beside.as_file().set_permissions(permissions)?;
    }
    beside.persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, text: &str| {
            let file = folder.path().join(name);
            write(&file, text).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        };
        check("a", "one\n");
        check("a", "two\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let missing = write(&folder.path().join("no/such"), "text").unwrap_err();
        assert!(missing.contains("cannot write"), "{missing}");
    }
}

//! Stores that cannot be used as asked: what happened, where, and what to do.

use crate::{artefact, key, open, process};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use store::{Error, Options, Store};

const READ_ONLY: fn() -> Options = || Options { read_only: true, ..Options::default() };

fn check(folder: &Path, options: Options, expected: &[&str]) -> Error {
    let Err(error) = Store::open(folder, options) else { panic!("it opens; expected {expected:?}") };
    let text = error.to_string();
    for part in expected.iter().copied().chain([folder.to_str().unwrap()]) {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
    error
}

fn change(folder: &Path, sql: &str) {
    Connection::open(folder.join("store.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn something_else_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    for options in [Options::default(), READ_ONLY()] {
        check(&file, options.clone(), &["is not a folder", "--store DIR"]);
        check(&file.join("below"), options, &["is not a folder"]);
    }
    fs::create_dir(folder.path().join("store.db")).unwrap();
    check(folder.path(), Options::default(), &["store.db is not a file"]);
    assert_eq!(fs::read(&file).unwrap(), b"text");
}

#[test]
fn nothing_is_there() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("new"), folder.path().to_path_buf()] {
        check(&path, READ_ONLY(), &["there is no proof store in", "--store DIR names another"]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "looking leaves no trace");
}

#[test]
fn other_versions() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).put(&artefact("summary", 1)).unwrap();
    change(folder.path(), "PRAGMA user_version = 7");
    for options in [Options::default(), READ_ONLY()] {
        let error = check(folder.path(), options, &["newer version of reprove (format 7, this one reads 2)"]);
        assert!(!error.is_about_writing());
    }
    let (store, error) = Store::open_as_possible(folder.path(), Options::default());
    assert!(store.is_none() && matches!(error, Some(Error::Newer { found: 7, .. })));

    change(folder.path(), "PRAGMA user_version = 0");
    check(folder.path(), READ_ONLY(), &["older version of reprove (format 0, this one reads 2)"]);
    let store = open(folder.path());
    assert!(store.set_aside().is_some_and(|path| path.exists()));
    assert_eq!(store.get("summary", &key(1)), None);
    store.put(&artefact("summary", 1)).unwrap();
    drop(store);
    let store = open(folder.path());
    assert_eq!(store.set_aside(), None);
    assert_eq!(store.get("summary", &key(1)), Some(artefact("summary", 1)));
    assert!(store.gc(&store::Gc::default()).unwrap().aside > 0);
    assert_eq!(store.gc(&store::Gc::default()).unwrap().aside, 0);
}

#[test]
fn databases_of_others() {
    let folder = tempfile::tempdir().unwrap();
    change(folder.path(), "CREATE TABLE mine(x); INSERT INTO mine VALUES(42)");
    check(folder.path(), Options::default(), &["is a database of another program"]);
    check(folder.path(), READ_ONLY(), &["is a database of another program"]);
    change(folder.path(), "PRAGMA application_id = 5; INSERT INTO mine VALUES(43)");
    check(folder.path(), Options::default(), &["is a database of another program"]);
}

#[test]
fn no_database_at_all() {
    for content in [
        &b"not a database, but quite a long text instead; it has more than a hundred bytes, as a header has"
            [..],
        &[0x55; 5000],
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("store.db"), content).unwrap();
        check(folder.path(), READ_ONLY(), &["is damaged (", "`reprove store audit --fix`"]);
        let store = open(folder.path());
        assert_eq!(fs::read(store.set_aside().unwrap()).unwrap(), content);
        store.put(&artefact("summary", 1)).unwrap();
    }
}

#[test]
fn truncated() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).put(&artefact("summary", 1)).unwrap();
    let whole = fs::read(folder.path().join("store.db")).unwrap();
    let lengths = [0, 1, 50, 99, 100, 512, 4096, 5000, whole.len() - 4096, whole.len() - 1];
    for length in lengths {
        fs::write(folder.path().join("store.db"), &whole[..length]).unwrap();
        let store = open(folder.path());
        let found = store.get("summary", &key(1));
        assert!(found.is_none_or(|found| found == artefact("summary", 1)), "{length} bytes");
        assert!(
            store.audit(true).is_ok_and(|audit| audit.findings.is_empty() || audit.fixed),
            "{length} bytes"
        );
        store.put(&artefact("summary", 2)).unwrap();
        assert_eq!(store.get("summary", &key(2)), Some(artefact("summary", 2)), "{length} bytes");
    }
}

#[test]
fn too_large() {
    let id = store::Id::new("summary", key(1));
    let error = Error::TooLarge { id, size: 1 << 30, limit: store::MAX_PAYLOAD };
    assert!(
        error.to_string().contains("is too large for the proof store (1073741824 bytes, at most 536870912)")
    );
}

#[test]
fn full() {
    let folder = tempfile::tempdir().unwrap();
    let options = |bytes| Options { max_bytes: Some(bytes), ..Options::default() };
    check(folder.path(), options(5000), &["has reached its limit of 5000 bytes", "`reprove store gc`"]);
    // The attempt left nothing that stands in the way.
    let store = Store::open(folder.path(), options(100_000)).unwrap();
    let error = (0..1000).find_map(|n| store.put(&artefact("summary", n)).err()).unwrap();
    assert!(error.to_string().contains("has reached its limit of 100000 bytes"), "{error}");
    let count = store.list(None, None).unwrap().len();
    assert!(count > 10, "{count}");
    assert_eq!(store.audit(false).unwrap().findings, []);
    store.gc(&store::Gc { max_bytes: Some(1000), ..Default::default() }).unwrap();
    store.put(&artefact("summary", 5000)).unwrap();
}

/// The child: opens the store in the ways a verification does, and says what it got.
pub fn open_and_tell(folder: &Path) {
    let (store, error) = Store::open_as_possible(folder, Options::default());
    if let Some(error) = error {
        println!("\nerror: {error}");
    }
    let Some(store) = store else {
        let reading = Store::open(folder, READ_ONLY()).err();
        return println!("\nno store. {}", reading.map(|e| e.to_string()).unwrap_or_default());
    };
    println!("\nread only: {}.", store.is_read_only());
    println!("\nfound: {}.", store.get("summary", &key(1)) == Some(artefact("summary", 1)));
    match store.put(&artefact("summary", 2)) {
        Ok(()) => println!("\nput."),
        Err(e) => println!("\nput error: {e}"),
    }
    println!("\nfindings: {}.", store.audit(false).unwrap().findings.len());
}

/// The child's words, as a user whom permissions concern.
fn told_without_privileges(folder: &Path) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let mode = |path: &Path, bits| fs::set_permissions(path, Permissions::from_mode(bits)).unwrap();
    let mut command = process("open", folder);
    let closed = scratch.path().join("closed");
    fs::create_dir(&closed).unwrap();
    mode(&closed, 0o555);
    if fs::write(closed.join("file"), "").is_ok() {
        // The superuser may do anything, so somebody else has to try, with a copy of this program that they
        // can reach.
        mode(scratch.path(), 0o755);
        let copy = scratch.path().join("suite");
        fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
        let arguments: Vec<_> = command.get_args().map(|a| a.to_os_string()).collect();
        let variables: Vec<_> =
            command.get_envs().filter_map(|(k, v)| Some((k.to_os_string(), v?.to_os_string()))).collect();
        command = Command::new(copy);
        command.args(arguments).envs(variables).current_dir("/").uid(65534).gid(65534);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn check_told(folder: &Path, expected: &[&str]) {
    let text = told_without_privileges(folder);
    for part in expected {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
}

#[test]
fn permissions() {
    let outer = tempfile::tempdir().unwrap();
    let mode = |path: &Path, bits| fs::set_permissions(path, Permissions::from_mode(bits)).unwrap();
    mode(outer.path(), 0o755);
    // Nowhere to make a store.
    mode(outer.path(), 0o555);
    check_told(&outer.path().join("new"), &["error: no permission to create", "--store DIR", "no store."]);
    mode(outer.path(), 0o755);
    let folder = outer.path().join("store");
    open(&folder).put(&artefact("summary", 1)).unwrap();
    mode(&folder, 0o555);
    for name in ["store.db", "lock"] {
        mode(&folder.join(name), 0o444);
    }
    let reading =
        ["read only: true.", "found: true.", "put error: ", "can be read but not written", "findings: 0."];
    check_told(&folder, &reading);
    check_told(&folder, &["error: no permission to write", "/lock; change its permissions"]);
    // A killed process left a log, and nobody may merge it.
    let killed = outer.path().join("killed");
    let store = open(&killed);
    store.put(&artefact("summary", 1)).unwrap();
    let log = fs::read(killed.join("store.db-wal")).unwrap();
    drop(store);
    fs::write(killed.join("store.db-wal"), log).unwrap();
    mode(&killed, 0o555);
    check_told(
        &killed,
        &["error: no permission to write", "no store. no permission to merge", "store.db-wal"],
    );
    // The folder can be written, the database cannot.
    mode(&folder, 0o777);
    mode(&folder.join("lock"), 0o666);
    check_told(&folder, &reading);
    check_told(&folder, &["error: the proof store", "can be read but not written"]);
    // Not even reading.
    mode(&folder.join("store.db"), 0o000);
    check_told(&folder, &["error: no permission to write", "store.db", "no store."]);
    mode(&folder.join("store.db"), 0o644);
    mode(&folder, 0o000);
    check_told(&folder, &["error: no permission to open", "no store."]);
    mode(&folder, 0o755);
}

#[test]
fn the_system_stops_writing() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path()).put(&artefact("summary", 1)).unwrap();
    let child = process("open", folder.path());
    // With the signal ignored, writing beyond the limit is an error of the system, as a broken disk is.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]).arg(child.get_program());
    command.args(child.get_args()).envs(child.get_envs().filter_map(|(k, v)| Some((k, v?))));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("error: cannot "), "{text}");
    let store = open(folder.path());
    assert_eq!(store.get("summary", &key(1)), Some(artefact("summary", 1)));
    assert_eq!(store.audit(false).unwrap().findings, []);
}

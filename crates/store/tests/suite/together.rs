//! Several processes and threads at once: they wait for each other, and nothing is lost.

use crate::{artefact, key, open, process};
use rusqlite::Connection;
use std::path::Path;
use std::time::{Duration, Instant};
use store::{Error, Options, Store};

/// The child: its own entries, and one that all want.
pub fn fill(folder: &Path, first: u64) {
    let store = open(folder);
    for n in first..first + 50 {
        store.put(&artefact("own", n)).unwrap();
        store.put(&artefact("common", 0)).unwrap();
        assert_eq!(store.get("common", &key(0)), Some(artefact("common", 0)));
    }
}

#[test]
fn processes() {
    let folder = crate::scratch();
    // The first thing all of them do is to make the store.
    let path = folder.path().join("new/.reprove");
    let start = |n: u64| process(&format!("fill {}", n * 1000), &path).spawn().unwrap();
    let children: Vec<_> = (0..4).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = open(&path);
    assert_eq!(store.list(Some("own"), None).unwrap().len(), 200);
    assert_eq!(store.list(Some("common"), None).unwrap().len(), 1);
    assert_eq!(store.audit(false).unwrap().findings, []);
}

#[test]
fn threads() {
    let folder = crate::scratch();
    let store = open(folder.path());
    std::thread::scope(|scope| {
        for n in 0..4 {
            let store = &store;
            scope.spawn(move || (0..25).for_each(|i| store.put(&artefact("own", n * 100 + i)).unwrap()));
        }
    });
    assert_eq!(store.list(None, None).unwrap().len(), 100);
}

#[test]
fn waiting_has_an_end() {
    let folder = crate::scratch();
    let options = Options { wait: Duration::from_millis(50), ..Options::default() };
    let store = Store::open(folder.path(), options.clone()).unwrap();
    store.put(&artefact("summary", 1)).unwrap();
    let other = Connection::open(folder.path().join("store.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = store.put(&artefact("summary", 2)).unwrap_err();
    assert_eq!(error, Error::Busy { path: folder.path().into(), waited: options.wait });
    // Reading does not wait for writers, and a new process can open the store.
    assert_eq!(store.get("summary", &key(1)), Some(artefact("summary", 1)));
    let second = Store::open(folder.path(), options).unwrap();
    assert_eq!(second.get("summary", &key(1)), Some(artefact("summary", 1)));
    other.execute_batch("ROLLBACK").unwrap();
    store.put(&artefact("summary", 2)).unwrap();
    assert_eq!(second.get("summary", &key(2)), Some(artefact("summary", 2)));
}

#[test]
fn waiting_is_rewarded() {
    let folder = crate::scratch();
    let store = open(folder.path());
    let other = Connection::open(folder.path().join("store.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| store.put(&artefact("summary", 1)).unwrap());
        std::thread::sleep(Duration::from_millis(100));
        other.execute_batch("COMMIT").unwrap();
    });
    assert!(start.elapsed() >= Duration::from_millis(100));
    assert_eq!(store.get("summary", &key(1)), Some(artefact("summary", 1)));
}

#[test]
fn nobody_loses_the_database_while_using_it() {
    let folder = crate::scratch();
    let user = open(folder.path());
    user.put(&artefact("summary", 1)).unwrap();
    let options = Options { wait: Duration::from_millis(50), ..Options::default() };
    let repairer = Store::open(folder.path(), options).unwrap();
    let db = Connection::open(folder.path().join("store.db")).unwrap();
    // A table without its index can only be repaired by a new database.
    db.execute_batch(
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'artefact_label';
         PRAGMA schema_version = 1000;",
    )
    .unwrap();
    drop(db);
    assert!(!repairer.audit(false).unwrap().findings.is_empty());
    assert!(matches!(repairer.audit(true), Err(Error::Busy { .. })));
    drop(user);
    assert!(repairer.audit(true).unwrap().fixed);
    repairer.put(&artefact("summary", 2)).unwrap();
    assert_eq!(repairer.audit(false).unwrap().findings, []);
}

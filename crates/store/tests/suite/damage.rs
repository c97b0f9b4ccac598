//! Files that are not what was written: an entry is exactly what was put, or it is absent.

use crate::{Random, artefact, key, open};
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};
use store::{Artefact, Options, Problem, Store};

/// The files of a store with two kinds of content: what is in the database, and what is only in its log.
struct Original {
    artefacts: Vec<Artefact>,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Original {
    fn new() -> Original {
        let folder = crate::scratch();
        let mut artefacts: Vec<Artefact> = (0..40).map(|n| artefact("summary", n)).collect();
        // Compression leaves these large, so that they span pages.
        artefacts.extend((40..44).map(|n| {
            let mut random = Random(n);
            let noise = (0..7_000).map(|_| random.next() as u8).collect();
            Artefact::new("large", key(n), noise).label("f").link(artefact("summary", n - 40).id)
        }));
        let (early, late) = artefacts.split_at(30);
        open(folder.path()).put_all(early).unwrap();
        let store = open(folder.path());
        store.put_all(late).unwrap();
        // Copied while it is open: a process that was killed leaves its log.
        let names = ["store.db", "store.db-wal", "store.db-shm"];
        let files = names.map(|name| (PathBuf::from(name), fs::read(folder.path().join(name)).unwrap()));
        assert!(files[1].1.len() > 10_000, "the log has content");
        Original { artefacts, files: files.into() }
    }

    fn write(&self, folder: &Path) {
        for (name, bytes) in &self.files {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let length = bytes.len() as u64;
    match random.below(10) {
        0 => bytes.truncate(random.below(length) as usize),
        1 => {
            let page = (random.below(length) & !4095) as usize;
            let end = bytes.len().min(page + 4096);
            bytes[page..end].fill(random.next() as u8);
        }
        // In the first page are the header and the schema; otherwise it would hardly ever be hit.
        2 | 3 => bytes[random.below(length.min(4096)) as usize] ^= 1 << random.below(8),
        n => (0..n).for_each(|_| bytes[random.below(length) as usize] ^= 1 << random.below(8)),
    }
}

fn check_gets(store: &Store, original: &Original, context: &str) -> u64 {
    let mut present = 0;
    for expected in &original.artefacts {
        if let Some(found) = store.get(&expected.id.kind, &expected.id.key) {
            assert_eq!(&found, expected, "{context}");
            present += 1;
        }
    }
    present
}

fn check(rounds: u64, seed: u64) {
    let original = Original::new();
    let mut random = Random(seed);
    let (mut present, mut noticed, mut saved) = (0, 0, 0);
    for round in 0..rounds {
        let folder = crate::scratch();
        original.write(folder.path());
        let (name, bytes) = &original.files[random.below(8).saturating_sub(5) as usize];
        let mut bytes = bytes.clone();
        damage(&mut bytes, &mut random);
        fs::write(folder.path().join(name), &bytes).unwrap();
        let context = format!("round {round}, {}", name.display());

        let read_only = Options { read_only: true, ..Options::default() };
        if let Ok(store) = Store::open(folder.path(), read_only) {
            check_gets(&store, &original, &context);
            let _ = (round % 4 == 0).then(|| store.audit(false));
        }
        // Refused is fine: the header may now claim another program or version.
        let Ok(store) = Store::open(folder.path(), Options::default()) else {
            noticed += 1;
            continue;
        };
        present += check_gets(&store, &original, &context);
        let asked = [(None, None), (Some("large"), None), (None, Some("f3")), (Some("summary"), Some("f"))];
        let listed = asked.map(|(kind, label)| {
            let entries = store.list(kind, label).unwrap_or_default();
            assert!(entries.iter().all(|e| kind.is_none_or(|k| e.id.kind == k)), "{context}");
            assert!(entries.iter().all(|e| label.is_none_or(|l| e.label == l)), "{context}");
            entries
        });
        for entry in listed.iter().flatten() {
            let known = original.artefacts.iter().any(|a| a.id == entry.id && a.label == entry.label);
            assert!(known, "{context}: {entry:?}");
        }
        let new = artefact("new", 1000 + round);
        if store.put(&new).is_ok() {
            let found = store.get("new", &new.id.key);
            assert!(found.is_none_or(|found| found == new), "{context}");
        }
        let before = store.audit(false).unwrap();
        noticed += u64::from(!before.findings.is_empty() || store.set_aside().is_some());
        let fixed = store.audit(true).unwrap();
        assert!(fixed.fixed, "{context}: {fixed:?}");
        store.put(&new).unwrap();
        assert_eq!(store.get("new", &new.id.key), Some(new), "{context}");
        drop(store);
        let store = open(folder.path());
        assert_eq!(store.audit(false).unwrap().findings, [], "{context}");
        saved += check_gets(&store, &original, &context);
    }
    let all = rounds * original.artefacts.len() as u64;
    assert!(present * 2 > all && saved * 2 > all, "most survives: {present}, then {saved}, of {all}");
    assert!(noticed * 5 > rounds, "damage is done: noticed {noticed} of {rounds}");
}

#[test]
fn damaged_files() {
    check(100, 1);
}

/// `cargo test -p store --test suite -- --ignored damaged_files_2000`
#[test]
#[ignore = "takes about a minute"]
fn damaged_files_2000() {
    check(2000, 2);
}

/// The child: repairs.
pub fn repair(folder: &Path) {
    // Killed later if not earlier.
    println!("\n{:?}", open(folder).audit(true).is_ok());
    std::thread::sleep(std::time::Duration::from_secs(60));
}

#[test]
fn killed_repairs() {
    let original = Original::new();
    let mut random = Random(3);
    for round in 0..10 {
        let folder = crate::scratch();
        original.write(folder.path());
        let (name, bytes) = &original.files[0];
        let mut bytes = bytes.clone();
        // A page in the middle of the tables, so that the whole database has to be written anew.
        let end = bytes.len() - 4096 * (1 + random.below(4)) as usize;
        bytes[end - 4096..end].fill(0x5a);
        fs::write(folder.path().join(name), &bytes).unwrap();
        let mut child =
            crate::process("repair", folder.path()).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(random.below(60_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let store = open(folder.path());
        check_gets(&store, &original, &format!("round {round}"));
        let audit = store.audit(true).unwrap();
        assert!(audit.findings.is_empty() || audit.fixed, "round {round}: {audit:?}");
        check_gets(&store, &original, &format!("round {round}"));
    }
}

/// Changes behind the store's back that leave a valid database must not pass for what was put.
fn check_tampering(sql: &str, expected: &[Problem]) {
    let folder = crate::scratch();
    let (first, second) = (artefact("summary", 1), artefact("summary", 2));
    open(folder.path()).put_all(&[first.clone(), second.clone()]).unwrap();
    Connection::open(folder.path().join("store.db")).unwrap().execute_batch(sql).unwrap();
    let store = open(folder.path());
    let found = [&first, &second].map(|a| store.get("summary", &a.id.key));
    for (found, put) in found.iter().zip([&first, &second]) {
        assert!(found.is_none() || found.as_ref() == Some(put), "{sql}");
    }
    let problems: Vec<Problem> = store.audit(true).unwrap().findings.into_iter().map(|f| f.problem).collect();
    assert_eq!(problems, expected, "{sql}");
    assert_eq!(store.audit(false).unwrap().findings, [], "{sql}");
}

#[test]
fn tampering() {
    let both = |problem: Problem| [problem.clone(), problem];
    let other =
        "UPDATE artefact SET payload = (SELECT b.payload FROM artefact b WHERE b.rowid = 2) WHERE rowid = 1";
    check_tampering(other, &[Problem::Metadata]);
    check_tampering("UPDATE artefact SET label = 'g' WHERE rowid = 1", &[Problem::Metadata]);
    check_tampering("UPDATE artefact SET key = zeroblob(32) WHERE rowid = 1", &[Problem::Metadata]);
    check_tampering("UPDATE artefact SET kind = 'verdict' WHERE rowid = 2", &[Problem::Metadata]);
    check_tampering("UPDATE artefact SET size = 1 << 60", &both(Problem::Metadata));
    check_tampering("UPDATE artefact SET created = 'yesterday'", &both(Problem::Metadata));
    check_tampering("UPDATE artefact SET used = 'yesterday'", &[]);
    check_tampering("DELETE FROM payload WHERE rowid = 1", &[Problem::NoPayload]);
    check_tampering("UPDATE payload SET data = zeroblob(10) WHERE rowid = 1", &[Problem::Payload]);
    check_tampering("UPDATE payload SET data = 'text'", &both(Problem::Payload));
    let swapped =
        "UPDATE payload SET data = (SELECT b.data FROM payload b WHERE b.rowid = 2) WHERE rowid = 1";
    check_tampering(swapped, &[Problem::Payload]);
}

#[test]
fn damaged_payloads_are_replaced_by_good_ones() {
    let folder = crate::scratch();
    let put = artefact("summary", 1);
    open(folder.path()).put(&put).unwrap();
    let db = Connection::open(folder.path().join("store.db")).unwrap();
    db.execute("UPDATE payload SET data = zeroblob(9)", []).unwrap();
    drop(db);
    let store = open(folder.path());
    assert_eq!(store.get("summary", &put.id.key), None);
    assert_eq!(store.counters().damaged, 1);
    assert!(store.counters().trouble.unwrap().contains("the payload fails its checksum"));
    store.put(&put).unwrap();
    assert_eq!(store.get("summary", &put.id.key), Some(put));
}

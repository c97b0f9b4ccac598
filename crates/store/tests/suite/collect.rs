//! What a collection removes and keeps. Entries are written as `name@time` or `name@time>link,link`; names
//! that start with a capital letter are of the kind `root`.

use crate::{key, open};
use std::cell::Cell;
use std::path::Path;
use std::time::Duration;
use store::{Artefact, Gc, Id, Key, Options, Problem, Store};

thread_local! {
    static TIME: Cell<u64> = const { Cell::new(0) };
}

fn clocked(folder: &Path) -> Store {
    Store::open(folder, Options { clock: || TIME.get(), ..Options::default() }).unwrap()
}

fn id(name: &str) -> Id {
    let kind = if name.starts_with(char::is_uppercase) { "root" } else { "part" };
    Id::new(kind, Key::of(&[name.as_bytes()]))
}

/// All payloads are stored in the same number of bytes.
const EACH: u64 = 100;

fn fill(store: &Store, entries: &str) {
    for entry in entries.split_whitespace() {
        let (name, rest) = entry.split_once('@').unwrap();
        let (time, links) = rest.split_once('>').unwrap_or((rest, ""));
        TIME.set(time.parse().unwrap());
        let mut random = crate::Random(name.bytes().map(u64::from).sum());
        let payload = (0..EACH - 9).map(|_| random.next() as u8).collect();
        let artefact = Artefact { id: id(name), label: name.into(), payload, links: Vec::new() };
        let links = links.split(',').filter(|l| !l.is_empty());
        store.put(&links.fold(artefact, |artefact, link| artefact.link(id(link)))).unwrap();
        assert_eq!(store.list(None, Some(name)).unwrap()[0].stored, EACH);
    }
}

fn names(store: &Store) -> String {
    let mut names: Vec<String> = store.list(None, None).unwrap().into_iter().map(|e| e.label).collect();
    names.sort();
    names.join(" ")
}

fn check(entries: &str, rules: Gc, kept: &str) {
    let folder = crate::scratch();
    let store = clocked(folder.path());
    fill(&store, entries);
    TIME.set(100);
    let planned = store.gc(&Gc { dry_run: true, ..rules.clone() }).unwrap();
    assert_eq!(names(&store).split(' ').count(), entries.split_whitespace().count(), "nothing happened yet");
    let done = store.gc(&rules).unwrap();
    assert_eq!(planned, done);
    assert_eq!(names(&store), kept, "{entries} {rules:?}");
    assert_eq!(done.kept, store.list(None, None).unwrap().len() as u64);
    assert_eq!(done.after, store.statistics().unwrap().stored);
    assert_eq!(store.audit(false).unwrap().findings, [], "no link leads to what was removed");
}

#[test]
fn by_age() {
    let older = |ms| Gc { older_than: Some(Duration::from_millis(ms)), ..Gc::default() };
    check("a@1 b@2 c@50 d@100", older(50), "c d");
    check("a@1 b@2", older(1000), "a b");
    check("a@1 b@99", older(0), "");
    // What a young one needs is young.
    check("a@1 b@2>a c@3 D@90>b", older(50), "D a b");
    check("a@1>b b@2>a c@3", older(97), "c");
    check("a@1>b b@90>a", older(50), "a b");
}

#[test]
fn by_size() {
    let most = |entries| Gc { max_bytes: Some(entries * EACH), ..Gc::default() };
    check("a@1 b@2 c@3 d@4", most(2), "c d");
    check("a@4 b@3 c@2 d@1", most(2), "a b");
    check("a@1 b@2", most(2), "a b");
    check("a@1 b@2", most(0), "");
    check("a@1 b@2 c@3>a", most(2), "a c");
    // Users go before what they use, also when they are equally old.
    check("a@1 B@1>a C@1>a", most(2), "B a");
    check("a@1>b b@1>c c@1>a d@1", most(2), "d");
    check("a@1 b@5>a c@3", most(1), "a");
}

#[test]
fn by_reachability() {
    let roots = || Gc { roots: vec!["root".into()], ..Gc::default() };
    check("a@1 b@2 C@3>a", roots(), "C a");
    check("a@1 b@2>a c@3>b D@4>b", roots(), "D a b");
    check("a@1>b b@2>a", roots(), "");
    check("A@1 B@2", roots(), "A B");
    check("a@1 b@2 C@3>a D@50>b", Gc { older_than: Some(Duration::from_millis(60)), ..roots() }, "D b");
}

#[test]
fn uses_keep_alive() {
    let folder = crate::scratch();
    let store = clocked(folder.path());
    fill(&store, "a@1 b@2");
    TIME.set(50);
    assert!(store.get("part", &id("a").key).is_some());
    drop(store);
    let store = clocked(folder.path());
    assert_eq!(store.list(None, Some("a")).unwrap()[0].used, 50);
    assert_eq!(store.list(None, Some("a")).unwrap()[0].created, 1);
    TIME.set(100);
    let done = store.gc(&Gc { older_than: Some(Duration::from_millis(60)), ..Gc::default() }).unwrap();
    assert_eq!(done.removed.iter().map(|e| e.label.as_str()).collect::<Vec<_>>(), ["b"]);
    assert_eq!(names(&store), "a");
}

#[test]
fn the_file_shrinks() {
    let folder = crate::scratch();
    let store = open(folder.path());
    let mut random = crate::Random(1);
    for n in 0..50 {
        let noise = (0..20_000).map(|_| random.next() as u8).collect();
        store.put(&Artefact::new("large", key(n), noise)).unwrap();
    }
    let before = store.statistics().unwrap().file;
    store.gc(&Gc { max_bytes: Some(50_000), ..Gc::default() }).unwrap();
    let after = store.statistics().unwrap().file;
    assert!(before > 1_000_000 && after < 150_000, "{before} -> {after}");
}

#[test]
fn links_to_nothing_are_found_and_removed() {
    let folder = crate::scratch();
    let store = clocked(folder.path());
    fill(&store, "a@1 b@2>a c@3>b d@4>d e@5");
    assert_eq!(store.remove("part", &id("a").key), Ok(true));
    let audit = store.audit(false).unwrap();
    let found: Vec<_> = audit.findings.iter().map(|f| (f.label.as_str(), f.problem.clone())).collect();
    assert_eq!(found, [("b", Problem::Link(id("a"))), ("c", Problem::Link(id("b")))]);
    assert_eq!((audit.entries, audit.whole, audit.fixed), (4, 2, false));
    assert!(store.audit(true).unwrap().fixed);
    assert_eq!(names(&store), "d e");
}

//! The store behaves as a map that survives reopening.

use crate::{key, open};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use store::{Artefact, Id};

#[derive(Clone, Debug)]
enum Step {
    Put(Vec<Artefact>),
    Remove(Id),
    Get(Id),
    Reopen,
    Collect,
    /// Puts and gets in a batch, of which each is an operation of its own.
    Batch(Vec<(Artefact, Id)>),
}

fn id() -> impl Strategy<Value = Id> {
    ("[ab]", 0..6u64).prop_map(|(kind, n)| Id::new(kind, key(n)))
}

fn artefact() -> impl Strategy<Value = Artefact> {
    // Few payloads, so that some are shared; every text is a label, also none and those with odd characters.
    let payload = prop_oneof![
        (0..3u8).prop_map(|n| vec![n; 10]),
        Just(Vec::new()),
        proptest::collection::vec(any::<u8>(), 0..9000),
    ];
    let label = prop_oneof![Just("f".to_string()), any::<String>()];
    (id(), label, payload, proptest::collection::vec(id(), 0..3))
        .prop_map(|(id, label, payload, links)| Artefact { id, label, payload, links })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => proptest::collection::vec(artefact(), 0..4).prop_map(Step::Put),
        2 => id().prop_map(Step::Remove),
        3 => id().prop_map(Step::Get),
        1 => Just(Step::Reopen),
        1 => Just(Step::Collect),
        2 => proptest::collection::vec((artefact(), id()), 0..6).prop_map(Step::Batch),
    ]
}

fn check(steps: Vec<Step>) {
    let folder = crate::scratch();
    let mut store = open(folder.path());
    let mut model: BTreeMap<Id, Artefact> = BTreeMap::new();
    for step in steps {
        match step {
            Step::Put(all) => {
                store.put_all(&all).unwrap();
                model.extend(all.into_iter().map(|a| (a.id.clone(), a)));
            }
            Step::Remove(id) => {
                assert_eq!(store.remove(&id.kind, &id.key), Ok(model.remove(&id).is_some()));
            }
            Step::Get(id) => assert_eq!(store.get(&id.kind, &id.key).as_ref(), model.get(&id)),
            Step::Reopen => {
                drop(store);
                store = open(folder.path());
            }
            Step::Batch(all) => {
                let _batch = store.batch();
                for (artefact, asked) in all {
                    store.put(&artefact).unwrap();
                    model.insert(artefact.id.clone(), artefact);
                    assert_eq!(store.get(&asked.kind, &asked.key).as_ref(), model.get(&asked));
                }
                assert_eq!(store.list(None, None).unwrap().len(), model.len());
            }
            // Without rules, nothing goes that anybody could ask for.
            Step::Collect => assert_eq!(store.gc(&store::Gc::default()).unwrap().removed, []),
        }
    }
    drop(store);
    let store = open(folder.path());
    for (id, artefact) in &model {
        assert_eq!(store.get(&id.kind, &id.key).as_ref(), Some(artefact));
    }
    for kind in [None, Some("a"), Some("b"), Some("c")] {
        for label in [None, Some("f"), Some("")] {
            let wanted =
                |a: &&Artefact| kind.is_none_or(|k| a.id.kind == k) && label.is_none_or(|l| a.label == l);
            let expected: BTreeSet<&Id> = model.values().filter(wanted).map(|a| &a.id).collect();
            let listed = store.list(kind, label).unwrap();
            assert_eq!(listed.iter().map(|e| &e.id).collect::<BTreeSet<_>>(), expected);
            assert_eq!(listed.len(), expected.len());
            for entry in &listed {
                let artefact = &model[&entry.id];
                assert_eq!((&entry.label, &entry.links), (&artefact.label, &artefact.links));
                assert_eq!(entry.size, artefact.payload.len() as u64);
            }
        }
    }
    let statistics = store.statistics().unwrap();
    let payloads: BTreeSet<&Vec<u8>> = model.values().map(|a| &a.payload).collect();
    assert_eq!(statistics.entries, model.len() as u64);
    assert_eq!(
        statistics.payloads,
        payloads.len() as u64,
        "equal payloads are stored once, unused ones not at all"
    );
    assert_eq!(store.counters().damaged + store.counters().failed, 0);
    let dangling = |a: &Artefact| a.links.iter().any(|id| !model.contains_key(id));
    assert_eq!(store.audit(false).unwrap().findings.is_empty(), !model.values().any(dangling));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn is_a_map(steps in proptest::collection::vec(step(), 0..25)) {
        check(steps);
    }
}

#[test]
fn all_or_nothing() {
    let folder = crate::scratch();
    let options = store::Options { max_bytes: Some(200_000), ..Default::default() };
    let store = store::Store::open(folder.path(), options).unwrap();
    store.put(&crate::artefact("small", 1)).unwrap();
    let mut random = crate::Random(1);
    let noise = (0..300_000).map(|_| random.next() as u8).collect();
    let batch = [crate::artefact("small", 2), Artefact::new("large", key(3), noise)];
    let error = store.put_all(&batch).unwrap_err();
    assert_eq!(error, store::Error::Full { path: folder.path().into(), limit: Some(200_000) });
    assert_eq!(store.get("small", &key(2)), None);
    assert_eq!(store.get("small", &key(1)), Some(crate::artefact("small", 1)));
    store.put(&crate::artefact("small", 2)).unwrap();
    assert_eq!(store.get("small", &key(2)), Some(crate::artefact("small", 2)));
}

//! Processes killed while they write: what was acknowledged is there, and all of it is whole.

use crate::{Random, artefact, key, open, payload, process};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use store::{Artefact, Gc};

/// How many members the batch has that this number starts.
fn members(batch: u64) -> u64 {
    1 + batch % 7
}

/// The child: writes batches until it is killed, says which are done, and collects old ones now and then.
pub fn write_batches(folder: &Path, first: u64) {
    let store = open(folder);
    for batch in (first..).step_by(10) {
        let mut all: Vec<Artefact> = (0..members(batch)).map(|i| artefact("member", batch + i)).collect();
        let root = Artefact::new("batch", key(batch), batch.to_le_bytes().to_vec());
        all.push(all.iter().fold(root, |root, member| root.link(member.id.clone())));
        store.put_all(&all).unwrap();
        println!("\ndone {batch}.");
        std::io::stdout().flush().unwrap();
        if batch % 40 == 0 {
            let _ = store.remove("batch", &key(batch.saturating_sub(30)));
            store.gc(&Gc { roots: vec!["batch".into()], ..Gc::default() }).unwrap();
        }
    }
}

fn check(rounds: u64, seed: u64) {
    let mut random = Random(seed);
    let mut folder = crate::scratch();
    let mut seen = 0;
    for round in 0..rounds {
        // Half of the processes also have to make the store.
        if round % 2 == 0 {
            folder = crate::scratch();
        }
        let first = round * 1_000_000;
        let mut writer =
            process(&format!("batches {first}"), folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(writer.stdout.take().unwrap());
        let mut said = String::new();
        // Every fourth is killed while it starts and makes the store, the others while they write.
        while round % 4 != 0 && !said.contains("done ") && output.read_line(&mut said).unwrap() > 0 {}
        std::thread::sleep(Duration::from_micros(random.below(40_000)));
        assert!(writer.try_wait().unwrap().is_none(), "round {round}: the writer failed");
        writer.kill().unwrap();
        writer.wait().unwrap();
        output.read_to_string(&mut said).unwrap();
        let done =
            said.lines().filter_map(|l| l.strip_prefix("done ")?.strip_suffix('.')?.parse::<u64>().ok());

        let store = open(folder.path());
        assert_eq!(store.set_aside(), None, "round {round}");
        let audit = store.audit(false).unwrap();
        assert_eq!(audit.findings, [], "round {round}");
        if let Some(last) = done.max() {
            assert!(store.get("batch", &key(last)).is_some(), "round {round}: batch {last} was lost");
            seen += 1;
        }
        // No member without its batch, none that is not what was written.
        let mut expected = 0;
        for batch in store.list(Some("batch"), None).unwrap() {
            let root = store.get("batch", &batch.id.key).unwrap();
            let number = u64::from_le_bytes(root.payload.try_into().unwrap());
            expected += members(number);
            for i in 0..members(number) {
                let member = store.get("member", &key(number + i)).unwrap();
                assert_eq!(member.payload, payload(number + i), "round {round}");
            }
        }
        let left = store.list(Some("member"), None).unwrap().len() as u64;
        // The child removes a batch and then collects its members; it may have been killed between the two.
        assert!((expected..=expected + 7).contains(&left), "round {round}: {left} members, not {expected}");
    }
    assert!(seen * 2 > rounds, "only {seen} of {rounds} writers got anything done");
}

#[test]
fn killed_writers() {
    check(20, 1);
}

/// `cargo test -p store --test suite -- --ignored killed_writers_200`
#[test]
#[ignore = "takes about twenty seconds"]
fn killed_writers_200() {
    check(200, 2);
}

//! A damaged store costs time, never truth.

use crate::support::{Ask, ask, with_stack, word};
use engine::Unwind;
use ir::{Program, Target};
use std::fs;
use std::path::Path;
use store::{Artefact, Store};
use testing::Random;
use testing::with_prelude as compile;

/// Versions of one program, and what is true of each.
const VERSIONS: [(&str, &str); 4] = [
    ("safe", "return x < 0 ? -x : x"),
    ("safe", "if (x < 0) return 0 - x; return x"),
    ("unsafe", "return x < 1 ? -x - 1 : x"),
    ("safe", "return x & 15"),
];

fn version(nth: usize) -> Program {
    let text = format!(
        "int g; int *last;
        int absolute(int x) {{ {}; }}
        void keep(int *p, int x) {{ *p = absolute(x); last = p; g += *p & 1; }}
        int twice(int x) {{ int y = 0; keep(&y, x); return 2 * y; }}
        int main(void) {{
            int x = __VERIFIER_nondet_int(), s = 0;
            __VERIFIER_assume(x > -100 && x < 100);
            for (int i = 0; i < 2; i++) s += twice(x + i);
            __VERIFIER_assert(s >= 0 && g >= 0 && g <= 2);
        }}",
        VERSIONS[nth].1
    );
    match compile(&text, Target::LP64, &[]) {
        Ok(program) => program,
        Err(what) => panic!("{what}"),
    }
}

/// A store with what was learned about the first version.
fn filled(folder: &Path, programs: &[Program]) {
    let Ok(store) = Store::open(folder, store::Options::default()) else { panic!("no store") };
    for unwind in [Unwind::Auto { most: None }, Unwind::Fixed(engine::Bounds::new(3))] {
        let mut first = Ask::default().store(&store);
        first.settings.bmc.unwind = unwind;
        assert_eq!(word(&ask(&programs[0], &first)), "safe");
    }
    let kept = store.list(None, None).map(|list| list.len()).unwrap_or(0);
    assert_eq!(kept, 2, "nothing was learned");
}

/// Verifies all versions with the store as it is, if it can be opened at all; nothing may be said that is not
/// true.
fn truth(folder: &Path, programs: &[Program], bound: Option<u32>) {
    let Ok(store) = Store::open(folder, store::Options::default()) else { return };
    for (program, (expected, text)) in programs.iter().zip(VERSIONS) {
        let question = bound.map_or(Ask::default(), Ask::bound).store(&store);
        assert_eq!(word(&ask(program, &question)), expected, "{text}");
    }
}

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else { panic!("cannot list the store") };
    for entry in entries.flatten() {
        if entry.path().is_file() {
            assert!(fs::copy(entry.path(), to.join(entry.file_name())).is_ok());
        }
    }
}

fn damaged(rounds: u64, harm: impl Fn(&mut Vec<u8>, &mut Random) + Send + Sync) {
    with_stack(|| {
        let programs: Vec<Program> = (0..VERSIONS.len()).map(version).collect();
        let Ok(whole) = tempfile::tempdir() else { panic!("no folder") };
        filled(whole.path(), &programs);
        truth(whole.path(), &programs[..1], None);
        for seed in 0..rounds {
            let Ok(folder) = tempfile::tempdir() else { panic!("no folder") };
            copy(whole.path(), folder.path());
            let file = folder.path().join("store.db");
            let Ok(mut bytes) = fs::read(&file) else { panic!("the store has no file") };
            harm(&mut bytes, &mut Random(seed));
            assert!(fs::write(&file, &bytes).is_ok());
            truth(folder.path(), &programs, (seed.is_multiple_of(2)).then_some(3));
        }
    });
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..1 + random.below(40) {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
}

#[test]
fn flipped_bits() {
    damaged(15, |bytes, random| flip(bytes, random));
}

#[test]
fn truncated() {
    damaged(8, |bytes, random| bytes.truncate(random.below(bytes.len())));
}

#[test]
#[ignore = "long"]
fn long_flipped_bits() {
    damaged(2000, |bytes, random| flip(bytes, random));
}

/// Payloads that are not what the engine wrote, in entries that the store believes: no crash. (What such an
/// entry claims is another matter; nobody but the engine writes entries with a valid seal.)
fn forged(rounds: u64) {
    with_stack(|| {
        let programs: Vec<Program> = (0..VERSIONS.len()).map(version).collect();
        let Ok(whole) = tempfile::tempdir() else { panic!("no folder") };
        filled(whole.path(), &programs);
        for seed in 0..rounds {
            let mut random = Random(seed);
            let Ok(folder) = tempfile::tempdir() else { panic!("no folder") };
            copy(whole.path(), folder.path());
            let Ok(store) = Store::open(folder.path(), store::Options::default()) else { panic!("no store") };
            for entry in store.list(None, None).unwrap_or_default() {
                let Some(mut artefact) = store.get(&entry.id.kind, &entry.id.key) else { continue };
                flip(&mut artefact.payload, &mut random);
                let new = Artefact { label: entry.label.clone(), ..artefact };
                assert!(store.remove(&entry.id.kind, &entry.id.key).is_ok() && store.put(&new).is_ok());
            }
            for program in &programs {
                for bound in [None, Some(3)] {
                    let question = bound.map_or(Ask::default(), Ask::bound).store(&store);
                    ask(program, &Ask { seconds: 2.0, ..question });
                }
            }
        }
    });
}

#[test]
fn forged_payloads() {
    forged(15);
}

#[test]
#[ignore = "long"]
fn long_forged_payloads() {
    forged(2000);
}

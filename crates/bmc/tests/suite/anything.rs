//! Programs of the IR that no front end would make, and questions that nobody should ask: an answer, never a
//! crash.

use crate::support::{Ask, ask, decided, with_stack, word};
use engine::{Bounds, LoopBound, Settings, Unwind};
use ir::{Program, Target};
use store::Store;
use testing::Random;
use testing::observe::observe;
use testing::with_prelude as compile;

/// What is said about a random program and what runs show; with the store, the same is said.
fn complaint(program: &Program, seed: u64) -> Option<String> {
    let mut plain = Ask::bound(2);
    plain.seconds = 3.0;
    plain.settings.slice = seed.is_multiple_of(2);
    let answer = ask(program, &plain);
    let seen = observe(program, 40);
    if word(&answer) == "safe" && seen.fails {
        return Some("safe, but a run fails".to_owned());
    }
    let folder = tempfile::tempdir().ok()?;
    let store = Store::open(folder.path(), store::Options::default()).ok()?;
    let stored = ask(program, &plain.store(&store).audited());
    if let Some(fault) = crate::support::audit_fault(&stored) {
        return Some(fault);
    }
    let sure = |word: &str| word == "safe" || word == "unsafe";
    let (one, other) = (word(&answer), word(&stored));
    (sure(&one) && sure(&other) && one != other).then(|| format!("{one}, with a store {other}"))
}

fn random_ir(seeds: std::ops::Range<u64>) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let mut settled = [0, 0, 0];
        for seed in seeds {
            let mut random = Random(seed);
            let length = random.below(400);
            let choices: Vec<u32> = (0..length).map(|_| random.number() as u32).collect();
            let program = ir::testing::program_from(&choices);
            let check = |program: &Program| {
                let run = std::panic::AssertUnwindSafe(|| complaint(program, seed));
                std::panic::catch_unwind(run).unwrap_or_else(|panic| {
                    Some(format!("panicked: {}", panic.downcast_ref::<String>().cloned().unwrap_or_default()))
                })
            };
            let kind = match word(&ask(&program, &Ask { seconds: 3.0, ..Ask::bound(2) })).as_str() {
                "safe" => 0,
                "unsafe" => 1,
                _ => 2,
            };
            settled[kind] += 1;
            if check(&program).is_none() {
                continue;
            }
            // The shortest list of choices that still does it.
            let mut short = choices.clone();
            let mut step = short.len().max(1);
            while step > 0 {
                while short.len() >= step
                    && check(&ir::testing::program_from(&short[..short.len() - step])).is_some()
                {
                    short.truncate(short.len() - step);
                }
                step /= 2;
            }
            let program = ir::testing::program_from(&short);
            let report =
                format!("seed {seed}: {}\n{}", check(&program).unwrap_or_default(), ir::print(&program));
            println!("{report}");
            wrong.push(report);
        }
        println!("{settled:?}");
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
        assert!(settled[0] > 0 && settled[1] + settled[2] > 0, "safe, unsafe, unknown: {settled:?}");
    });
}

#[test]
fn random_programs_of_the_ir() {
    random_ir(0..200);
}

#[test]
#[ignore = "long"]
fn long_random_programs_of_the_ir() {
    let start = std::env::var("REPROVE_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    random_ir(start..start + 5000);
}

/// Questions at the borders, and what the answer is.
#[test]
fn odd_questions() {
    let counting =
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; for (unsigned i = 0; i < n; i++) s++;
        __VERIFIER_assert(s == n); }";
    let deep = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_uint()) == 0); }";
    let nothing = "int main(void) { return 0; }";
    let outside = "extern int main(void); int other(void) { return main(); }";
    let of_loop = LoopBound { function: "main".to_owned(), number: 1, bound: 2 };
    let list: Vec<(&str, Bounds, &str)> = vec![
        (counting, Bounds::new(0), "safe up to 0"),
        (counting, Bounds::new(u32::MAX), "time limit"),
        (deep, Bounds::new(1_000_000), ""),
        (deep, Bounds { recursion: Some(3), ..Bounds::new(1) }, "safe up to"),
        (counting, Bounds { loops: vec![of_loop], ..Bounds::new(50) }, "safe up to"),
        (nothing, Bounds::new(0), "safe"),
        (outside, Bounds::new(1), ""),
    ];
    with_stack(|| {
        for (text, bounds, expected) in list {
            let program = match compile(text, Target::LP64, &[]) {
                Ok(program) => program,
                Err(what) => panic!("{what}"),
            };
            let settings = Settings::unwinding(Unwind::Fixed(bounds.clone()));
            let answer = ask(&program, &Ask { settings, seconds: 2.0, ..Ask::default() });
            let said = word(&answer);
            assert!(
                said.contains(expected) && (decided(&answer) || said.contains("time")),
                "{bounds:?}: {said}\n{text}"
            );
        }
    });
}

//! Random programs and random edits: what is claimed safe has a proof that is accepted, no run fails, and with
//! what earlier versions left behind no more is claimed than holds.

use base::Budget;
use certify::program::{Nothing, check_proof};
use cfront::with_stack;
use contracts::Contracts;
use engine::{Answer, Engine, Outcome, Quiet, Settings, Subject, Task, Verdict};
use ir::{Program, Target};
use std::cell::Cell;
use std::time::{Duration, Instant};
use store::{Options, Store};
use testing::Random;
use testing::compile::{prelude_lines, with_prelude};
use testing::observe::observe;
use testing::rich::{Source, edit::edit};
use testing::source::{Complaint, Source as _, guarded, long, report, tame};

const RUNS: u64 = 60;
const VERSIONS: usize = 4;
const PATIENCE: Duration = Duration::from_secs(10);

fn built(source: &Source) -> Program {
    let text = source.print();
    with_prelude(&text, Target::LP64, &[]).unwrap_or_else(|what| panic!("{what}\n{text}"))
}

fn ask(program: &Program, store: &Store, base: Option<&Program>) -> Answer {
    let (settings, deadline) = (Settings::default(), Some(Instant::now() + PATIENCE));
    let budget = Budget { deadline, ..Budget::unlimited() };
    let base = base.and_then(|base| Subject::named(base, "main"));
    let task = Task {
        subject: &Subject::named(program, "main").expect("main"),
        base: base.as_ref(),
        equivalent: &[],
        label: "test",
        settings: &settings,
        store: Some(store),
        budget: &budget,
        progress: &Quiet,
    };
    Contracts.verify(&task)
}

/// What came up: a test that sees only one kind of thing shows nothing.
#[derive(Default)]
struct Tally {
    safe: Cell<u32>,
    reused: Cell<u32>,
    unknown: Cell<u32>,
}

fn add(count: &Cell<u32>) {
    count.set(count.get() + 1);
}

fn check(versions: &[Source], tally: &Tally) -> Complaint {
    let folder = tempfile::tempdir().ok()?;
    let store = Store::open(folder.path(), Options::default()).ok()?;
    let mut before: Option<Program> = None;
    for (i, source) in versions.iter().enumerate() {
        let program = built(source);
        // By name, and by what the version before was.
        let base = before.as_ref().filter(|_| i % 2 == 1);
        let answer = ask(&program, &store, base);
        match &answer.verdict {
            Verdict::Safe(proof) => {
                add(&tally.safe);
                if answer.decisions.iter().any(|d| d.outcome == Outcome::Reused) {
                    add(&tally.reused);
                }
                let entry = program.find_function("main")?;
                let budget = Budget::seconds(PATIENCE.as_secs_f64());
                if let Err(refused) = check_proof(&program, entry, proof, &budget, &mut Nothing) {
                    return Some(format!("version {i}: refused: {refused}"));
                }
                let seen = observe(&program, RUNS);
                if seen.fails {
                    return Some(format!("version {i}: claimed safe, but a run fails"));
                }
            }
            Verdict::Unknown(_) => add(&tally.unknown),
            Verdict::Unsafe(_) => return Some("this engine finds no violations".to_owned()),
        }
        before = Some(program);
    }
    None
}

#[test]
fn histories() {
    let run = with_stack(|| {
        let tally = Tally::default();
        for seed in long(60) {
            let mut random = Random::new(seed);
            let tamed = |source: Source| tame(source, 30, &|source| (built(source), prelude_lines()));
            let mut versions = vec![tamed(Source::random(&mut random))];
            while versions.len() < VERSIONS {
                let next = edit(&versions[versions.len() - 1], &mut random);
                versions.push(tamed(next));
            }
            let complaint = |versions: &[Source]| guarded(|| check(versions, &tally));
            if complaint(&versions).is_some() {
                panic!("{}", report(seed, versions, &complaint));
            }
        }
        let Tally { safe, reused, unknown } = tally;
        assert!(safe.get() > 20 && reused.get() > 5 && unknown.get() > 5, "{safe:?} {reused:?} {unknown:?}");
    });
    run.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

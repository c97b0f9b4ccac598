//! Random programs: the engine against the interpreter, calls cut off against calls in place, the upgrade
//! check against a verification from scratch. Every interpolant is audited on the way.

use crate::support::{Ask, ask, audit_fault, decided, with_stack, word};
use engine::{Answer, Bounds, Scenario, System, Unwind};
use ir::{Program, Target};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use store::Store;
use testing::Random;
use testing::compile::{prelude_lines, with_prelude};
use testing::observe::observe;
use testing::rich::{Source, edit::edit};
use testing::source::{self, Complaint, Source as _, guarded, long, report};

/// No loop runs more often, and no function calls itself more often.
const ENOUGH: u32 = 5;
const RUNS: u64 = 150;

/// How often what came up: a test that sees only one kind of thing shows nothing.
#[derive(Default, Debug)]
struct Tally(RefCell<BTreeMap<String, u32>>);

impl Tally {
    fn add(&self, what: &str) {
        *self.0.borrow_mut().entry(what.to_owned()).or_default() += 1;
    }

    fn verdict(&self, answer: &Answer) {
        self.add(if settled(answer) { word(answer) } else { "undecided".to_owned() }.as_str());
        if answer.figures.iter().any(|f| f.name == "solver conflicts" && f.value > 0.0) {
            self.add("with conflicts");
        }
        let outcomes: BTreeSet<String> = answer.decisions.iter().map(|d| d.outcome.to_string()).collect();
        outcomes.iter().for_each(|outcome| self.add(outcome));
    }

    /// Each of these came up, and few questions were too hard.
    fn demand(&self, kinds: &[&str]) {
        let counts = self.0.borrow();
        let of = |kind: &str| counts.get(kind).copied().unwrap_or(0);
        assert!(kinds.iter().all(|kind| of(kind) > 0), "{counts:?}");
        assert!(of("undecided") * 5 <= of("safe") + of("unsafe"), "{counts:?}");
    }
}

fn target(seed: u64) -> Target {
    if seed.is_multiple_of(2) { Target::LP64 } else { Target::ILP32 }
}

/// A variant of the question: how far, how.
fn variant<'a>(seed: u64) -> Ask<'a> {
    let mut ask = Ask::default();
    ask.settings.bmc.unwind = match seed % 3 {
        0 => Unwind::Fixed(Bounds::new(ENOUGH)),
        1 => Unwind::Auto { most: Some(ENOUGH) },
        _ => Unwind::Auto { most: None },
    };
    ask.settings.bmc.system = if seed.is_multiple_of(5) { System::McMillan } else { System::Pudlak };
    ask.settings.bmc.scenario = if seed.is_multiple_of(7) { Scenario::Lazy } else { Scenario::Eager };
    ask
}

fn built(source: &Source, seed: u64) -> Program {
    let text = source.print();
    match with_prelude(&text, target(seed), &[]) {
        Ok(program) => program,
        Err(what) => panic!("{what}\n{text}"),
    }
}

fn tame(source: Source, seed: u64, times: usize) -> Source {
    source::tame(source, times, &|source| (built(source, seed), prelude_lines()))
}

/// Some arrays of pointers are beyond the engine; it says so.
fn settled(answer: &Answer) -> bool {
    decided(answer) && !word(answer).contains("a pointer that is computed from other values")
}

/// What is seen in runs and what is said must fit. Bounds suffice, so everything is decided.
fn against_runs(program: &Program, answer: &Answer) -> Complaint {
    let seen = observe(program, RUNS);
    let said = word(answer);
    let fits = match said.as_str() {
        "safe" => !seen.fails && !seen.undefined,
        "unsafe" => true,
        _ => !settled(answer),
    };
    if !fits { Some(format!("{said}, but {seen:?}")) } else { None }
}

fn one_program(source: &Source, seed: u64, tally: &Tally) -> Complaint {
    let program = built(source, seed);
    let plain = variant(seed);
    let answer = ask(&program, &plain);
    tally.verdict(&answer);
    if let Some(what) = against_runs(&program, &answer) {
        return Some(what);
    }
    let mut whole = plain.clone();
    whole.settings.slice = false;
    let folder = tempfile::tempdir().ok()?;
    let store = Store::open(folder.path(), store::Options::default()).ok()?;
    let others = [
        ("without slicing", whole),
        ("with a store", plain.clone().store(&store).audited()),
        ("again with the store", plain.clone().store(&store).audited()),
    ];
    for (name, other) in others {
        if let Some(what) = differ(name, &answer, &ask(&program, &other)) {
            return Some(what);
        }
    }
    None
}

fn differ(name: &str, one: &Answer, other: &Answer) -> Complaint {
    if let Some(fault) = audit_fault(other) {
        return Some(format!("{name}: {fault}"));
    }
    if settled(one) && settled(other) && word(one) != word(other) {
        let why: Vec<String> =
            other.decisions.iter().map(|d| format!("\n  {} {}: {}", d.outcome, d.about, d.reason)).collect();
        return Some(format!("{name}: {}, otherwise {}{}", word(other), word(one), why.concat()));
    }
    None
}

/// The versions one after the other, with one store.
fn upgrades(versions: &[Source], seed: u64, tally: &Tally) -> Complaint {
    let folder = tempfile::tempdir().ok()?;
    let store = Store::open(folder.path(), store::Options::default()).ok()?;
    let plain = variant(seed);
    let mut old: Option<Program> = None;
    for (i, source) in versions.iter().enumerate() {
        let program = built(source, seed);
        let scratch = ask(&program, &plain);
        let mut upgraded = plain.clone().store(&store).audited();
        upgraded.base = old.as_ref().filter(|_| seed % 4 == 3);
        let answer = ask(&program, &upgraded);
        tally.verdict(&answer);
        if let Some(what) = differ(&format!("version {i}"), &scratch, &answer) {
            return Some(what);
        }
        old = Some(program);
    }
    None
}

fn programs(seeds: std::ops::Range<u64>) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let tally = Tally::default();
        for seed in seeds {
            let mut random = Random(seed);
            let mut source = Source::random(&mut random);
            let times = random.pick(&[0, 1, 3, 6, 25]);
            source = tame(source, seed, times);
            let check = |versions: &[Source]| guarded(|| one_program(&versions[0], seed, &tally));
            if check(std::slice::from_ref(&source)).is_some() {
                wrong.push(report(seed, vec![source], &check));
            }
        }
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
        println!("{tally:?}");
        tally.demand(&["safe", "unsafe"]);
    });
}

/// Loops that no bound covers: what is called safe never fails in runs, and unwinding far does not find
/// otherwise.
fn endless(seeds: std::ops::Range<u64>) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let tally = Tally::default();
        for seed in seeds {
            let mut random = Random(seed ^ 0xe9d1e55);
            let source = Source { endless: true, ..Source::random(&mut random) };
            let source = tame(source, seed, 25);
            let check = |versions: &[Source]| {
                guarded(|| {
                    let program = built(&versions[0], seed);
                    let mut plain = Ask::up_to(6);
                    plain.seconds = 5.0;
                    let answer = ask(&program, &plain);
                    tally.add(word(&answer).split(':').next().unwrap_or_default());
                    let seen = observe(&program, 300);
                    let mut far = Ask::bound(9);
                    far.seconds = 5.0;
                    let lies =
                        word(&answer) == "safe" && (seen.fails || word(&ask(&program, &far)) == "unsafe");
                    lies.then(|| format!("safe, but {seen:?}"))
                })
            };
            if check(std::slice::from_ref(&source)).is_some() {
                wrong.push(report(seed, vec![source], &check));
            }
        }
        println!("{tally:?}");
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
        tally.demand(&["safe", "unsafe", "unknown"]);
    });
}

fn chains(seeds: std::ops::Range<u64>, edits: usize) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let tally = Tally::default();
        for seed in seeds {
            let mut random = Random(!seed);
            let mut versions = vec![tame(Source::random(&mut random), seed, 25)];
            for _ in 0..edits {
                let new = edit(&versions[versions.len() - 1], &mut random);
                versions.push(if random.rarely(2) { new } else { tame(new, seed, 25) });
            }
            let check = |versions: &[Source]| guarded(|| upgrades(versions, seed, &tally));
            if check(&versions).is_some() {
                wrong.push(report(seed, versions, &check));
            }
        }
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
        println!("{tally:?}");
        tally.demand(&["safe", "unsafe", "reused", "rechecked", "rejected", "rebuilt", "new"]);
    });
}

#[test]
fn random_programs() {
    programs(0..40);
}

#[test]
fn random_endless_loops() {
    endless(0..30);
}

#[test]
#[ignore = "long"]
fn long_random_endless_loops() {
    endless(long(1000));
}

#[test]
fn random_edits() {
    chains(0..12, 5);
}

#[test]
#[ignore = "long"]
fn long_random_programs() {
    programs(long(2000));
}

#[test]
#[ignore = "long"]
fn long_random_edits() {
    chains(long(300), 8);
}

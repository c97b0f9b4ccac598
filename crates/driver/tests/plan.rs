//! Who is asked when, and which of several answers is the answer: engines that say what they were told to
//! say.

use base::{Budget, Stopped};
use driver::{Claim, Engines, Outcome, Request, Strategy, Verdict, verify_among};
use engine::{
    Answer, Argument, BmcSettings, Counterexample, Decision, Engine, InputVector, Proof, Quiet, Reuse,
    Scenario, Settings, Site, Subject, Task, UnknownReason, Unwind,
};
use ir::{EdgeId, HavocKind, Op, Program};
use std::sync::Mutex;
use std::time::Duration;
use store::{Options, Store};

/// One answer.
#[derive(Clone)]
enum Say {
    /// With a proof that is one of the safe program.
    Proof,
    /// With a proof that is none of any program here.
    Nonsense,
    Violation(u128),
    Unknown(UnknownReason),
    /// The same, when the time is over.
    Late(UnknownReason),
    Panic,
}

struct Fake {
    name: &'static str,
    answers: Mutex<Vec<Say>>,
    asked: Mutex<Vec<Settings>>,
}

impl Engine for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn verify(&self, task: &Task) -> Answer {
        self.asked.lock().unwrap().push(task.settings.clone());
        let say = {
            let mut answers = self.answers.lock().unwrap();
            assert!(!answers.is_empty(), "{} was asked too often", self.name);
            answers.remove(0)
        };
        let bound = match &say {
            Say::Unknown(UnknownReason::SafeUpTo(bound)) | Say::Late(UnknownReason::SafeUpTo(bound)) => {
                *bound
            }
            _ => 7,
        };
        let safe = |bound| {
            let argument = Argument::Unwinding { bound };
            engine::Verdict::Safe(Box::new(Proof { slice: Some(slice::Checks::All), argument }))
        };
        let verdict = match say {
            Say::Proof => safe(5),
            Say::Nonsense => safe(1),
            Say::Violation(value) => claim(task.subject.program, value),
            Say::Unknown(reason) => engine::Verdict::Unknown(reason),
            Say::Late(reason) => {
                // Shares of the time count work, not waiting.
                while task.budget.check(0).is_ok() {
                    std::hint::spin_loop();
                }
                engine::Verdict::Unknown(reason)
            }
            Say::Panic => panic!("no"),
        };
        let decision = |reason: &str| Decision {
            about: self.name.to_owned(),
            outcome: engine::Outcome::New,
            reason: reason.to_owned(),
        };
        let decisions = vec![decision("first"), decision("first")];
        Answer { decisions, bound: Some(bound), ..verdict.into() }
    }
}

fn claim(program: &Program, value: u128) -> engine::Verdict {
    let mut vector = InputVector::default();
    for id in program.function_ids() {
        let edges = program.function(id).cfa().map(|cfa| cfa.edges()).unwrap_or_default();
        for (i, edge) in edges.iter().enumerate() {
            if matches!(&edge.op, Op::Havoc { kind: HavocKind::Input(_), .. }) {
                vector.answer(Site::Edge(id, EdgeId(i as u32)), value);
            }
        }
    }
    engine::Verdict::Unsafe(Box::new(Counterexample { heap: Vec::new(), inputs: vector }))
}

/// Three iterations, and a check that fails if the limit is 7.
fn program(limit: u32) -> Program {
    let text = format!(
        "int __VERIFIER_nondet_int(void);\nint main(void) {{ int x = __VERIFIER_nondet_int();\n\
         for (int i = 0; i < 3; i++) {{ if (x > {limit}) x = {limit}; }}\n__VERIFIER_assert(x != 7); return 0; }}\n"
    );
    let output = cfront::compile_text("t.c", &text, &cfront::Options::default());
    output.program.unwrap()
}

struct Case {
    limit: u32,
    bmc: Vec<Say>,
    predicate: Vec<Say>,
    engines: Engines,
    settings: Settings,
}

impl Case {
    fn ask(&self, store: Option<&Store>, certificate: bool) -> (Outcome, [Vec<Settings>; 2]) {
        let fake = |name, answers: &[Say]| Fake {
            name,
            answers: Mutex::new(answers.to_vec()),
            asked: Mutex::default(),
        };
        let (bmc, predicate) = (fake("bmc", &self.bmc), fake("predicate", &self.predicate));
        let program = program(self.limit);
        // Whoever waits for the end of its time waits for a part of this.
        let late = |list: &[Say]| list.iter().any(|say| matches!(say, Say::Late(_)));
        let time = if late(&self.bmc) || late(&self.predicate) { 400 } else { 20_000 };
        // Work, not time: the shares are the same on a busy machine.
        let budget = Budget::unlimited().within(Duration::from_millis(time));
        let request = Request {
            subject: &Subject::new(&program, program.find_function("main").unwrap()),
            base: None,
            label: "t.c",
            settings: &self.settings,
            store,
            budget: &budget,
            limits: None,
            progress: &Quiet,
        };
        let how = Strategy { engines: self.engines, certificate };
        let outcome = verify_among(&[&bmc, &predicate], &request, &how);
        (outcome, [bmc, predicate].map(|fake| fake.asked.into_inner().unwrap()))
    }
}

/// Asks about the safe program, or about the other one if some answer is a violation.
fn case(bmc: &[Say], predicate: &[Say]) -> Case {
    let violation = |say: &Say| matches!(say, Say::Violation(7));
    let limit = if bmc.iter().chain(predicate).any(violation) { 7 } else { 6 };
    let (bmc, predicate) = (bmc.to_vec(), predicate.to_vec());
    Case { limit, bmc, predicate, engines: Engines::Auto, settings: Settings::default() }
}

fn shown(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Safe => "SAFE".to_owned(),
        Verdict::Unsafe(_) => "UNSAFE".to_owned(),
        Verdict::Unknown(reason) => reason.to_string(),
    }
}

/// The verdict (or the beginning of its reason), whose it is, and who was asked.
fn check(case: &Case, verdict: &str, engine: &str, asked: &str) -> Outcome {
    let (outcome, _) = case.ask(None, false);
    let about = format!("{verdict}, {asked}");
    assert!(shown(&outcome).starts_with(verdict), "{about}: {}", shown(&outcome));
    let names: Vec<&str> = outcome.attempts.iter().map(|attempt| attempt.engine).collect();
    assert_eq!((outcome.engine, names.join(" ").as_str()), (engine, asked), "{about}");
    let safe = matches!(outcome.verdict, Verdict::Safe);
    assert_eq!((outcome.certified.is_some(), outcome.proof.is_some()), (safe, safe), "{about}");
    outcome
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported { what: what.to_owned(), pos: None }
}

#[test]
fn one_after_the_other() {
    use Say::*;
    let time = UnknownReason::Stopped(Stopped::Time);
    let up_to = UnknownReason::SafeUpTo;
    // The first answer that stands is the answer.
    check(&case(&[Proof], &[]), "SAFE", "bmc", "bmc");
    check(&case(&[Violation(7)], &[]), "UNSAFE", "bmc", "bmc");
    check(&case(&[Late(up_to(7))], &[Proof]), "SAFE", "predicate", "bmc predicate");
    check(&case(&[Late(time.clone())], &[Violation(7)]), "UNSAFE", "predicate", "bmc predicate");
    check(&case(&[Unknown(unsupported("a"))], &[Proof]), "SAFE", "predicate", "bmc predicate");
    // What was cut short goes on; what was not, not.
    let both = [Late(up_to(7)), Violation(7)];
    check(&case(&both, &[Unknown(unsupported("a"))]), "UNSAFE", "bmc", "bmc predicate bmc");
    let nobody = case(&[Unknown(unsupported("a"))], &[Unknown(unsupported("b"))]);
    check(&nobody, "b", "predicate", "bmc predicate");
    let shallow = [Unknown(up_to(35)), Violation(7)];
    check(&case(&shallow, &[Unknown(unsupported("a"))]), "UNSAFE", "bmc", "bmc predicate bmc");
    check(
        &case(&[Unknown(up_to(12))], &[Unknown(unsupported("a"))]),
        "safe up to 12",
        "bmc",
        "bmc predicate",
    );
    // Of several reasons, the one that says most.
    check(
        &case(&[Late(up_to(7)), Late(up_to(12))], &[Late(time.clone())]),
        "safe up to 12",
        "bmc",
        "bmc predicate bmc",
    );
    check(
        &case(&[Late(up_to(7)), Late(time.clone())], &[Late(time.clone())]),
        "safe up to 7",
        "bmc",
        "bmc predicate bmc",
    );
    check(
        &case(&[Unknown(unsupported("a"))], &[Late(time.clone())]),
        "time limit",
        "predicate",
        "bmc predicate",
    );
}

/// Time is left for others only if they can use it.
#[test]
fn shares() {
    use Say::*;
    let time = UnknownReason::Stopped(Stopped::Time);
    let waited = |bmc: &[Say]| {
        let (outcome, _) = case(bmc, &[Late(time.clone())]).ask(None, false);
        (outcome.attempts[1].engine, outcome.attempts[1].time)
    };
    let (prover, alone) = waited(&[Unknown(unsupported("a"))]);
    assert!(prover == "predicate" && alone > Duration::from_millis(300), "{alone:?}");
    let (prover, shared) = waited(&[Unknown(UnknownReason::SafeUpTo(35)), Unknown(unsupported("a"))]);
    assert!(prover == "predicate" && shared < alone, "{shared:?} {alone:?}");
}

#[test]
fn nobody_is_believed() {
    use Say::*;
    let late = || Late(UnknownReason::SafeUpTo(7));
    let open = || Unknown(unsupported("a"));
    // Violations that do not happen.
    check(&case(&[late(), Proof], &[Violation(8)]), "SAFE", "bmc", "bmc predicate bmc");
    check(
        &case(&[Unknown(unsupported("a"))], &[Violation(8)]),
        "not confirmed: ",
        "predicate",
        "bmc predicate",
    );
    // Proofs that are none: the claim stays the first one's, on its assumptions, and the next one has to
    // prove it.
    check(&case(&[Nonsense], &[Proof]), "SAFE", "bmc", "bmc predicate");
    check(&case(&[Nonsense], &[open()]), "safe, but not certified: ", "bmc", "bmc predicate");
    check(&case(&[late(), Proof], &[Nonsense]), "SAFE", "predicate", "bmc predicate bmc");
    // Claims of safety do not stop anybody from showing the opposite.
    check(&case(&[Nonsense], &[Violation(7)]), "UNSAFE", "predicate", "bmc predicate");
    // A proof of something else.
    let mut other = case(&[Proof], &[open()]);
    other.limit = 7;
    check(&other, "safe, but not certified: ", "bmc", "bmc predicate");
}

#[test]
fn an_engine_that_panics_is_one_of_several() {
    std::panic::set_hook(Box::new(|_| {}));
    let (outcome, _) = case(&[Say::Panic], &[Say::Proof]).ask(None, false);
    let _ = std::panic::take_hook();
    assert_eq!(shown(&outcome), "SAFE");
    let first = Claim::Unknown(UnknownReason::Internal("the engine 'bmc'".to_owned()));
    assert_eq!(outcome.attempts[0].claim, first);
}

#[test]
fn one_alone() {
    use Say::*;
    let only = |engine, bmc: &[Say], predicate: &[Say]| Case {
        engines: Engines::Only(engine),
        ..case(bmc, predicate)
    };
    check(&only("bmc", &[Unknown(unsupported("a"))], &[]), "a", "bmc", "bmc");
    check(&only("predicate", &[], &[Unknown(unsupported("a"))]), "a", "predicate", "predicate");
    check(&only("predicate", &[], &[Nonsense]), "safe, but not certified: ", "predicate", "predicate");
    // It gets help with the proof only.
    check(&only("bmc", &[Nonsense], &[Proof]), "SAFE", "bmc", "bmc predicate");
    // Bounds are for one engine.
    let fixed = Settings::unwinding(Unwind::Fixed(engine::Bounds::new(3)));
    let most = Settings::unwinding(Unwind::Auto { most: Some(3) });
    let lazy = Settings {
        bmc: BmcSettings { scenario: Scenario::Lazy, ..BmcSettings::default() },
        ..Settings::default()
    };
    for settings in [fixed, most, lazy] {
        let bounded = Case { settings, ..case(&[Unknown(UnknownReason::SafeUpTo(3))], &[]) };
        check(&bounded, "safe up to 3", "bmc", "bmc");
    }
}

/// Whoever is asked again starts where it stopped; decisions are told once.
#[test]
fn asked_again() {
    let late = |bound| Say::Late(UnknownReason::SafeUpTo(bound));
    let (outcome, [bmc, predicate]) = case(&[late(7), late(12)], &[late(0)]).ask(None, false);
    let seen = |list: &[Settings]| list.iter().map(|s| (s.bmc.known_bound, s.reuse)).collect::<Vec<_>>();
    assert_eq!(seen(&bmc), [(0, Reuse::ALL), (7, Reuse::NONE)]);
    assert_eq!(seen(&predicate), [(0, Reuse::ALL)]);
    let shallow: Vec<Option<u32>> = bmc.iter().map(|s| s.bmc.shallow).collect();
    assert_eq!(shallow, [Some(35), None]);
    let about: Vec<&str> = outcome.decisions.iter().map(|d| d.about.as_str()).collect();
    assert_eq!(about, ["bmc", "predicate"]);
}

/// Whoever decided the last version is asked first. Every question is about another version.
#[test]
fn the_last_one_first() {
    use Say::*;
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store"), Options::default()).unwrap();
    let asked = |limit: u32, case: Case| {
        let (outcome, _) = Case { limit, ..case }.ask(Some(&store), false);
        let names: Vec<&str> = outcome.attempts.iter().map(|attempt| attempt.engine).collect();
        format!("{} {}", shown(&outcome), names.join(" "))
    };
    let open = || Unknown(UnknownReason::SafeUpTo(7));
    let late = || Late(UnknownReason::Stopped(Stopped::Time));
    assert_eq!(asked(6, case(&[open()], &[Proof])), "SAFE bmc predicate");
    assert_eq!(asked(5, case(&[], &[Proof])), "SAFE predicate");
    let nothing = Settings { reuse: Reuse::NONE, ..Settings::default() };
    assert_eq!(asked(4, Case { settings: nothing, ..case(&[open()], &[Proof]) }), "SAFE bmc predicate");
    // Not longer than it took.
    assert_eq!(asked(3, case(&[open()], &[late(), Proof])), "SAFE predicate bmc predicate");
    // From now on it is as usual again.
    assert_eq!(asked(7, case(&[Violation(7)], &[late()])), "UNSAFE predicate bmc");
    assert_eq!(asked(2, case(&[Proof], &[])), "SAFE bmc");
}

/// What was certified once need not be again, as long as it is the same.
#[test]
fn certified_before() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store"), Options::default()).unwrap();
    let before = |case: &Case, certificate| {
        let (outcome, _) = case.ask(Some(&store), certificate);
        (shown(&outcome), outcome.certified.map(|certified| certified.before))
    };
    let safe = || "SAFE".to_owned();
    let proof = || case(&[Say::Proof], &[]);
    assert_eq!(before(&proof(), false), (safe(), Some(false)));
    assert_eq!(before(&proof(), false), (safe(), Some(true)));
    assert_eq!(before(&proof(), true), (safe(), Some(false)), "the proof is wanted");
    let audit = Settings { audit: true, ..Settings::default() };
    assert_eq!(before(&Case { settings: audit, ..proof() }, false), (safe(), Some(false)));
    let nothing = Settings { reuse: Reuse::NONE, ..Settings::default() };
    assert_eq!(before(&Case { settings: nothing, ..proof() }, false), (safe(), Some(false)));
    // Another program, and one that is not safe.
    assert_eq!(before(&Case { limit: 5, ..proof() }, false), (safe(), Some(false)));
    let wrong = Case { limit: 7, ..case(&[Say::Proof], &[Say::Unknown(unsupported("a"))]) };
    assert!(before(&wrong, false).0.starts_with("safe, but not certified"));
    assert!(before(&wrong, false).0.starts_with("safe, but not certified"));
}

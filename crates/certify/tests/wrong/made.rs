//! Programs, and true proofs of them: by each engine, of the slice and of the whole, and the claim that
//! unwinding is enough.

use base::Budget;
use engine::{Answer, Argument, Engine, Proof, Quiet, Settings, Subject, Task, Verdict};
use ir::{CheckKind, Program};
use slice::Checks;
use std::time::{Duration, Instant};
use testing::known::runs::{Failing, failing};

const TIME: Duration = Duration::from_secs(2);

pub fn seconds(time: Duration) -> Budget {
    Budget { deadline: Instant::now().checked_add(time), ..Budget::unlimited() }
}

pub fn compile(text: &str, checks: &[CheckKind]) -> Program {
    let text = format!("{}{text}", testing::known::PRELUDE);
    testing::compile(&text, checks).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A program with its failing run, which the interpreter has seen.
pub struct Fails {
    pub text: String,
    pub program: Program,
    pub run: Failing,
}

pub fn fails(text: &str, checks: &[CheckKind]) -> Fails {
    let program = compile(text, checks);
    let run = failing(&program).unwrap_or_else(|| panic!("it does not fail:\n{text}"));
    Fails { text: text.to_owned(), program, run }
}

fn answer(engine: &dyn Engine, subject: &Subject, settings: &Settings, time: Duration) -> Answer {
    let task = Task {
        subject,
        base: None,
        equivalent: &[],
        label: "known.c",
        settings,
        store: None,
        budget: &seconds(time),
        progress: &Quiet,
    };
    engine.verify(&task)
}

/// The proofs that the engines find; who made them, for people.
pub fn proofs(program: &Program) -> Vec<(&'static str, Proof)> {
    proofs_within(program, TIME)
}

pub fn proofs_within(program: &Program, time: Duration) -> Vec<(&'static str, Proof)> {
    let engines: [&dyn Engine; 3] = [&bmc::Bmc, &predicate::Predicate, &explicit::Explicit];
    let mut found = Vec::new();
    for engine in engines {
        let by = [true, false].map(|slice| proof_by(engine, program, slice, time));
        found.extend(by.into_iter().flatten().map(|proof| (engine.name(), proof)));
        found.extend(parts_by(engine, program, time).map(|proof| ("parts", proof)));
    }
    found.push(("unwinding", Proof { slice: None, argument: Argument::Unwinding { bound: 8 } }));
    found
}

fn proof_by(engine: &dyn Engine, program: &Program, slice: bool, time: Duration) -> Option<Proof> {
    part_by(engine, &Subject::new(program, program.find_function("main")?), slice, time)
}

fn part_by(engine: &dyn Engine, subject: &Subject, slice: bool, time: Duration) -> Option<Proof> {
    let settings = Settings { slice, ..Settings::default() };
    match answer(engine, subject, &settings, time).verdict {
        Verdict::Safe(proof) => Some(*proof),
        _ => None,
    }
}

/// One for the checks of each function.
fn parts_by(engine: &dyn Engine, program: &Program, time: Duration) -> Option<Proof> {
    let subject = Subject::new(program, program.find_function("main")?);
    let alone = |f| {
        part_by(
            engine,
            &subject.part(&slice::Part { checks: Checks::In([f].into()), print: None }),
            true,
            time,
        )
    };
    let parts = program.function_ids().filter(|f| program.function(*f).cfa().is_some()).map(alone);
    Some(Proof { slice: None, argument: Argument::Parts(parts.collect::<Option<_>>()?) })
}

/// Contracts of the slice.
pub fn contracts(program: &Program) -> Option<Proof> {
    proof_by(&predicate::Predicate, program, true, TIME)
}

/// What a proof is about: the program, or its slice.
pub fn view(program: &Program, slice: Option<&Checks>) -> Program {
    let entry = program.find_function("main").expect("programs have a main");
    slice.map_or_else(|| program.clone(), |checks| slice::slice_for(program, entry, checks))
}

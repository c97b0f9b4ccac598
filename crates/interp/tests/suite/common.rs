//! Programs from the IR's text form, run and described in one line.

use base::Budget;
use interp::{Interp, Options, Outcome, Run, VecInputs};
use ir::Program;

pub fn program(text: &str) -> Program {
    program_for("lp64", text)
}

/// The text without its first lines: target and one file.
pub fn program_for(target: &str, text: &str) -> Program {
    let text = &format!("target {target}\nfile \"a.c\"\n{text}");
    let program = ir::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    ir::verify(&program).unwrap_or_else(|list| panic!("{list:#?}\n{text}"));
    program
}

/// Runs `main` on these inputs, then zeros.
pub fn run(program: &Program, inputs: &[u128], set: impl FnOnce(&mut Options)) -> Run {
    let mut options = Options::main(program).expect("a main function");
    options.max_steps = 10_000_000;
    set(&mut options);
    let mut interp = Interp::new(program, options).expect("a small program");
    interp.run(&mut VecInputs::then_zero(inputs.iter().copied()), &Budget::unlimited())
}

pub fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(None) => "returned".into(),
        Outcome::Returned(Some(bits)) => format!("returned {bits}"),
        Outcome::Exited(code) => format!("exited {code}"),
        Outcome::Aborted => "aborted".into(),
        Outcome::CheckFailed { kind, pos, message, .. } => {
            format!(
                "{} failed at {}:{} {}",
                kind.name(),
                pos.line,
                pos.column,
                message.as_deref().unwrap_or("-")
            )
        }
        Outcome::AssumeViolated { .. } => "assume violated".into(),
        Outcome::Undefined(u) => format!("{}", u.kind),
        Outcome::Unsupported { reason, .. } => format!("unsupported: {reason}"),
        Outcome::InputsExhausted => "inputs exhausted".into(),
        Outcome::Stopped(why) => format!("{why}"),
        Outcome::StackOverflow => "stack overflow".into(),
        Outcome::OutOfMemory => "out of memory".into(),
    }
}

//! The whole engine on small pairs of C functions.
//!
//! Equal pairs must be proved. Different ones must be told apart by an input that replays; and, asked alone,
//! the provers must not prove them: a concrete run that happens to find the difference first would otherwise
//! hide a wrong proof.

mod conditions;
mod different;
mod equal;
mod fuzz;
mod known;
mod mutate;
mod random_c;

use base::Budget;
use cfront::{Options as CompileOptions, compile_text, with_stack};
use equiv::concrete::{Compared, ExternRule, Options, Pair, compare};
use equiv::spec::{Spec, Version, Versions};
use equiv::{Integers, Member, Report, Request, Verdict, engine};
use ir::{FuncId, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is said about a pair, besides its text.
#[derive(Clone, Copy, Default)]
struct Question<'a> {
    integers: Integers,
    pre: &'a [&'a str],
    post: &'a [&'a str],
}

const MACHINE: Question = Question { integers: Integers::Machine, pre: &[], post: &[] };
const UNBOUNDED: Question = Question { integers: Integers::Unbounded, pre: &[], post: &[] };

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Equivalent,
    Different,
    /// Different, but no run shows it: what is called sees it, or the input is too rare.
    NotProved,
    /// Different in a way that proofs about runs that end do not see: one version does not end.
    Endless,
}

/// For one pair. Most need a tenth of a second; much, for a machine that is busy with other things.
const LIMIT: Duration = Duration::from_secs(60);
/// The members that prove something about all inputs.
const PROVERS: [Member; 2] = [Member::Candidates, Member::Abstraction];

fn try_program(text: &str) -> Result<Program, String> {
    let output =
        with_stack(|| compile_text("t.c", text, &CompileOptions::default())).map_err(|e| format!("{e:?}"))?;
    let errors: Vec<_> = output.diagnostics.iter().map(|d| d.message.clone()).collect();
    output.program.ok_or_else(|| format!("{errors:?}\n{text}"))
}

fn program(text: &str) -> Program {
    try_program(text).unwrap_or_else(|e| panic!("{e}"))
}

fn compared_function(program: &Program) -> FuncId {
    program.find_function("f").or(program.find_function("main")).expect("f or main")
}

fn within(time: Duration) -> Budget {
    Budget { deadline: Some(Instant::now() + time), ..Budget::unlimited() }
}

fn ask(
    programs: [&Program; 2],
    spec: &Spec,
    integers: Integers,
    members: &[Member],
    time: Duration,
) -> Report {
    let [old, new] = programs;
    let functions = [compared_function(old), compared_function(new)];
    let budget = within(time);
    let pair = change::Pair::new(old, new);
    let request = Request { pair: &pair, functions, spec, integers, budget: &budget, members };
    engine::compare(&request)
}

fn replay_options() -> Options {
    let rules = [("__mark", ExternRule::Constant(u128::MAX)), ("__inlineCall", ExternRule::Argument(0))];
    Options { externs: rules.map(|(n, r)| (n.to_string(), r)).into(), ..Options::default() }
}

/// Did a prover believe that the versions are equal, whatever became of it afterwards?
fn believed(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Equivalent(_))
        || report.log.iter().any(|line| line.contains(": proved"))
}

fn spec_of(question: Question, texts: [&str; 2], programs: [&Program; 2]) -> Spec {
    let mut spec = Spec::from_sources([("old.c", texts[0]), ("new.c", texts[1])]).expect("annotations");
    let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let [old, new] = programs;
    let named = |text: &str| [("t.c".to_owned(), Arc::from(text))];
    let (old_texts, new_texts) = (named(texts[0]), named(texts[1]));
    let versions = Versions {
        old: Version { program: old, function: compared_function(old), texts: &old_texts },
        new: Version { program: new, function: compared_function(new), texts: &new_texts },
        options: &CompileOptions::default(),
    };
    spec.add_options(&own(question.pre), &own(question.post), &versions).expect("conditions");
    spec.check(&versions).expect("conditions that fit");
    spec
}

/// `both` comes before each of the versions.
fn judge(expected: Expected, question: Question, both: &str, old: &str, new: &str) -> Result<(), String> {
    let texts = [format!("{both}\n{old}"), format!("{both}\n{new}")];
    let (a, b) = (program(&texts[0]), program(&texts[1]));
    let spec = spec_of(question, [&texts[0], &texts[1]], [&a, &b]);
    let report = ask([&a, &b], &spec, question.integers, &Member::ALL, LIMIT);
    let about = |what: String, report: &Report| {
        Err(format!("{what}\n{both}\n{old}\n{new}\n{:?}\n{}\n", question.integers, report.log.join("\n")))
    };
    match (&report.verdict, expected) {
        (Verdict::Equivalent(_), Expected::Equivalent) => {}
        (Verdict::NotEquivalent(difference), Expected::Different | Expected::Endless) => {
            // Conditions that relate the versions, and runs without end, are more than one run can show.
            if spec == Spec::default() && expected == Expected::Different {
                let [a, b] = encode::start::settle([&a, &b]);
                let pair =
                    Pair { old: &a, new: &b, old_fn: compared_function(&a), new_fn: compared_function(&b) };
                let again = compare(pair, &difference.input, &replay_options(), &Budget::unlimited());
                if !matches!(again, Compared::Differs(_)) {
                    return about(format!("a difference that does not replay: {again:?}"), &report);
                }
            }
        }
        (Verdict::Equivalent(_), _) => return about("a wrong proof".to_owned(), &report),
        (_, Expected::NotProved) => {}
        (Verdict::NotEquivalent(d), _) => {
            return about(format!("a difference that is none: {:?}", d.input), &report);
        }
        (Verdict::Unknown(why), _) => return about(format!("no answer: {why}"), &report),
    }
    if matches!(expected, Expected::Different | Expected::NotProved) {
        let report = ask([&a, &b], &spec, question.integers, &PROVERS, Duration::from_millis(700));
        if believed(&report) {
            return about("a wrong proof, hidden by a concrete run".to_owned(), &report);
        }
    }
    Ok(())
}

/// All pairs, so that one failure does not hide others.
fn check_question(expected: Expected, question: Question, pairs: &[(&str, &str, &str)]) {
    let results = pairs.iter().map(|(both, old, new)| judge(expected, question, both, old, new));
    let failures: Vec<String> = results.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{} of {} pairs\n{}", failures.len(), pairs.len(), failures.join("\n"));
}

fn check(expected: Expected, pairs: &[(&str, &str, &str)]) {
    check_question(expected, MACHINE, pairs);
}

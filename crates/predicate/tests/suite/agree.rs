//! Random programs: what the engine decides is confirmed by the checker of proofs or by the interpreter, and
//! by bounded model checking.

use crate::make::Source;
use crate::support::{Ask, Judged, Kept, answer_of, ask, compile, replayed, with_stack};
use engine::{Unwind, Verdict};
use ir::Program;
use std::cell::RefCell;
use std::collections::BTreeMap;
use testing::Random;
use testing::compile::prelude_lines;
use testing::observe::{Seen, observe};
use testing::source::{self, Complaint, Source as _, guarded, long, report};

/// How often what came up: a test that sees only one kind of thing shows nothing.
#[derive(Default, Debug)]
pub struct Tally(RefCell<BTreeMap<String, u32>>);

impl Tally {
    pub fn add(&self, what: &str) {
        *self.0.borrow_mut().entry(what.to_owned()).or_default() += 1;
    }

    pub fn judged(&self, judged: &Judged) {
        match judged {
            Judged::Refused(why) => self.add(&format!("refused: {}", why.split(',').next().unwrap_or(why))),
            Judged::NotReplayed(_) => self.add("not replayed"),
            Judged::OutOfTime => self.add("out of time"),
            other => self.add(other.word()),
        }
    }

    pub fn count(&self, kind: &str) -> u32 {
        self.0.borrow().iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, n)| n).sum()
    }

    /// Each of these came up, and enough programs were decided, even if the machine is busy.
    pub fn demand(&self, kinds: &[&str]) {
        println!("{:#?}", self.0.borrow());
        assert!(kinds.iter().all(|kind| self.count(kind) > 0), "{:?}", self.0);
        let open = self.count("unknown") + self.count("out of time");
        assert!(open <= 2 * (self.count("safe") + self.count("unsafe")), "{:?}", self.0);
    }
}

pub fn built(source: &Source) -> Program {
    let text = source.print();
    compile(&text).unwrap_or_else(|what| panic!("{what}\n{text}"))
}

pub fn tame(source: Source, times: usize) -> Source {
    source::tame(source, times, &|source| (built(source), prelude_lines()))
}

/// Does anybody else know that a check fails?
pub fn fails(program: &Program) -> Option<&'static str> {
    let Seen { fails, .. } = observe(program, 150);
    if fails {
        return Some("a random run fails");
    }
    let mut question = Ask::seconds(5.0);
    question.settings.bmc.unwind = Unwind::Auto { most: Some(5) };
    let other = answer_of(&bmc::Bmc, program, &question);
    let violated = matches!(other.verdict, Verdict::Unsafe(_)) && replayed(program, &other) == Judged::Unsafe;
    violated.then_some("unwinding finds a violation")
}

/// What is wrong with an answer, whatever else is known. A proof that leans on an earlier run's summaries may
/// lack what they lean on.
pub fn fault(program: &Program, judged: &Judged, reused: bool) -> Complaint {
    match judged {
        Judged::Safe | Judged::Refused(_) => {
            if let Some(what) = fails(program) {
                return Some(format!("{judged:?}, but {what}"));
            }
            match judged {
                // What could not be decided is no fault.
                Judged::Refused(why) if !reused && !why.contains("could not be checked") => {
                    Some(format!("{judged:?}"))
                }
                _ => None,
            }
        }
        // A loop that no check depends on, and that runs for long, is not part of the slice.
        Judged::NotReplayed(why) if why.contains("Stopped") => None,
        Judged::NotReplayed(_) => Some(format!("{judged:?}")),
        Judged::Unsafe | Judged::Unknown(_) | Judged::OutOfTime => None,
    }
}

fn one_program(source: &Source, seconds: f64, tally: &Tally) -> Complaint {
    let program = built(source);
    let plain = Ask::seconds(seconds);
    let asked = ask(&program, &plain);
    tally.judged(&asked.judged);
    if let Some(what) = fault(&program, &asked.judged, false) {
        return Some(what);
    }
    if !asked.judged.decided() {
        return None;
    }
    let kept = Kept::new();
    let mut system = plain.clone();
    system.settings.slice = false;
    let mut stored = plain.clone().store(&kept.store);
    stored.settings.reuse.verdicts = false;
    let others = [("without slicing", system), ("with a store", stored.clone()), ("again", stored)];
    for (name, other) in others {
        let other = ask(&program, &other);
        if let Some(what) = fault(&program, &other.judged, name == "again") {
            return Some(format!("{name}: {what}"));
        }
        if other.judged.decided() && other.judged.word() != asked.judged.word() {
            return Some(format!("{name}: {:?}, otherwise {:?}", other.judged, asked.judged));
        }
    }
    None
}

fn programs(seeds: std::ops::Range<u64>, seconds: f64) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let tally = Tally::default();
        for seed in seeds {
            let mut random = Random(seed);
            let source = Source::random(&mut random);
            let source = tame(source, random.pick(&[0, 1, 3, 40, 40, 40]));
            let check = |versions: &[Source]| guarded(|| one_program(&versions[0], seconds, &tally));
            if check(std::slice::from_ref(&source)).is_some() {
                wrong.push(report(seed, vec![source], &check));
            }
        }
        tally.demand(&["safe", "unsafe"]);
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
    });
}

#[test]
fn random_programs() {
    programs(0..15, 1.0);
}

#[test]
#[ignore = "long"]
fn long_random_programs() {
    programs(long(500), 2.0);
}

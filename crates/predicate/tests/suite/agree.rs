//! Random programs: what the engine decides is confirmed by the checker of proofs or by the interpreter, and
//! by bounded model checking.

use crate::make::{Random, Source};
use crate::support::{
    Ask, Judged, Kept, PRELUDE, Seen, answer_of, ask, compile, observe, replayed, with_stack,
};
use engine::{Unwind, Verdict};
use interp::{Interp, Options, Outcome, RandomInputs};
use ir::Program;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Says what is wrong with what the engine does on these versions of a program, if anything is.
pub type Complaint = Option<String>;

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

/// Assertions that random runs violate are weakened a few times, so that what remains is often safe, and not
/// obviously.
pub fn tame(mut source: Source, times: usize) -> Source {
    for i in 0..times {
        let Some(id) = failing(&source) else { break };
        source = if i < 20 { source.weaker(id) } else { source.without(id) };
    }
    source
}

fn failing(source: &Source) -> Option<u32> {
    let program = built(source);
    let mut interp = Interp::new(&program, Options { max_steps: 20_000, ..Options::main(&program)? }).ok()?;
    let at = (0..60).find_map(|run| {
        match interp.run(&mut RandomInputs::new(run), &base::Budget::unlimited()).outcome {
            Outcome::CheckFailed { pos, .. } => Some(pos.line as usize),
            _ => None,
        }
    })?;
    let before = at.checked_sub(PRELUDE.lines().count())?;
    let text = source.print();
    let nth = text.lines().take(before).filter(|l| l.contains("__VERIFIER_assert(")).count();
    source.asserts().get(nth.checked_sub(1)?).copied()
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

/// A crash is something to complain about too.
pub fn guarded(check: impl Fn() -> Complaint) -> Complaint {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
    caught.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Some(format!("panicked: {}", text.unwrap_or_default()))
    })
}

/// Fewer versions, fewer statements, still a complaint.
fn shrink(mut versions: Vec<Source>, check: &dyn Fn(&[Source]) -> Complaint) -> Vec<Source> {
    let mut k = 0;
    while k < versions.len() && versions.len() > 1 {
        let mut fewer = versions.clone();
        fewer.remove(k);
        if check(&fewer).is_some() { versions = fewer } else { k += 1 }
    }
    loop {
        let size =
            |versions: &[Source]| versions.iter().map(|v| v.ids().len() + v.functions.len()).sum::<usize>();
        let before = size(&versions);
        let mut ids: Vec<u32> = versions.iter().flat_map(Source::ids).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let fewer: Vec<Source> = versions.iter().map(|v| v.without(id)).collect();
            if check(&fewer).is_some() {
                versions = fewer;
            }
        }
        let names: Vec<String> =
            versions.iter().flat_map(|v| v.functions.iter().map(|f| f.name.clone())).collect();
        for name in names.iter().filter(|name| *name != "main") {
            let mut fewer = versions.clone();
            fewer.iter_mut().for_each(|v| v.functions.retain(|f| f.name != *name));
            if check(&fewer).is_some() {
                versions = fewer;
            }
        }
        if size(&versions) == before {
            return versions;
        }
    }
}

/// A complaint about a small case.
pub fn report(seed: u64, versions: Vec<Source>, check: &dyn Fn(&[Source]) -> Complaint) -> String {
    let small = shrink(versions, check);
    let what = check(&small).unwrap_or_default();
    let texts: Vec<String> = small.iter().map(Source::print).collect();
    let report = format!("seed {seed}: {what}\n{}", texts.join("\n---- next version ----\n"));
    println!("{report}\n");
    report
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

/// Where a long run begins, so that two do not do the same.
pub fn start() -> u64 {
    std::env::var("REPROVE_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000)
}

/// How many there are in a long run.
pub fn count(usual: u64) -> u64 {
    std::env::var("REPROVE_TEST_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_programs() {
    programs(0..15, 1.0);
}

#[test]
#[ignore = "long"]
fn long_random_programs() {
    programs(start()..start() + count(500), 2.0);
}

//! Random programs that can be cut down: to the assertions that hold in runs ([`tame`]), and to the smallest
//! versions about which there still is something to complain ([`report`]).

use crate::tree::{Kind, Stmt, remove, walk};
use interp::{Interp, Options, Outcome, RandomInputs};
use ir::Program;

/// What is wrong, if anything is.
pub type Complaint = Option<String>;

pub trait Source: Clone {
    type Kind: Kind;

    /// As C. Every assertion has a line of its own, with the text `__VERIFIER_assert(`.
    fn print(&self) -> String;

    /// Names and bodies of the functions, in the order in which they are printed.
    fn bodies(&self) -> Vec<(&str, &[Stmt<Self::Kind>])>;
    fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt<Self::Kind>>>;
    fn without_function(&self, name: &str) -> Self;

    fn is_assert(kind: &Self::Kind) -> bool;

    /// With an assertion that says less in the place of this one.
    fn weaker(&self, id: u32) -> Self;

    fn ids(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        self.bodies().into_iter().for_each(|(_, body)| walk(body, &mut |stmt| ids.push(stmt.id)));
        ids
    }

    /// Of the assertions.
    fn asserts(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        let mut see = |stmt: &Stmt<Self::Kind>| {
            if Self::is_assert(&stmt.kind) {
                ids.push(stmt.id);
            }
        };
        self.bodies().into_iter().for_each(|(_, body)| walk(body, &mut see));
        ids
    }

    fn without(&self, id: u32) -> Self {
        let mut source = self.clone();
        source.bodies_mut().into_iter().for_each(|body| remove(body, id));
        source
    }
}

/// Assertions that random runs violate are weakened a few times, so that what remains is often safe, and not
/// obviously. What is violated after many times is left out.
pub fn tame<S: Source>(mut source: S, times: usize, build: &dyn Fn(&S) -> (Program, usize)) -> S {
    for i in 0..times {
        let (program, prelude) = build(&source);
        let Some(id) = failing(&source, &program, prelude) else { break };
        source = if i < 20 { source.weaker(id) } else { source.without(id) };
    }
    source
}

/// The assertion that a random run violates; so many lines come before the program.
fn failing<S: Source>(source: &S, program: &Program, prelude: usize) -> Option<u32> {
    let mut interp = Interp::new(program, Options { max_steps: 20_000, ..Options::main(program)? }).ok()?;
    let at = (0..60).find_map(|run| {
        match interp.run(&mut RandomInputs::new(run), &base::Budget::unlimited()).outcome {
            Outcome::CheckFailed { pos, .. } => Some(pos.line as usize),
            _ => None,
        }
    })?;
    let before = at.checked_sub(prelude)?;
    let text = source.print();
    let nth = text.lines().take(before).filter(|l| l.contains("__VERIFIER_assert(")).count();
    source.asserts().get(nth.checked_sub(1)?).copied()
}

/// Fewer versions, fewer statements, fewer functions, still a complaint.
fn shrink<S: Source>(mut versions: Vec<S>, check: &dyn Fn(&[S]) -> Complaint) -> Vec<S> {
    let mut k = 0;
    while k < versions.len() && versions.len() > 1 {
        let mut fewer = versions.clone();
        fewer.remove(k);
        if check(&fewer).is_some() { versions = fewer } else { k += 1 }
    }
    let size = |versions: &[S]| versions.iter().map(|v| v.ids().len() + v.bodies().len()).sum::<usize>();
    loop {
        let before = size(&versions);
        let mut ids: Vec<u32> = versions.iter().flat_map(S::ids).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let fewer: Vec<S> = versions.iter().map(|v| v.without(id)).collect();
            if check(&fewer).is_some() {
                versions = fewer;
            }
        }
        let names = versions.iter().flat_map(|v| v.bodies().into_iter().map(|(name, _)| name.to_owned()));
        let mut names: Vec<String> = names.filter(|name| name != "main").collect();
        names.sort();
        names.dedup();
        for name in names {
            let fewer: Vec<S> = versions.iter().map(|v| v.without_function(&name)).collect();
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
pub fn report<S: Source>(seed: u64, versions: Vec<S>, check: &dyn Fn(&[S]) -> Complaint) -> String {
    let small = shrink(versions, check);
    let what = check(&small).unwrap_or_default();
    let texts: Vec<String> = small.iter().map(Source::print).collect();
    let report = format!("seed {seed}: {what}\n{}", texts.join("\n---- next version ----\n"));
    println!("{report}\n");
    report
}

/// A crash is something to complain about, too.
pub fn guarded(check: impl Fn() -> Complaint) -> Complaint {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
    caught.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Some(format!("panicked: {}", text.unwrap_or_default()))
    })
}

/// The seeds of a long test: from `REPROVE_TEST_SEED` on, so that two runs do not do the same, and
/// `REPROVE_TEST_COUNT` of them.
pub fn long(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let start: u64 = number("REPROVE_TEST_SEED").unwrap_or(100_000);
    start..start + number("REPROVE_TEST_COUNT").unwrap_or(usual)
}

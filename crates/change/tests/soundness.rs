//! What the comparison calls the same is the same: after the new program's functions and globals got the
//! names of their old partners, their global fingerprints are those of the old program.

#[path = "../../ir/tests/fingerprint/rewrite.rs"]
mod rewrite;

use change::{Comparison, Options, compare};
use ir::fingerprint::{Fingerprints, is_literal};
use ir::{Body, FuncId, GlobalId, InitItem, InitValue, Program, Storage};
use proptest::prelude::*;
use rewrite::{Random, change_constant, reword};

/// Functions that were not translated never count as the same, so there is nothing to say about them.
fn translated(mut program: Program) -> Program {
    for id in program.function_ids() {
        if matches!(program.function(id).body, Body::Poisoned { .. }) {
            program.function_mut(id).body = Body::Extern;
        }
    }
    program
}

/// A few edits that a programmer could make, then the same in other words.
fn edit(program: &Program, random: &mut Random) -> Program {
    let mut new = program.clone();
    for _ in 0..random.below(4) {
        let function = random.below(new.functions.len());
        let global = random.below(new.globals.len());
        match random.below(5) {
            0 => {
                change_constant(&mut new, random);
            }
            1 => {
                let mut copy = ir::Function::clone(&new.functions[function]);
                copy.name = format!("{}.copy", copy.name).into();
                if new.find_function(&copy.name).is_none() {
                    new.add_function(copy);
                }
            }
            2 => new.function_mut(FuncId(function as u32)).name = format!("renamed{function}").into(),
            3 if !new.globals.is_empty() && !is_literal(&new.globals[global]) => {
                new.globals_mut()[global].name = format!("renamed{global}").into();
            }
            4 if !new.globals.is_empty() => {
                let global = &mut new.globals_mut()[global];
                if let (Some(init), Storage::Memory { size: 1.., .. }) = (&mut global.init, global.storage) {
                    let value = InitValue::Bytes(vec![random.below(3) as u8]);
                    init.items = vec![InitItem { offset: 0, value }];
                }
            }
            _ => {}
        }
    }
    let mut names = std::collections::BTreeSet::new();
    let unique = new.functions.iter().all(|f| names.insert(f.name.clone()));
    if unique { reword(&new, random) } else { reword(program, random) }
}

/// The new program under the names of the old one.
fn named_as_before(old: &Program, new: &Program, comparison: &Comparison) -> Program {
    let mut out = new.clone();
    for id in new.function_ids() {
        out.function_mut(id).name = match comparison.matching.old_function(id) {
            Some(partner) => old.function(partner).name.clone(),
            None => format!("new function {}", id.0).into(),
        };
    }
    for (id, global) in (0..).map(GlobalId).zip(out.globals_mut()).filter(|(_, g)| !is_literal(g)) {
        global.name = match comparison.matching.old_global(id) {
            Some(partner) => old.global(partner).name.clone(),
            None => format!("new global {}", id.0).into(),
        };
    }
    out
}

proptest! {
    #[test]
    fn the_same_is_the_same(program in ir::testing::program(), seed: u64) {
        let old = translated(program);
        let new = edit(&old, &mut Random(seed));
        let comparison = compare(&old, &new, &Options::default());
        let renamed = named_as_before(&old, &new, &comparison);
        let (a, b) = (Fingerprints::compute(&old), Fingerprints::compute(&renamed));
        for change in &comparison.functions {
            let (Some(x), Some(y)) = (&change.old, &change.new) else { continue };
            if change.state.is_same() {
                prop_assert_eq!(a.function(x.id).global, b.function(y.id).global, "{:?}", change);
                prop_assert!(change.new.as_ref().is_none_or(|n| n.name != "main")
                    || a.entry(&old, x.id) == b.entry(&renamed, y.id), "{:?}", change);
            } else {
                prop_assert!(!change.why.is_empty());
            }
        }
        for change in comparison.loops.iter().filter(|c| c.state.is_same()) {
            let (Some(x), Some(y)) = (&change.old, &change.new) else { continue };
            let (x, y) = (a.loop_(x.id.function, x.id.id), b.loop_(y.id.function, y.id.id));
            prop_assert_eq!(x.global, y.global, "{:?}", change);
        }
    }

    /// Without renaming, what is not called the same is really different (but for shared literals).
    #[test]
    fn the_different_is_different(program in ir::testing::program(), seed: u64) {
        let old = translated(program);
        let mut new = old.clone();
        let random = &mut Random(seed);
        change_constant(&mut new, random);
        let new = reword(&new, random);
        let comparison = compare(&old, &new, &Options { entry: String::new(), ..Options::default() });
        let (a, b) = (Fingerprints::compute(&old), Fingerprints::compute(&new));
        for change in &comparison.functions {
            let (Some(x), Some(y)) = (&change.old, &change.new) else {
                return Err(TestCaseError::fail(format!("{change:?}")));
            };
            let (x, y) = (a.function(x.id), b.function(y.id));
            prop_assert_eq!(change.state.is_same(), x.global == y.global, "{:?}", change);
            prop_assert_eq!(change.state == change::State::Changed, x.local != y.local, "{:?}", change);
        }
    }

    #[test]
    fn other_words_are_no_change(program in ir::testing::program(), seed: u64) {
        let old = translated(program);
        let new = reword(&old, &mut Random(seed));
        let comparison = compare(&old, &new, &Options::default());
        prop_assert!(comparison.is_identical(), "{:?}", comparison.rows());
        prop_assert!(comparison.loops.iter().all(|l| l.state.is_same()), "{:?}", comparison.rows());
    }
}

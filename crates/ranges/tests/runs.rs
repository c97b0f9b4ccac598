//! Random programs: what a run does is covered by what the analysis says, and the result is inductive.

use base::Budget;
use interp::{Interp, Options, RandomInputs};
use ir::{CheckKind, FuncId, GlobalId, LocalId, Program, Storage, Var};
use proptest::prelude::*;
use ranges::{Ranges, analyse, counted_as};
use testing::{choices, compile};

/// Is the value of a register, as its bits, among those that are known?
fn covered(program: &Program, ranges: &Ranges, at: (FuncId, ir::NodeId), var: Var, bits: u128) -> bool {
    let storage = match var {
        Var::Local(id) => program.function(at.0).local(id).storage,
        Var::Global(id) => program.global(id).storage,
    };
    let Storage::Register(ty) = storage else { return true };
    let Some(values) = ranges.at(at.0, at.1).and_then(|state| state.get(var)) else { return true };
    let Some(ty) = counted_as(ty, &program.target) else { return false };
    values.contains(ty.value(bits))
}

/// How many values were compared with bounds, or what is wrong.
fn check(program: &Program, entry: FuncId, seeds: std::ops::Range<u64>) -> Result<u32, String> {
    let ranges = analyse(program, entry);
    ranges.check(program)?;
    let watch = program.function_ids().flat_map(|f| {
        let nodes = program.function(f).cfa().map(|cfa| cfa.nodes()).into_iter().flatten();
        nodes.map(move |n| (f, n))
    });
    let options = Options { watch: watch.collect(), max_steps: 2000, max_depth: 100, ..Options::new(entry) };
    let Ok(mut interp) = Interp::new(program, options) else { return Ok(0) };
    let mut bounded = 0;
    for seed in seeds {
        let run = interp.run(&mut RandomInputs::new(seed), &Budget::unlimited());
        for s in &run.snapshots {
            let place = (s.function, s.node);
            let Some(state) = ranges.at(s.function, s.node) else {
                return Err(format!("{place:?} is reached\n{}", ir::print(program)));
            };
            bounded += state.iter().count() as u32;
            let locals = s.locals.iter().enumerate().map(|(i, v)| (Var::Local(LocalId(i as u32)), v));
            let globals = s.globals.iter().enumerate().map(|(i, v)| (Var::Global(GlobalId(i as u32)), v));
            for (var, bits) in locals.chain(globals) {
                if let Some(bits) = bits
                    && !covered(program, &ranges, place, var, *bits)
                {
                    let known = state.get(var);
                    return Err(format!(
                        "{place:?}: {var:?} is {bits:#x}, known {known:?}\n{}",
                        ir::print(program)
                    ));
                }
            }
        }
    }
    Ok(bounded)
}

/// The checks that a program may have besides its own.
const CHECKS: [CheckKind; 3] = [CheckKind::Overflow, CheckKind::Memory, CheckKind::Div];

fn check_c(choices: &[u32], checks: bool) -> Result<u32, String> {
    let text = choices::program(choices);
    let program = compile(&text, if checks { &CHECKS } else { &[] })?;
    let main = program.find_function("main").ok_or("no main")?;
    check(&program, main, 0..4).map_err(|e| format!("{text}\n{e}"))
}

/// More than the default run has time for, if asked.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn c_programs(choices in prop::collection::vec(any::<u32>(), 0..300), checks in any::<bool>()) {
        let result = check_c(&choices, checks);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }

    #[test]
    fn any_program(program in ir::testing::program()) {
        let result = check(&program, FuncId(0), 0..3);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}

/// Programs in which nothing is known would pass all of the above.
#[test]
fn something_is_known() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    let mut bounded = 0;
    for _ in 0..20 {
        let choices: Vec<u32> = (0..200).map(|_| next()).collect();
        bounded += check_c(&choices, false).expect("covered");
    }
    assert!(bounded > 1000, "{bounded}");
}

/// A result that is too small is not inductive, whichever part is.
#[test]
fn what_is_not_inductive_is_found() {
    let source = "int g; int f(int x) { g = x; return x + 1; } int main(void) { int i; for (i = 0; i < 10; i++) f(i); return g; }";
    let program = compile(source, &[]).expect("compiles");
    let main = program.find_function("main").expect("main");
    let ranges = analyse(&program, main);
    assert_eq!(ranges.check(&program), Ok(()));
    // The same program but with other numbers is another one.
    for (old, new) in [
        ("i = 0", "i = -1"),
        ("i < 10", "i < 12"),
        ("x + 1", "x + 2"),
        ("g = x", "g = -x - 1"),
        ("f(i)", "f(i - 1)"),
    ] {
        let other = compile(&source.replace(old, new), &[]).expect("compiles");
        assert!(ranges.check(&other).is_err(), "{new}");
    }
}

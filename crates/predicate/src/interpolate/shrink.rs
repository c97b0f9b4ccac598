//! Questions that are not worth long, and cores that need less.

use logic::Term;
use rustc_hash::FxHashSet;
use smt::{SatResult, Solver, Z3Solver};

/// For one question. That a long path has a run can be much harder to see than that it has none.
const FEW_RESOURCES: u32 = 50_000;
/// So many may be left open.
const OPEN: usize = 3;

/// Unknown if that takes long.
pub fn soon(solver: &mut Z3Solver, assumed: &[Term]) -> SatResult {
    let before = solver.settings().resources;
    solver.set_resources(Some(before.map_or(FEW_RESOURCES, |most| most.min(FEW_RESOURCES))));
    let answer = solver.check(assumed);
    solver.set_resources(before);
    answer
}

/// Some of the last core that still contradict what the solver was told: parts are left out one by one, as
/// long as the tries suffice. Each pass asks again with what is left, which often needs less. A part too many
/// does little harm.
pub fn shrink(solver: &mut Z3Solver, mut core: Vec<Term>, tries: usize) -> Vec<Term> {
    let (mut kept, mut open) = (0, 0);
    for _ in 0..tries {
        if kept == core.len() || open > OPEN {
            break;
        }
        let mut without = core.clone();
        without.remove(kept);
        match soon(solver, &without) {
            SatResult::Unsat => {
                let smaller: FxHashSet<Term> = solver.unsat_core().into_iter().collect();
                // What was kept because nobody knew may go now.
                kept = core[..kept].iter().filter(|t| smaller.contains(t)).count();
                core.retain(|t| smaller.contains(t));
            }
            SatResult::Sat => kept += 1,
            SatResult::Unknown(_) => {
                kept += 1;
                open += 1;
            }
        }
    }
    core
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;
    use logic::parse::{Scope, parse_term};

    /// The path, a core, and what is left of it.
    fn check(path: &str, core: &[&str], tries: usize, expected: &[&str]) {
        let mut scope = Scope::new();
        for name in ["x", "y"] {
            scope.declare(name, &[], Sort::Int);
        }
        let read = |text: &str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut solver = Z3Solver::new(smt::Settings::default()).unwrap_or_else(|e| panic!("{e}"));
        solver.assert(read(path));
        let core = core.iter().map(|t| read(t)).collect();
        let expected: Vec<Term> = expected.iter().map(|t| read(t)).collect();
        assert_eq!(shrink(&mut solver, core, tries), expected, "{path}");
        assert_eq!(solver.settings().resources, None);
    }

    #[test]
    fn parts_that_are_not_needed_are_left_out() {
        let core = ["(<= 5 x)", "(<= y 7)", "(<= x 8)"];
        check("(<= x 3)", &core, 10, &["(<= 5 x)"]);
        check("(= x y)", &["(<= 9 x)", "(<= y 7)", "(<= x 20)"], 10, &["(<= 9 x)", "(<= y 7)"]);
        check("(<= x 3)", &core, 0, &core);
    }
}

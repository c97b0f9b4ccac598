//! One query on its own, with all the preprocessing that there is time for.
//!
//! Measured on 43 queries as equivalence proofs ask them, with states, steps and heaps of integers (8) and of
//! 32 and 64 bits (35); milliseconds, timeout 5 s, Z3 5.4:
//!
//! | query (32 bits / 64 bits) | core | logic QF_ABV | these tactics | these, then bit-blast and sat |
//! |---|---|---|---|---|
//! | one step under `x1 = x2, y1 + s = y2`, equal | 1905 / timeout | 1.2 / 1.1 | 0.3 / 0.4 | 0.3 / 0.4 |
//! | the same, not equal | 6 / 49 | 1.6 / 5.6 | 0.7 / 1.3 | 10 / 29 |
//! | twelve steps with choices, not equal | 133 / 960 | 200 / 1279 | 14 / 214 | 45 / 1490 |
//! | `x*y = 391` | 9 / 62 | 27 / 117 | 8 / 33 | 22 / 160 |
//! | bytes of a word written and read back | 39 / 1 | 5.6 / 1.8 | 0.5 / 5 | 0.4 / 0.9 |
//! | two stores in either order, equal | 1.9 / 10 | 3.0 / 8 | 2.4 / 7 | no answer |
//!
//! The tactics win or come second on nearly every row, for integers too (0.6 against 1.1 to 7 ms on a step),
//! so there is nothing to choose. What none of them proves within 5 s: signed division by 10 against an
//! unsigned one in 64 bits, four conditional swaps at symbolic places of a bit-vector array, twelve steps
//! that wrap integers with `mod`.

use crate::define::Definitions;
use crate::model::Model;
use crate::products;
use crate::solver::{SatResult, Settings, Solver, Strategy, Why, Z3Solver};
use logic::Term;
use std::time::Duration;

const TACTICS: &[&str] = &["simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "simplify", "smt"];

/// For a query in which products are unknown numbers.
const LINEAR: Duration = Duration::from_millis(300);

/// Satisfiable together? The settings' strategy does not matter.
pub fn one_shot(assertions: &[Term], settings: &Settings) -> (SatResult, Option<Model>) {
    let mut definitions = Definitions::default();
    for &formula in assertions {
        definitions.add(formula);
    }
    let formulas = definitions.flush();
    if formulas.iter().any(|f| f.is_false()) {
        return (SatResult::Unsat, None);
    }
    if let Some(linear) = products::unknown(&formulas) {
        let patience = settings.timeout.map_or(LINEAR, |t| t.min(LINEAR));
        if solve(&linear, &settings.clone().timeout(patience)).0 == SatResult::Unsat {
            return (SatResult::Unsat, None);
        }
    }
    solve(&formulas, settings)
}

fn solve(formulas: &[Term], settings: &Settings) -> (SatResult, Option<Model>) {
    let settings = settings.clone().strategy(Strategy::Tactics(TACTICS));
    let incomplete = |reason: String| (SatResult::Unknown(Why::Incomplete(reason)), None);
    let mut solver = match Z3Solver::new(settings) {
        Ok(solver) => solver,
        Err(error) => return incomplete(error.to_string()),
    };
    for &formula in formulas {
        solver.assert(formula);
    }
    let result = solver.check(&[]);
    let model = solver.model();
    (result, model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::r#gen::{Gen, equation_or_formula};
    use logic::{Sort, Value};
    use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        #[test]
        fn agrees_with_the_core(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut g = Gen::new(&bytes);
            let formulas: Vec<Term> = (0..1 + g.pick(5)).map(|_| equation_or_formula(&mut g)).collect();
            let settings = Settings { resources: Some(100_000), ..Settings::default() };
            let (result, model) = one_shot(&formulas, &settings);
            let mut core = Z3Solver::new(settings.strategy(Strategy::Core)).unwrap();
            for &f in &formulas {
                core.assert(f);
            }
            let other = core.check(&[]);
            let decided = |r: &SatResult| !matches!(r, SatResult::Unknown(_));
            if decided(&result) && decided(&other) {
                prop_assert_eq!(&result, &other, "{:?}", formulas);
            }
            prop_assert_eq!(result == SatResult::Sat, model.is_some());
            if let Some(model) = model {
                for &f in &formulas {
                    prop_assert!(model.eval_bool(f) == Some(true), "{} of {:?}", f, formulas);
                    let ours = logic::eval(f, &|v| model.eval(v));
                    prop_assert!(ours.is_none_or(|v| v == Value::Bool(true)), "{} of {:?}", f, formulas);
                }
            }
        }
    }

    #[test]
    fn equal_steps_are_equal_in_no_time() {
        let var = |name: &str| Term::var(name, Sort::Bv(64));
        let (x1, x2, y1, y2, s) = (var("x1"), var("x2"), var("y1"), var("y2"), var("s"));
        let three = Term::bv(3, 64);
        let next1 = x1.slt(y1).ite(x1.add(three), x1.sub(y1));
        let next2 = x2.slt(y2.sub(s)).ite(three.add(x2), x2.sub(y2).add(s));
        let known = [x1.equals(x2), y1.add(s).equals(y2)];
        let settings = Settings::default().timeout(Duration::from_secs(5));
        let check = |goal: Term, expected: SatResult| {
            let (result, _) = one_shot(&[known[0], known[1], goal], &settings);
            assert_eq!(result, expected);
            // The incremental solver sees it, too.
            let mut solver = Z3Solver::new(settings.clone()).unwrap();
            known.iter().for_each(|k| solver.assert(*k));
            assert_eq!(solver.check(&[goal]), expected);
        };
        check(next1.differs(next2), SatResult::Unsat);
        check(next1.differs(next2.add(three)), SatResult::Sat);
    }
}

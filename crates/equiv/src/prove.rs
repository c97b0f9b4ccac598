//! One attempt at a proof: a product under one plan, solved by the portfolio's members in turn.

use crate::product::{self, Contract, Product, Setup};
use crate::space::{Effort, spaces};
use crate::{prepare, side::Side};
use base::Budget;
use encode::{IntMode, Regions, Unsupported};
use horn::candidates::{self, Outcome};
use horn::{Solution, Unknown};
use ir::{FuncId, LoopForest, NodeId, Program};
use logic::Term;
use smt::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// What a plan decides.
#[derive(Clone, Debug)]
pub struct Plan {
    pub mode: IntMode,
    pub couplings: BTreeMap<(FuncId, FuncId), BTreeSet<(NodeId, NodeId)>>,
    pub same: [BTreeMap<FuncId, String>; 2],
    pub matched: BTreeSet<(FuncId, FuncId)>,
    pub effort: Effort,
    /// Split on comparisons of the code, not only on what loops do.
    pub splits: usize,
}

pub enum Attempt {
    Proved { product: Product, solution: Solution },
    Failed { product: Product, formulas: Option<Solution>, why: String },
    Unknown(Unknown),
}

/// Heads of loops at the same depth are coupled, in order if there are equally many.
pub fn default_couplings(programs: [&Program; 2], functions: [FuncId; 2]) -> BTreeSet<(NodeId, NodeId)> {
    let forests = [0, 1].map(|i| programs[i].function(functions[i]).cfa().map(LoopForest::of));
    let [Some(old), Some(new)] = forests else { return BTreeSet::new() };
    let heads = |forest: &LoopForest, depth: u32| -> Vec<NodeId> {
        forest.loops().iter().filter(|l| l.depth == depth).map(|l| l.header).collect()
    };
    let mut couplings = BTreeSet::new();
    for depth in 1.. {
        let (a, b) = (heads(&old, depth), heads(&new, depth));
        if a.is_empty() || b.is_empty() {
            break;
        }
        if a.len() == b.len() {
            couplings.extend(a.into_iter().zip(b));
        } else {
            couplings.extend(a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y))));
        }
    }
    couplings
}

pub fn attempt(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    contract: &dyn Contract,
    plan: &Plan,
    budget: &Budget,
) -> Result<Attempt, Unsupported> {
    let regions = Regions::analyse(&programs, &[vec![functions[0]], vec![functions[1]]]);
    let prints = [0, 1].map(|i| prepare::footprints_of(programs[i], i, &regions));
    let own = [0, 1].map(|i| &prints[i][functions[i].0 as usize]);
    let tracked = prepare::track(programs, functions, own, &regions, plan.mode, contract.equal_inputs())?;
    let setup = Setup {
        programs,
        functions,
        mode: plan.mode,
        regions: &regions,
        footprints: [&prints[0], &prints[1]],
        tracked: &tracked,
        couplings: plan.couplings.clone(),
        same: plan.same.clone(),
        matched: plan.matched.clone(),
        contract,
    };
    let product = product::build(&setup)?;
    let spaces = spaces(&product, plan.mode, &[], plan.effort);
    let settings = Settings::default();
    match candidates::solve(&product.system, &spaces, &settings, budget) {
        Outcome::Solved(solution) => Ok(Attempt::Proved { product, solution }),
        Outcome::Insufficient { query, formulas, values } => {
            let why = format!("{}: {:?}", product.system.clauses[query].label, values);
            Ok(Attempt::Failed { product, formulas: Some(formulas), why })
        }
        Outcome::Unknown(unknown) => Ok(Attempt::Unknown(unknown)),
    }
}

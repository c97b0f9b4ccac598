//! One attempt at a proof: a product of one shape in one encoding, and a space to search.

use crate::prepare;
use crate::product::{self, Contract, Product, Setup};
use crate::shape::Shape;
use crate::template::{Effort, templates};
use base::Budget;
use encode::version::{Constants, Tracked};
use encode::{IntMode, Regions, Unsupported};
use horn::sample::{self, Points};
use horn::symbolic_abstraction::{self, Outcome};
use horn::{Solution, Unknown};
use ir::fingerprint::Fingerprints;
use ir::{CallGraph, ExprKind, FuncId, LoopForest, NodeId, Program, Storage, Var};
use smt::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub type Couplings = BTreeMap<(FuncId, FuncId), BTreeSet<(NodeId, NodeId)>>;

/// What is fixed about calls, whatever the shape.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Functions that are the same in both versions, with a common name.
    pub same: [BTreeMap<FuncId, String>; 2],
    /// Functions whose calls are matched.
    pub matched: BTreeSet<(FuncId, FuncId)>,
}

pub enum Attempt {
    Proved {
        product: Product,
        solution: Solution,
    },
    /// The space has no proof; the least formulas in it are a start for others.
    Failed {
        product: Product,
        formulas: Option<Solution>,
    },
    Unknown(Unknown),
}

/// The clauses of a shape.
pub fn product(
    shape: &Shape,
    links: &Links,
    couplings: &Couplings,
    eager: bool,
    contract: &dyn Contract,
    mode: IntMode,
) -> Result<Product, Unsupported> {
    made(shape, links, couplings, eager, None, contract, mode)
}

/// The same with all executions up to a bound on the rounds of loops, in one step.
pub fn unwound(
    shape: &Shape,
    bound: u32,
    contract: &dyn Contract,
    mode: IntMode,
    budget: &Budget,
) -> Result<Product, Unsupported> {
    made(shape, &Links::default(), &Couplings::new(), false, Some((bound, budget)), contract, mode)
}

fn made(
    shape: &Shape,
    links: &Links,
    couplings: &Couplings,
    eager: bool,
    unwind: Option<(u32, &Budget)>,
    contract: &dyn Contract,
    mode: IntMode,
) -> Result<Product, Unsupported> {
    let programs = [&shape.programs[0], &shape.programs[1]];
    let functions = shape.functions;
    let regions = Regions::analyse(&programs, &[vec![functions[0]], vec![functions[1]]]);
    let prints = [0, 1].map(|i| prepare::footprints_of(programs[i], i, &regions));
    let own = [0, 1].map(|i| &prints[i][functions[i].0 as usize]);
    if let Some(name) = kept_differently(programs, functions) {
        return Err(Unsupported(format!(
            "the global {name} is of another type, or its address is taken in one version only"
        )));
    }
    if own.iter().any(|p| p.pointer) && !pointers_mean_the_same(programs) {
        return Err(Unsupported(
            "calls through pointers, while a function that they may reach changed".to_owned(),
        ));
    }
    let tracked =
        Tracked::new(programs, functions, own, (mode, &regions), contract.equal_memory(), Constants::Both)?;
    let setup = Setup {
        programs,
        functions,
        mode,
        regions: &regions,
        footprints: [&prints[0], &prints[1]],
        tracked: &tracked,
        eager,
        unwind,
        couplings: couplings.clone(),
        same: links.same.clone(),
        matched: links.matched.clone(),
        contract,
    };
    product::build(&setup)
}

/// A global that both versions have and use, as a register in one and in memory in the other, or with
/// different types: its values could not be compared.
fn kept_differently(programs: [&Program; 2], functions: [FuncId; 2]) -> Option<String> {
    let used = [0, 1].map(|i: usize| {
        let program = programs[i];
        let mut names = BTreeSet::new();
        for f in CallGraph::of(program).reachable(&[functions[i]]) {
            for edge in program.function(f).cfa().map(|c| c.edges()).unwrap_or_default() {
                if let Some(Var::Global(id)) = edge.op.written() {
                    names.insert(program.global(id).name.clone());
                }
                for e in edge.op.exprs() {
                    e.walk(&mut |part| {
                        if let ExprKind::Global(id) | ExprKind::AddrGlobal(id) = part.kind {
                            names.insert(program.global(id).name.clone());
                        }
                    });
                }
            }
        }
        names
    });
    let differs = |name: &str| {
        let storage = programs.map(|p| p.find_global(name).map(|id| p.global(id).storage));
        match storage {
            [Some(Storage::Register(a)), Some(Storage::Register(b))] => a != b,
            [Some(Storage::Memory { .. }), Some(Storage::Memory { .. })] | [None, _] | [_, None] => false,
            _ => true,
        }
    };
    used.iter().flatten().find(|name| differs(name)).map(|name| name.to_string())
}

/// Are all functions whose address is taken the same in both versions?
fn pointers_mean_the_same(programs: [&Program; 2]) -> bool {
    let taken = programs.map(|p| {
        let defined = ir::pointees::address_occurs(p).into_iter().filter(|f| p.function(*f).cfa().is_some());
        defined.collect::<Vec<_>>()
    });
    if taken.iter().all(Vec::is_empty) {
        return true;
    }
    let prints = programs.map(Fingerprints::compute);
    let same = |f: FuncId, from: usize, to: usize| {
        let other = programs[to].find_function(&programs[from].function(f).name);
        other.is_some_and(|g| prints[from].function(f).global == prints[to].function(g).global)
    };
    taken[0].iter().all(|f| same(*f, 0, 1)) && taken[1].iter().all(|g| same(*g, 1, 0))
}

/// Runs of the clauses that give points to start from.
const RUNS: u64 = 30;
/// For one query about products of variables.
const PRODUCTS: Duration = Duration::from_millis(100);

/// Looks for a solution of a product among equations and candidates. Whoever uses it has it checked.
pub fn candidates(product: Product, mode: IntMode, effort: Effort, budget: &Budget) -> Attempt {
    // One query that is too hard must not use up the time of all others.
    let patience = budget.left().map(|left| left / 3);
    // Solvers find models of products late or never.
    let (points, patience) = match effort.products {
        true => (sample::points(&product.system, RUNS), Some(PRODUCTS)),
        false => (Points::new(), patience),
    };
    let settings = Settings { timeout: patience, ..Settings::default().budget(budget) };
    let templates = templates(&product, mode, effort, &points);
    match symbolic_abstraction::solve(&product.system, &templates, &points, &settings, budget) {
        Outcome::Solved(solution) => Attempt::Proved { product, solution },
        Outcome::Insufficient { formulas, .. } => Attempt::Failed { product, formulas: Some(formulas) },
        Outcome::Unknown(why) => Attempt::Unknown(why),
    }
}

/// Which loops run together where there are more on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairing {
    /// Each with each.
    All,
    /// The first ones, or the last ones, in order.
    First,
    Last,
}

/// Heads of loops at the same depth are coupled, in order if there are equally many.
pub fn couplings(
    programs: [&Program; 2],
    functions: [FuncId; 2],
    pairing: Pairing,
) -> BTreeSet<(NodeId, NodeId)> {
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
        let both = a.len().min(b.len());
        match pairing {
            _ if a.len() == b.len() => couplings.extend(a.into_iter().zip(b)),
            Pairing::All => couplings.extend(a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)))),
            Pairing::First => couplings.extend(a.into_iter().zip(b)),
            Pairing::Last => {
                let (skip_a, skip_b) = (a.len() - both, b.len() - both);
                couplings.extend(a.into_iter().skip(skip_a).zip(b.into_iter().skip(skip_b)));
            }
        }
    }
    couplings
}

/// The couplings of all function pairs of a shape.
pub fn all_couplings(shape: &Shape, links: &Links, pairing: Pairing) -> Couplings {
    let programs = [&shape.programs[0], &shape.programs[1]];
    let own = (shape.functions[0], shape.functions[1]);
    let pairs = links.matched.iter().copied().chain([own]);
    pairs.map(|(f, g)| ((f, g), couplings(programs, [f, g], pairing))).collect()
}

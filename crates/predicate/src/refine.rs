//! Counterexample analysis: is a path feasible, and if not, which predicates rule it out?
//!
//! Interpolants of the path's tree of formulas are taken apart into atoms, and each becomes a predicate of
//! the fragment that its point belongs to. A path that is feasible up to its holes is neither: the holes must
//! be looked into first.

use crate::feasibility::{Progress, Search, in_order, placed};
use crate::formula::{Builder, Passage, Place, Point, Tree};
use crate::input_vector::nearness;
use crate::interpolate::demands;
use crate::model::{Fragment, Model};
use crate::path::Path;
use crate::predicates::Predicates;
use crate::reachability::Halt;
use base::{Budget, Work};
use encode::Unsupported;
use horn::abstraction::{TreeNode, tree_interpolants};
use logic::{Op, Sort, Term, free_vars, size, subterms_in};
use smt::{SatResult, Settings, Solver, Strategy, Why, Z3Solver, one_shot};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub enum Analysis {
    Feasible(Feasible),
    Infeasible(Tree),
    /// The solver cannot tell.
    Open(String, Tree),
}

pub struct Feasible {
    pub found: Option<smt::Model>,
    pub passages: Vec<Passage>,
    formulas: Vec<Term>,
}

/// A search for a run that was not finished is left in `search`, and taken up again if there is one.
pub fn analyse(
    model: &Model,
    predicates: &mut Predicates,
    path: &Path,
    search: &mut Option<Search>,
    patience: Duration,
    budget: &Budget,
) -> Result<Analysis, Halt> {
    let (tree, passages) = Builder::new(model, predicates).build(path)?;
    let formulas = in_order(&tree);
    budget.check(0)?;
    // With holes only that there is no model is worth knowing.
    let methods: &[Method] = if path.holes().is_empty() { &Method::ALL } else { &Method::ALL[..2] };
    let (result, found) = ask(&formulas, methods, search, patience, budget);
    budget.check(0)?;
    Ok(match result {
        SatResult::Sat => Analysis::Feasible(Feasible { found, passages, formulas }),
        SatResult::Unsat => Analysis::Infeasible(tree),
        SatResult::Unknown(Why::Incomplete(why)) => Analysis::Open(why, tree),
        SatResult::Unknown(why) => Analysis::Open(why.to_string(), tree),
    })
}

impl Feasible {
    /// A model in which pointers stay where they can be followed, if this one is none: so many bits from
    /// where they were. It may go another way, on which other pointers are moved.
    pub fn nearer(&self, model: &Model, from: &smt::Model, bits: u32, budget: &Budget) -> Option<smt::Model> {
        let mut formulas = self.formulas.clone();
        let mut best = None;
        for _ in 0..TURNS {
            let near = nearness(model, best.as_ref().unwrap_or(from), &self.passages, bits);
            if near.is_empty() {
                return best;
            }
            formulas = placed(&formulas, near);
            let (SatResult::Sat, better) =
                ask(&formulas, &Method::ALL, &mut None, PATIENCE_FOR_NEARER, budget)
            else {
                return None;
            };
            best = Some(better?);
        }
        None
    }
}

const TURNS: u32 = 2;
const PATIENCE_FOR_NEARER: Duration = Duration::from_secs(2);

/// Whether a long path has a model is a matter of luck, too: what one way does not find soon, another may.
fn ask(
    formulas: &[Term],
    methods: &[Method],
    search: &mut Option<Search>,
    patience: Duration,
    budget: &Budget,
) -> (SatResult, Option<smt::Model>) {
    let start = Work::now();
    let open = || (SatResult::Unknown(Why::Timeout), None);
    let mut answer = open();
    let shares: u32 = methods.iter().map(|method| method.share()).sum();
    for round in 0..ROUNDS {
        let time = (patience * (1 << round) / (shares << ROUNDS)).max(LEAST);
        let settings = Settings { seed: round, ..Settings::default().budget(budget).timeout(time) };
        for &method in methods {
            if start.elapsed() >= patience || budget.check(0).is_err() {
                return answer;
            }
            answer = match method {
                Method::Tactics => one_shot(formulas, &settings),
                Method::Core => core(formulas, settings.clone()),
                Method::Steps => {
                    let mut taken = search.take().or_else(|| Search::new(formulas, &settings));
                    match taken.as_mut().map(|search| search.go_on(time * method.share())) {
                        Some(Progress::Found(model)) => (SatResult::Sat, Some(model)),
                        Some(Progress::Later) => {
                            *search = taken;
                            open()
                        }
                        Some(Progress::Stuck) | None => open(),
                    }
                }
            };
            if !matches!(answer.0, SatResult::Unknown(Why::Timeout)) {
                return answer;
            }
        }
    }
    answer
}

#[derive(Clone, Copy)]
enum Method {
    Tactics,
    Core,
    /// Finds models, and nothing else.
    Steps,
}

impl Method {
    const ALL: [Method; 3] = [Method::Tactics, Method::Core, Method::Steps];

    /// Of the time. Step by step there are many questions.
    fn share(self) -> u32 {
        match self {
            Method::Tactics | Method::Core => 1,
            Method::Steps => 6,
        }
    }
}

/// Each twice as long as the one before.
const ROUNDS: u32 = 4;
/// With less time nothing is found.
const LEAST: Duration = Duration::from_millis(10);

fn core(formulas: &[Term], settings: Settings) -> (SatResult, Option<smt::Model>) {
    let Ok(mut solver) = Z3Solver::new(settings.strategy(Strategy::Core)) else {
        return (SatResult::Unknown(Why::Timeout), None);
    };
    formulas.iter().for_each(|t| solver.assert(*t));
    let result = solver.check(&[]);
    let model = solver.model();
    (result, model)
}

/// Paths of at most this many steps are worth the slower way, whose predicates are more general.
const SHORT: usize = 14;
/// If they are no larger than this: a step can be a whole program.
const SMALL: usize = 1000;
/// In Z3's units, some seconds for each question.
const RESOURCES: u32 = 5_000_000;

/// For interpolants that are nice to have, where there is a faster way.
const PATIENCE_FOR_GENERAL: Duration = Duration::from_secs(2);

/// Predicates that rule the path out, by fragment: first the atoms of the interpolants. Where these are known
/// already, they were not told apart in all their combinations; then the combinations that matter.
pub fn predicates(
    model: &Model,
    tree: &Tree,
    thorough: bool,
    budget: &Budget,
) -> Result<[Vec<(Fragment, Term)>; 2], Halt> {
    let small = tree.nodes.len() <= SHORT && size(Term::all(tree.nodes.iter().map(|n| n.formula))) <= SMALL;
    let soon = budget.within(PATIENCE_FOR_GENERAL);
    let mut found = match (thorough, small) {
        (true, _) => by_interpolants(model, tree, true, budget),
        (false, true) => {
            by_interpolants(model, tree, false, &soon).or_else(|| by_demands(model, tree, budget))
        }
        (false, false) => by_demands(model, tree, budget),
    };
    budget.check(0)?;
    if found.is_none() && !thorough {
        found = by_interpolants(model, tree, false, budget);
        budget.check(0)?;
    }
    match found {
        Some(mut learned) => {
            identities(model, tree, &mut learned.atoms);
            let all = [learned.atoms, learned.combinations];
            Ok(all
                .map(|list| list.into_iter().map(|(_, fragment, predicate)| (fragment, predicate)).collect()))
        }
        None if thorough => {
            Err(Halt::Unsupported(Unsupported("no interpolants for a path that is infeasible".to_owned())))
        }
        None => Ok([Vec::new(), Vec::new()]),
    }
}

#[derive(Default)]
struct Learned {
    atoms: Predicated,
    combinations: Predicated,
}

/// With the instance that each was learned in.
type Predicated = Vec<(u32, Fragment, Term)>;

fn by_demands(model: &Model, tree: &Tree, budget: &Budget) -> Option<Learned> {
    let settings = Settings { resources: Some(RESOURCES), ..Settings::default().budget(budget) };
    let demands = demands(model, tree, &mut Z3Solver::new(settings).ok()?)?;
    let mut learned = Learned::default();
    for (n, node) in tree.nodes.iter().enumerate() {
        if let Some(demand) = demands.get(&n) {
            let demand = Term::all(demand.iter().copied());
            let cases = if *demand.op() == Op::Or { demand.args().to_vec() } else { vec![demand] };
            learned.learn(model, &node.point, demand, cases);
        }
    }
    Some(learned)
}

fn by_interpolants(model: &Model, tree: &Tree, thorough: bool, budget: &Budget) -> Option<Learned> {
    let last = tree.nodes.len() - 1;
    let nodes: Vec<TreeNode> = tree
        .nodes
        .iter()
        .zip(&shared(tree))
        .rev()
        .map(|(n, edge)| TreeNode {
            formula: n.formula,
            edge: edge.clone(),
            parent: n.parent.map(|p| last - p),
        })
        .collect();
    let found = tree_interpolants(&nodes, thorough, budget).ok()?;
    let mut learned = Learned::default();
    for (node, formulas) in tree.nodes.iter().rev().zip(found) {
        for formula in formulas.into_iter().take(if thorough { 2 } else { 1 }) {
            learned.learn(model, &node.point, formula, formula.conjuncts());
        }
    }
    Some(learned)
}

/// Where a value from the entry is needed later, and the variable still has it, that has to be known, too: on
/// the path there is only one version of it, of which interpolants say nothing.
fn identities(model: &Model, tree: &Tree, list: &mut Predicated) {
    let mut needed: BTreeSet<(u32, Term)> = BTreeSet::new();
    for (instance, fragment, predicate) in list.iter() {
        let Ok(view) = model.view(fragment.function()) else { continue };
        needed
            .extend(free_vars(*predicate).iter().filter_map(|v| view.to_now.get(v)).map(|x| (*instance, *x)));
    }
    for node in &tree.nodes {
        let (point, Place::Cut(cut)) = (&node.point, node.point.place) else { continue };
        let Ok(view) = model.view(point.function) else { continue };
        let own = needed.iter().filter(|(instance, _)| *instance == point.instance());
        for (_, x) in own {
            if let Some(old) = view.to_old.get(x)
                && point.is_unchanged(*x)
                && model.is_untouched(point.function, cut, *x) == Ok(false)
            {
                let fragment = model.fragment_of(point.function, cut);
                list.push((point.instance(), fragment, x.equals(*old)));
            }
        }
    }
}

impl Learned {
    /// From an interpolant or its negation, and the combinations of its atoms that are enough to say it.
    fn learn(&mut self, model: &Model, point: &Point, formula: Term, combinations: Vec<Term>) {
        let atoms = atoms(formula);
        for part in
            combinations.into_iter().filter(|part| !atoms.contains(part) && !atoms.contains(&part.not()))
        {
            add(model, point, part, &mut self.combinations);
        }
        for atom in atoms {
            add(model, point, atom, &mut self.atoms);
        }
    }
}

fn add(model: &Model, point: &Point, formula: Term, list: &mut Predicated) {
    let fragment = match point.place {
        Place::Cut(cut) => model.fragment_of(point.function, cut),
        Place::Exit => Fragment::Function(point.function),
        Place::Error => return,
    };
    let Some(predicate) = point.back(model, formula) else { return };
    if predicate.is_true() || predicate.is_false() || free_vars(predicate).is_empty() {
        return;
    }
    list.push((point.instance(), fragment, predicate));
    // What holds of the values at the entry can be seen there.
    if let Ok(view) = model.view(point.function)
        && free_vars(predicate).iter().all(|v| view.is_old(*v) || encode::names::is_address(*v))
    {
        let entry = Fragment::Function(point.function);
        list.push((point.instance(), entry, view.as_now().apply(predicate)));
    }
}

/// The variables that a node's subtree shares with the rest.
fn shared(tree: &Tree) -> Vec<Vec<Term>> {
    let own: Vec<_> = tree.nodes.iter().map(|n| free_vars(n.formula)).collect();
    let mut everywhere: BTreeMap<Term, usize> = BTreeMap::new();
    for v in own.iter().flatten() {
        *everywhere.entry(*v).or_default() += 1;
    }
    let mut inside: Vec<BTreeMap<Term, usize>> = vec![BTreeMap::new(); own.len()];
    for n in 0..own.len() {
        let mut counts = std::mem::take(&mut inside[n]);
        for v in &own[n] {
            *counts.entry(*v).or_default() += 1;
        }
        counts.retain(|v, count| *count < everywhere[v]);
        if let Some(parent) = tree.nodes[n].parent {
            for (v, count) in &counts {
                *inside[parent].entry(*v).or_default() += count;
            }
        }
        inside[n] = counts;
    }
    inside.into_iter().map(|counts| counts.into_keys().collect()).collect()
}

/// The parts of a formula that are no combinations of others.
pub fn atoms(formula: Term) -> Vec<Term> {
    let boolean = |t: Term| t.sort() == Sort::Bool;
    let combines = |t: Term| match t.op() {
        Op::And | Op::Or | Op::Not => true,
        Op::Ite => boolean(t.args()[1]),
        Op::Eq => boolean(t.args()[0]),
        _ => false,
    };
    subterms_in([formula], |t| if combines(t) { t.args() } else { &[] }).filter(|t| !combines(*t)).collect()
}

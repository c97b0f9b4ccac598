//! Concrete differences, as the question defines them.
//!
//! Searches with `concrete` for inputs that satisfy the user's conditions; for mathematical integers a
//! difference counts only if no number on the way left its type (`unbounded` computes without types).
//! Collects what makes a proof doubtful: inputs on which one version ended and the other did not.

use crate::concrete::{
    self, Compared, Comparer, Difference, Effort, ExternRule, Input, NoEnd, Observation, Options, Pair, Rest,
    Value, Watch, search_with,
};
use crate::endless;
use crate::model_input;
use crate::product::Product;
use crate::shape::Shape;
use crate::spec::{CBinding, Condition, ConditionKind, InputEquality, Name, NoMemory, Side, Values};
use crate::symbolic::Guess;
use crate::verdict::{Integers, Request};
use engine::Undecided;
use horn::Derivation;
use ir::{NodeId, Program, Storage, Type};
use logic::Term;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

pub struct Differ<'a> {
    request: &'a Request<'a>,
    options: Options,
    comparer: Comparer<'a>,
    /// Inputs that differ in machine arithmetic only.
    refuted: RefCell<BTreeSet<String>>,
    no_end: Vec<NoEnd>,
    summary: String,
    samples: Vec<Input>,
}

/// So many differences of machine arithmetic are looked at before the search gives up.
const MOST_REFUTED: usize = 20;
/// A run on numbers up to this size that takes millions of steps is suspected not to end.
const SMALL: i128 = 1000;

impl<'a> Differ<'a> {
    pub fn new(request: &'a Request<'a>) -> Differ<'a> {
        let mut options = Options::default();
        for (mark, rule) in [
            ("__mark", ExternRule::Constant(u128::MAX)),
            ("__splitmark", ExternRule::Constant(u128::MAX)),
            ("__inlineCall", ExternRule::Argument(0)),
        ] {
            options.externs.insert(mark.to_owned(), rule);
        }
        let comparer = Comparer::new(pair(request), &options);
        let refuted = RefCell::default();
        Differ {
            request,
            options,
            comparer,
            refuted,
            no_end: Vec::new(),
            summary: String::new(),
            samples: Vec::new(),
        }
    }

    /// An input on which the versions differ, as small as it can be made.
    pub fn search(&mut self, effort: &Effort) -> Option<Box<Difference>> {
        let spec = self.request.spec;
        if !self.runs_count() {
            self.summary = "none: functions are assumed to be something else than they are".to_owned();
            return None;
        }
        let effort = Effort { independent: false, ..effort.clone() };
        for _ in 0..MOST_REFUTED {
            let result = {
                let request = self.request;
                let refuted = &self.refuted;
                let accept = |input: &mut Input| {
                    !refuted.borrow().contains(&key(input)) && holds_before(request, input) == Some(true)
                };
                let post = |old: &Observation, new: &Observation, input: &Input| {
                    holds_after(request, old, new, input)
                };
                let post: Option<&concrete::Post> = spec.post.is_some().then_some(&post);
                let watch = Watch::default();
                search_with(&mut self.comparer, &accept, post, &watch, &effort, request.budget)
            };
            self.summary = format!(
                "{} inputs the same, {} excluded",
                result.same,
                result.excluded.values().sum::<u64>()
            );
            if !result.samples.is_empty() {
                self.samples = result.samples;
            }
            self.no_end.extend(result.no_end);
            let difference = result.difference?;
            if self.counts(&difference) {
                return Some(difference);
            }
            self.refuted.borrow_mut().insert(key(&difference.input));
        }
        None
    }

    /// Are functions what they are? The user may say that they are to be taken for something else.
    pub fn runs_count(&self) -> bool {
        let spec = self.request.spec;
        spec.functions.is_empty() && spec.assume_equivalent.is_empty()
    }

    /// What both versions do on an input; the comparison is over, so its budget does not count.
    pub fn story(&mut self, input: &Input, limit: usize) -> Option<concrete::SideBySide> {
        concrete::side_by_side(&mut self.comparer, input, limit, &base::Budget::unlimited())
    }

    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Runs all inputs, if they are few: their number if both versions always do the same.
    pub fn exhaust(&mut self) -> Option<Result<u64, Box<Difference>>> {
        let request = self.request;
        let f = request.pair.old.function(request.functions[0]);
        let types: Option<Vec<ir::IntType>> = f.param_types().map(|t| t.as_int()).collect();
        let types = types?;
        let bits: u32 = types.iter().map(|t| u32::from(t.bits)).sum();
        let plain = request.integers == Integers::Machine
            && request.spec.pre.is_empty()
            && request.spec.post.is_none()
            && request.spec.input_equality == InputEquality::Assumed
            && request.spec.assume_equivalent.is_empty()
            && request.spec.functions.is_empty();
        if !plain || types.is_empty() || bits > MOST_BITS || !arguments_are_all(request) {
            return None;
        }
        let count = 1u64 << bits;
        for n in 0..count {
            let mut rest = u128::from(n);
            let args = types.iter().map(|t| {
                let value = rest & t.mask();
                rest >>= t.bits;
                Value::Bits(value)
            });
            let input = Input::new(args.collect(), Vec::new());
            match self.comparer.compare(&input, None, request.budget) {
                Compared::Same => {}
                Compared::Differs(difference) => return Some(Err(difference)),
                _ => return None,
            }
        }
        Some(Ok(count))
    }

    /// Were there inputs on which both versions did the same?
    pub fn has_samples(&self) -> bool {
        !self.samples.is_empty()
    }

    /// A reason not to believe a proof that is about runs that end.
    pub fn doubt(&self) -> Option<Undecided> {
        let small = |v: &Value| {
            v.bits().is_none_or(|bits| {
                bits as i128 <= SMALL || bits as i32 as i128 >= -SMALL && (bits as i32) < 0
            })
        };
        let suspicious = self.no_end.iter().find(|n| n.input.args.iter().flatten().all(small))?;
        let version = if suspicious.old_ended { Side::New } else { Side::Old };
        let f = self.request.pair.old.function(self.request.functions[0]);
        let params = (0..f.params).map(|i| f.local(ir::LocalId(i)));
        let arguments = params.zip(&suspicious.input.args[0]);
        let arguments = arguments.map(|(local, v)| (local.name.to_string(), show(v, &local.storage)));
        Some(Undecided::MayNotEnd { version, arguments: arguments.collect() })
    }

    /// A version that never ends on a small input on which the other one ends: its state repeats.
    pub fn look_for_endless(&mut self, shape: &Shape) -> Option<Box<Difference>> {
        let repeats = (0..2).any(|side| !shape.heads(side).is_empty());
        if !repeats || self.request.integers == Integers::Unbounded && self.request.spec.post.is_some() {
            return None;
        }
        let effort = Effort {
            inputs: 40,
            steps: 3_000,
            deep_steps: 300_000,
            deep_total: 300_000,
            ..Effort::default()
        };
        if let Some(difference) = self.search(&effort) {
            return Some(difference);
        }
        let candidates: Vec<NoEnd> = self.no_end.clone();
        candidates.iter().find_map(|no_end| endless::confirm(shape, no_end).map(Box::new))
    }

    /// How often loop heads of a shape are visited, in some runs.
    pub fn visits(&mut self, shape: &Shape, heads: &[Vec<NodeId>; 2]) -> Vec<[Vec<u32>; 2]> {
        let pair = Pair {
            old: &shape.programs[0],
            new: &shape.programs[1],
            old_fn: shape.functions[0],
            new_fn: shape.functions[1],
        };
        let on = |side: usize| heads[side].iter().map(|h| (shape.functions[side], *h)).collect();
        let watch = Watch { old: on(0), new: on(1) };
        let mut comparer = Comparer::new(pair, &self.options);
        let inputs = self.samples.iter().take(40);
        inputs.filter_map(|input| comparer.visits(input, &watch, self.request.budget)).collect()
    }

    /// The input that a derivation starts from, run for real.
    pub fn replay(&mut self, product: &Product, derivation: &Derivation) -> Option<Box<Difference>> {
        let values = start_values(product, derivation)?;
        self.confirm(product, &Guess { values, given: BTreeMap::new() })
    }

    /// An input that a solver made, run for real. What the solver leaves open is filled in several ways.
    pub fn confirm(&mut self, product: &Product, guess: &Guess) -> Option<Box<Difference>> {
        let request = self.request;
        if !self.runs_count() {
            return None;
        }
        let mut input = model_input::input(request, &product.layouts, guess)?;
        let post =
            |old: &Observation, new: &Observation, input: &Input| holds_after(request, old, new, input);
        let post: Option<&concrete::Post> = request.spec.post.is_some().then_some(&post);
        if holds_before(request, &input) == Some(false) {
            return None;
        }
        for rest in std::iter::once(Rest::Zero).chain((1..=FILLINGS).map(Rest::Seed)) {
            input.rest = rest;
            if let Compared::Differs(mut difference) = self.comparer.compare(&input, post, request.budget) {
                difference.input.calls.clear();
                if holds_before(request, &difference.input) != Some(false) && self.counts(&difference) {
                    return Some(difference);
                }
            }
        }
        None
    }

    /// An input of an earlier comparison, run again.
    pub fn again(&mut self, input: &Input) -> Option<Box<Difference>> {
        let request = self.request;
        if !self.runs_count() || holds_before(request, input) != Some(true) {
            return None;
        }
        let post =
            |old: &Observation, new: &Observation, input: &Input| holds_after(request, old, new, input);
        let post: Option<&concrete::Post> = request.spec.post.is_some().then_some(&post);
        match self.comparer.compare(input, post, request.budget) {
            Compared::Differs(difference) if self.counts(&difference) => Some(difference),
            _ => None,
        }
    }

    /// Is this a difference in the arithmetic that was asked about?
    fn counts(&self, difference: &Difference) -> bool {
        self.request.integers == Integers::Machine || crate::unbounded::confirms(self.request, difference)
    }
}

/// In how many ways is filled in what a solver leaves open, besides zeroes?
const FILLINGS: u64 = 7;

/// Functions of more bits of arguments are not run on all of them.
const MOST_BITS: u32 = 16;

/// Is what the functions do a matter of their arguments alone?
fn arguments_are_all(request: &Request) -> bool {
    [(request.pair.old, request.functions[0]), (request.pair.new, request.functions[1])].into_iter().all(
        |(program, f)| {
            ir::CallGraph::of(program).reachable(&[f]).into_iter().all(|g| {
                let function = program.function(g);
                let Some(cfa) = function.cfa() else { return crate::side::MARKS.contains(&&*function.name) };
                let alone = |e: &ir::Expr| {
                    let mut alone = true;
                    e.walk(&mut |part| {
                        alone &= match &part.kind {
                            ir::ExprKind::Global(id) => program.global(*id).constant,
                            ir::ExprKind::AddrGlobal(id) => program.global(*id).constant,
                            _ => true,
                        }
                    });
                    alone
                };
                cfa.edges().iter().all(|edge| {
                    let input = matches!(edge.op, ir::Op::Havoc { .. });
                    let global = matches!(edge.op.written(), Some(ir::Var::Global(_)));
                    !input && !global && edge.op.exprs().into_iter().all(alone)
                })
            })
        },
    )
}

fn pair<'a>(request: &Request<'a>) -> Pair<'a> {
    let [old_fn, new_fn] = request.functions;
    Pair { old: request.pair.old, new: request.pair.new, old_fn, new_fn }
}

fn key(input: &Input) -> String {
    format!("{:?}", input.args)
}

fn show(value: &Value, storage: &Storage) -> String {
    match (value.bits(), storage) {
        (Some(bits), Storage::Register(Type::Int(int))) => int.value(bits).to_string(),
        (Some(bits), _) => bits.to_string(),
        (None, _) => "a pointer".to_owned(),
    }
}

/// The values of the clause that everything starts from.
fn start_values<'d>(product: &Product, derivation: &'d Derivation) -> Option<BTreeMap<&'static str, Term>> {
    fn leaves<'d>(d: &'d Derivation, list: &mut Vec<&'d Derivation>) {
        if d.children.is_empty() {
            list.push(d);
        }
        for child in &d.children {
            leaves(child, list);
        }
    }
    let mut list: Vec<&'d Derivation> = Vec::new();
    leaves(derivation, &mut list);
    let start = list.into_iter().find(|d| product.system.clauses[d.clause].label == "inputs")?;
    Some(start.values.iter().filter_map(|(v, t)| Some((v.var_name()?, *t))).collect())
}

/// Do the user's conditions hold of an input? None if that cannot be told.
pub fn holds_before(request: &Request, input: &Input) -> Option<bool> {
    if request.spec.input_equality == InputEquality::Assumed && input.args[0] != input.args[1] {
        return Some(false);
    }
    all(request, &request.spec.pre, input, [None, None])
}

pub fn holds_after(request: &Request, old: &Observation, new: &Observation, input: &Input) -> Option<bool> {
    let conditions = request.spec.post.as_ref()?;
    all(request, conditions, input, [Some(old), Some(new)])
}

fn all(
    request: &Request,
    list: &[Condition],
    input: &Input,
    ends: [Option<&Observation>; 2],
) -> Option<bool> {
    let facts = Facts { request, input, ends };
    let mut sure = true;
    for condition in list {
        let holds = match &condition.kind {
            ConditionKind::Smt(smt) => crate::spec::holds(&smt.term, &facts),
            ConditionKind::C(c) => c.holds(&|binding| facts.binding(binding), &NoMemory),
        };
        match holds {
            Some(false) => return Some(false),
            Some(true) => {}
            None => sure = false,
        }
    }
    sure.then_some(true)
}

/// What conditions can see of one input and two ends.
struct Facts<'f> {
    request: &'f Request<'f>,
    input: &'f Input,
    ends: [Option<&'f Observation>; 2],
}

impl Facts<'_> {
    fn program(&self, side: Side) -> &Program {
        self.request.pair.programs()[side.index()]
    }

    fn param(&self, side: Side, index: u32) -> Option<u128> {
        self.input.args[side.index()].get(index as usize)?.bits()
    }

    fn binding(&self, binding: CBinding) -> Option<u128> {
        match binding {
            CBinding::Param { side, index } => self.param(side, index),
            CBinding::Result { side } => self.ends[side.index()]?.value.as_ref()?.1.bits(),
            CBinding::Global { .. } | CBinding::GlobalAddress { .. } => None,
        }
    }
}

impl Values for Facts<'_> {
    fn name(&self, name: &Name) -> Option<(Type, u128)> {
        match name {
            Name::Var(side, text) => {
                let f = self.program(*side).function(self.request.functions[side.index()]);
                let id = (0..f.params).find(|i| f.local(ir::LocalId(*i)).name == *text)?;
                let Storage::Register(ty) = f.local(ir::LocalId(id)).storage else { return None };
                Some((ty, self.param(*side, id)?))
            }
            Name::Result(side) => {
                let (ty, value) = self.ends[side.index()]?.value.as_ref()?;
                Some((*ty, value.bits()?))
            }
            Name::Heap(_) | Name::Word(_) => None,
        }
    }

    /// Both versions start with the same memory.
    fn heaps_equal(&self) -> Option<bool> {
        self.ends[0].is_none().then_some(true)
    }
}

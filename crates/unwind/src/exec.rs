//! Symbolic execution of the unwound program.
//!
//! A call is executed node by node in the order of [`Order`]; paths that meet are merged, so each node is
//! executed once for each iteration of the loops around it. What a check, an assume or an operation that can
//! end the run demands becomes part of the path's guard; what ends in a failed check is remembered as an
//! error, what was not followed to its end as incomplete.
//!
//! Calls are executed in place. Where a call is *cut* (see `cut`), it gets a formula of its own that shares
//! only variables of its interface with the caller's; otherwise the callee simply continues in the caller's
//! state.

use crate::apply::Known;
use crate::content::Content;
use crate::cut::Interface;
use crate::guard::Guard;
use crate::guess::{Guesses, Guessing};
use crate::objects::{ObjectId, Objects};
use crate::order::Order;
use crate::pointer::{PARAMETERS, Pointers};
use crate::prune::{Oracle, Pruning};
use crate::schedule::{Heads, Next, Schedule};
use crate::state::State;
use crate::widen::{Back, Constants, Ranging};
use base::{Budget, Stopped};
use encode::{IntMode, Regions};
use engine::{Bounds, Invariant, LoopName, Site, Widened};
use ir::{Cfa, EdgeId, FuncId, GlobalId, LocalId, LoopId, NodeId, Op, Program, Storage};
use logic::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CallId(pub u32);

/// One call of the unwound program.
pub struct Call {
    pub parent: Option<CallId>,
    pub function: FuncId,
    /// From the entry to here: names of functions, each with how many calls of it the caller made before.
    pub path: String,
    /// When it is made, in terms of the caller.
    pub guard: Term,
    /// Where it can fail, in terms of the formula it belongs to.
    pub errors: Vec<Term>,
    /// What it shares with its caller, if it is cut off.
    pub interface: Option<Interface>,
    /// The known call whose summary stands for it.
    pub stand: Option<usize>,
}

/// A value from outside.
pub struct Input {
    /// When it is asked for, in terms of the call's formula.
    pub guard: Term,
    pub site: Site,
    pub value: Term,
    pub pointer: bool,
    /// A pointer that unknown code may change: when it does not.
    pub kept: Option<Term>,
}

/// An object made while the program runs.
pub struct Made {
    pub guard: Term,
    pub object: ObjectId,
}

/// Where the execution was not followed.
pub struct Gap {
    pub call: CallId,
    pub guard: Term,
    pub why: Why,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A bound on loops or recursion.
    Bound,
    /// Nobody gets there, it is said (see `prune`).
    Pruned,
    /// More calls at once than are followed.
    Depth,
    /// Something that cannot be expressed.
    Unsupported(String, ir::Pos),
    /// The program does something that has no meaning.
    Undefined(&'static str, ir::Pos),
}

/// How far loops and recursion are followed.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    pub bounds: Bounds,
    /// For so many steps, iterations that no input can avoid do not count.
    pub free: u64,
    /// Calls are cut off from their callers.
    pub cut: bool,
    /// The loops that run from states that stand for all rounds (see `widen`).
    pub widened: Widened,
    pub invariants: Invariants,
    pub pruning: Pruning,
}

/// What is known of loops that are widened.
#[derive(Clone, PartialEq, Debug)]
pub enum Invariants {
    Given(Arc<[Invariant]>),
    /// Any that may be worth a try (see `guess`).
    Guessed(Guessing),
}

impl Invariants {
    pub fn none() -> Invariants {
        Invariants::Given(Arc::new([]))
    }
}

pub struct Exec<'p> {
    pub program: &'p Program,
    pub limits: Limits,
    pub budget: &'p Budget,
    pub objects: Objects,
    pub pointers: Pointers,
    pub(crate) ops: encode::Encoder<'p>,
    /// Where invariants are guessed: the cells that were written to as fields, in order.
    pub(crate) written: Vec<(ObjectId, u64)>,
    pub(crate) frames: Vec<Frame>,
    pub calls: Vec<Call>,
    pub inputs: Vec<Input>,
    pub made: Vec<Made>,
    pub gaps: Vec<Gap>,
    /// Where bounds ended executions, for people: when, in which function, in which loop of it (none: it
    /// calls itself).
    pub ended: Vec<(Term, FuncId, Option<LoopId>)>,
    /// Bytes that nobody wrote.
    pub unwritten: FxHashMap<(ObjectId, u64), Term>,
    /// Pointers among them: where they lie.
    pub unwritten_pointers: Vec<(ObjectId, u64, Term)>,
    /// Pointers in objects that unknown code may change: where they lie, and when they are what they were.
    pub kept_pointers: Vec<(ObjectId, Term, Term)>,
    /// Bytes that nobody wrote, at places that are not known: the offset and the byte.
    pub unwritten_somewhere: Vec<(ObjectId, Term, Term)>,
    /// Pointers among them.
    pub unwritten_pointers_somewhere: Vec<(ObjectId, Term, Term)>,
    /// Objects that were read at unknown places before anybody wrote there.
    pub(crate) arrays: FxHashMap<ObjectId, Term>,
    /// The conditions of calls that may change what they can reach, in order.
    pub havocs: Vec<Term>,
    /// How many objects there were at each of them: those from outside that come later were changed by it
    /// before anybody saw them.
    pub objects_at_havoc: Vec<usize>,
    orders: FxHashMap<FuncId, Rc<Order>>,
    /// What ends the operation at hand.
    pub(crate) traps: Vec<Term>,
    /// What the operation at hand does that has no meaning.
    pub(crate) undefined: Vec<(Term, &'static str)>,
    /// What of the operation at hand is not followed.
    pub(crate) unknown: Vec<(Term, String)>,
    pub steps: u64,
    /// Writes that reads at unknown places had to be compared with.
    pub(crate) compared: u64,
    /// The most iterations of a loop, and calls of a function inside of itself.
    pub deepest: u32,
    /// Names of globals that say the same in the next version: literals are called by their content.
    pub(crate) names: Vec<String>,
    pub(crate) by_name: FxHashMap<String, GlobalId>,
    /// Summaries that may stand for calls.
    pub known: Option<Known>,
    /// Only one call is executed, in a context that is known in part.
    pub(crate) alone: bool,
    /// Bytes nobody wrote, as the context of a call alone knows them.
    pub(crate) unwritten_known: FxHashMap<(ObjectId, u64, u64), Term>,
    pub(crate) widened: Constants,
    /// The loops that are widened, if not all are.
    some_widened: FxHashSet<(FuncId, LoopId)>,
    /// What widened pointers may point into.
    pub(crate) ranging: FxHashMap<Term, Ranging>,
    pub guesses: Guesses,
    /// How many variables of `widen` there are.
    pub(crate) fresh: u32,
    /// Does it matter which heap objects there are, whether or not anybody leads to them?
    pub(crate) heap_matters: bool,
    /// Who is asked what is possible.
    pub oracle: Option<&'p RefCell<dyn Oracle + 'p>>,
    /// An execution that leaves the bounds is of no use to whoever asked for it, and given up.
    pub all_or_nothing: bool,
    /// How many questions there were, and those whose answer was no.
    pub(crate) questions: u64,
    pub pruned: Vec<u64>,
    /// It needed to know more.
    pub missed: bool,
    /// Before the program starts.
    pub(crate) initial: FxHashMap<GlobalId, Term>,
    pub(crate) initial_objects: FxHashMap<ObjectId, Rc<Content>>,
}

/// An active call.
pub struct Frame {
    pub call: CallId,
    pub function: FuncId,
    /// How many calls of each function, and allocations at each edge, were made.
    pub counts: FxHashMap<(bool, u32), u32>,
    /// The caller's state, where the call is cut; else only its locals.
    pub outer: State,
    pub interface: Option<Interface>,
    /// The guard with which it began.
    pub began: Guard,
}

/// Executions are given up.
pub enum Stop {
    Budget(Stopped),
}

impl From<Stopped> for Stop {
    fn from(stopped: Stopped) -> Stop {
        Stop::Budget(stopped)
    }
}

/// Why an operation cannot be executed.
pub(crate) enum Fail {
    Stop(Stop),
    Unsupported(String),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail::Stop(stop)
    }
}

impl From<encode::Unsupported> for Fail {
    fn from(what: encode::Unsupported) -> Fail {
        Fail::Unsupported(what.0)
    }
}

/// What comes out of a call.
pub(crate) struct Returned {
    pub state: State,
    pub value: Option<Term>,
}

/// More calls than this at once are not followed.
const DEEPEST: usize = 3000;
/// As many comparisons of a read with a write take about as long as a step.
const COMPARED_IN_A_STEP: u64 = 8;

impl<'p> Exec<'p> {
    pub fn new(
        program: &'p Program,
        entry: FuncId,
        limits: Limits,
        regions: &'p Regions,
        budget: &'p Budget,
    ) -> Exec<'p> {
        let names = crate::globals::names(program);
        let ops = encode::Encoder::new(program, 0, entry, IntMode::Bv, regions, "");
        let some_widened = match &limits.widened {
            Widened::These(loops) => loops.iter().filter_map(|name| loop_named(program, name)).collect(),
            Widened::Nothing | Widened::All => FxHashSet::default(),
        };
        Exec {
            program,
            limits,
            budget,
            objects: Objects::new(program),
            pointers: Pointers::default(),
            ops,
            written: Vec::new(),
            frames: Vec::new(),
            calls: Vec::new(),
            inputs: Vec::new(),
            made: Vec::new(),
            gaps: Vec::new(),
            ended: Vec::new(),
            unwritten: FxHashMap::default(),
            unwritten_pointers: Vec::new(),
            kept_pointers: Vec::new(),
            unwritten_somewhere: Vec::new(),
            unwritten_pointers_somewhere: Vec::new(),
            arrays: FxHashMap::default(),
            havocs: Vec::new(),
            objects_at_havoc: Vec::new(),
            orders: FxHashMap::default(),
            traps: Vec::new(),
            undefined: Vec::new(),
            unknown: Vec::new(),
            steps: 0,
            compared: 0,
            deepest: 0,
            by_name: names.iter().cloned().zip((0..).map(GlobalId)).collect(),
            names,
            known: None,
            alone: false,
            unwritten_known: FxHashMap::default(),
            widened: Constants::default(),
            some_widened,
            ranging: FxHashMap::default(),
            guesses: Guesses::default(),
            fresh: 0,
            heap_matters: crate::leak::asks_about_heap(program),
            oracle: None,
            all_or_nothing: false,
            questions: 0,
            pruned: Vec::new(),
            missed: false,
            initial: FxHashMap::default(),
            initial_objects: FxHashMap::default(),
        }
    }

    /// Executes the entry function with parameters from outside.
    pub fn run(&mut self, entry: FuncId) -> Result<(), Stop> {
        self.make_globals();
        let function = self.program.function(entry);
        let path = function.name.to_string();
        let mut state = State::default();
        let call = self.push_call(None, entry, path, Term::bool(true));
        let mut args = Vec::new();
        for (i, ty) in function.param_types().enumerate() {
            let site = Site::Param(i as u32);
            args.push(self.input(call, &state, site, ty, &format!("{PARAMETERS}@{i}")));
        }
        state.locals = vec![None; function.locals.len()];
        for (slot, arg) in state.locals.iter_mut().zip(&args) {
            slot.clone_from(arg);
        }
        self.frames.push(Frame {
            call,
            function: entry,
            counts: FxHashMap::default(),
            outer: State::default(),
            interface: None,
            began: Guard::default(),
        });
        let result = self.body(entry, state).map(|_| ());
        self.frames.pop();
        result
    }

    pub(crate) fn level(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        let level = self.level();
        &mut self.frames[level]
    }

    pub(crate) fn push_call(
        &mut self,
        parent: Option<CallId>,
        function: FuncId,
        path: String,
        guard: Term,
    ) -> CallId {
        let id = CallId(self.calls.len() as u32);
        self.calls.push(Call {
            parent,
            function,
            path,
            guard,
            errors: Vec::new(),
            interface: None,
            stand: None,
        });
        id
    }

    pub(crate) fn order(&mut self, function: FuncId, cfa: &Cfa) -> Rc<Order> {
        let body = self.program.function(function);
        self.orders.entry(function).or_insert_with(|| Rc::new(Order::of(body, cfa))).clone()
    }

    /// Executes the body of the function in the innermost frame.
    pub(crate) fn body(&mut self, id: FuncId, mut state: State) -> Result<Option<Returned>, Stop> {
        let program = self.program;
        let function = program.function(id);
        let Some(cfa) = function.cfa() else { return Ok(None) };
        let order = self.order(id, cfa);
        self.unset_locals(id, &order.unset, &mut state);
        let mut schedule = Schedule::default();
        let mut returned: Option<Returned> = None;
        let mut heads = Heads::default();
        schedule.put(order.position[cfa.entry.0 as usize], state);
        while let Some(Next { position, state, again }) = schedule.pop() {
            let node = order.node[position as usize];
            if let Some(id) = order.heads.get(&node) {
                if again && !self.begin_round(*id, &mut heads, &state) {
                    continue;
                }
                heads.pass(*id, &state, self.written.len(), self.guesses.obligations.len());
            }
            self.steps += 1;
            if self.all_or_nothing && !self.ended.is_empty() {
                return Err(Stop::Budget(Stopped::Steps));
            }
            if self.steps.is_multiple_of(64) {
                let asking = self.oracle.map_or(0, |oracle| oracle.borrow().spent());
                self.budget.check(self.steps + self.compared / COMPARED_IN_A_STEP + asking)?;
            }
            if let [yes, no] = cfa.out(node)
                && let (Op::Assume { cond, .. }, Op::Assume { cond: other, .. }) = (&yes.op, &no.op)
                && cond == other
            {
                let [yes, no] = [yes, no].map(|edge| (node, edge.to));
                let (holds, fails) = self.branch(cond, yes_pos(cfa, node), state)?;
                if let Some(next) = holds {
                    self.arrive(&order, &mut schedule, &mut heads, yes, next);
                }
                if let Some(next) = fails {
                    self.arrive(&order, &mut schedule, &mut heads, no, next);
                }
                continue;
            }
            let mut state = Some(state);
            let out: Vec<EdgeId> = cfa.out_ids(node).collect();
            for (i, edge_id) in out.iter().enumerate() {
                let last = i + 1 == out.len();
                let Some(now) = (if last { state.take() } else { state.clone() }) else { continue };
                let edge = cfa.edge(*edge_id);
                let Some(next) = self.edge(*edge_id, &edge.op, edge.pos, now, &mut returned)? else {
                    continue;
                };
                self.arrive(&order, &mut schedule, &mut heads, (node, edge.to), next);
            }
        }
        Ok(returned)
    }

    /// A state comes to a node.
    fn arrive(
        &mut self,
        order: &Order,
        schedule: &mut Schedule,
        heads: &mut Heads,
        (from, to): (NodeId, NodeId),
        state: State,
    ) {
        let position = order.position[to.0 as usize];
        let Some(id) = order.is_back_edge(from, to) else {
            heads.enter(order, from, to);
            let state = match schedule.take(position) {
                Some(other) => self.merge(other, state, order.live.at(to)),
                None => Some(state),
            };
            state.into_iter().for_each(|state| schedule.put(position, state));
            return;
        };
        let end = order.end(id);
        if self.is_widened(id) {
            match self.widen_round(order, heads, id, &state) {
                Back::Covered => {}
                Back::Lost => self.gap(state.guard.term(), Why::Bound),
                Back::Again(next) => schedule.put_next_round(position, end, *next),
            }
            return;
        }
        // Whatever can happen from a state that was at the head before could happen then, with the inputs
        // that come now. Where a loop has other ways in, what comes to its head now need not have been there.
        let natural = !order.loops.get(id).irreducible;
        if natural && heads.seen(id).is_some_and(|seen| seen.same(&state, order.live.at(to))) {
            return;
        }
        let state = match schedule.take_next_round(position) {
            Some(other) => self.merge(other, state, order.live.at(to)),
            None => Some(state),
        };
        state.into_iter().for_each(|state| schedule.put_next_round(position, end, state));
    }

    /// A state that came back to the head of a loop is about to begin a round there. May it?
    fn begin_round(&mut self, id: LoopId, heads: &mut Heads, state: &State) -> bool {
        if self.is_widened(id) {
            if let Some(widening) = heads.widening.get(&id) {
                widening.supersede(&mut self.guesses.obligations);
            }
            return true;
        }
        self.deepest = self.deepest.max(heads.passed(id));
        if self.is_free() && heads.guard(id).is_some_and(|guard| guard.same(&state.guard)) {
            return true;
        }
        let function = self.frames[self.level()].function;
        let bound = self.limits.bounds.of_loop(&self.program.function(function).name, id.0 + 1);
        if heads.count(id) <= bound {
            return self.is_possible(&state.guard);
        }
        self.ended.push((state.guard.term(), function, Some(id)));
        self.gap(state.guard.term(), Why::Bound);
        false
    }

    /// Is this loop of the function in the innermost frame widened?
    fn is_widened(&self, id: LoopId) -> bool {
        match self.limits.widened {
            Widened::Nothing => false,
            Widened::All => true,
            Widened::These(_) => self.some_widened.contains(&(self.frames[self.level()].function, id)),
        }
    }

    /// Do rounds and calls that no input can avoid still not count?
    pub(crate) fn is_free(&self) -> bool {
        self.steps < self.limits.free
    }

    /// The state from which a loop runs next if it is widened.
    fn widen_round(&mut self, order: &Order, heads: &mut Heads, id: LoopId, state: &State) -> Back {
        let head = order.loops.get(id);
        // Where there are other ways in, not everybody who comes to the head entered there.
        if head.irreducible {
            return Back::Lost;
        }
        let Some(mut widening) = heads.widening.remove(&id) else { return Back::Lost };
        let back = self.widen(id, &mut widening, state, order.live.at(head.header));
        heads.widening.insert(id, widening);
        back
    }

    /// What a verdict has to do with. What comes after undefined behaviour is outside of it.
    pub fn open_gaps(&self) -> impl Iterator<Item = &Gap> {
        self.gaps.iter().filter(|gap| !matches!(gap.why, Why::Undefined(..)))
    }

    pub(crate) fn gap(&mut self, guard: Term, why: Why) {
        let call = self.frame().call;
        if !guard.is_false() {
            self.gaps.push(Gap { call, guard, why });
        }
    }

    /// Both ways on from a branch.
    fn branch(
        &mut self,
        cond: &ir::Expr,
        pos: ir::Pos,
        mut state: State,
    ) -> Result<(Option<State>, Option<State>), Stop> {
        self.traps.clear();
        self.unknown.clear();
        self.undefined.clear();
        let cond = match self.expr(cond, &state) {
            Ok(cond) => cond,
            Err(Fail::Stop(stop)) => return Err(stop),
            Err(Fail::Unsupported(what)) => {
                self.gap(state.guard.term(), Why::Unsupported(what, pos));
                return Ok((None, None));
            }
        };
        if !self.survive(&mut state, pos) {
            return Ok((None, None));
        }
        Ok(match (state.guard.and(cond), state.guard.and(cond.not())) {
            (Some(yes), Some(no)) => {
                let mut other = state.clone();
                (state.guard, other.guard) = (yes, no);
                (Some(state), Some(other))
            }
            (Some(yes), None) => {
                state.guard = yes;
                (Some(state), None)
            }
            (None, Some(no)) => {
                state.guard = no;
                (None, Some(state))
            }
            (None, None) => (None, None),
        })
    }

    /// Executes one edge; None where the path ends.
    fn edge(
        &mut self,
        id: EdgeId,
        op: &Op,
        pos: ir::Pos,
        mut state: State,
        returned: &mut Option<Returned>,
    ) -> Result<Option<State>, Stop> {
        self.traps.clear();
        self.unknown.clear();
        self.undefined.clear();
        let before = state.guard.clone();
        match self.op(id, op, &mut state, returned) {
            Ok(true) => Ok(Some(state)),
            Ok(false) => Ok(None),
            Err(Fail::Stop(stop)) => Err(stop),
            Err(Fail::Unsupported(what)) => {
                self.gap(before.term(), Why::Unsupported(what, pos));
                Ok(None)
            }
        }
    }

    /// Adds what the operation so far demands to the guard; false where it cannot be met.
    pub(crate) fn survive(&mut self, state: &mut State, pos: ir::Pos) -> bool {
        for (condition, what) in std::mem::take(&mut self.unknown) {
            let guard = crate::guard::and(state.guard.term(), condition);
            self.gap(guard, Why::Unsupported(what, pos));
            self.traps.push(condition);
        }
        for (condition, what) in std::mem::take(&mut self.undefined) {
            let guard = crate::guard::and(state.guard.term(), condition);
            self.gap(guard, Why::Undefined(what, pos));
            self.traps.push(condition);
        }
        for trap in std::mem::take(&mut self.traps) {
            match state.guard.and(trap.not()) {
                Some(guard) => state.guard = guard,
                None => return false,
            }
        }
        true
    }

    fn unset_locals(&mut self, id: FuncId, unset: &[LocalId], state: &mut State) {
        let function = self.program.function(id);
        for &local in unset {
            if let Storage::Register(ty) = function.local(local).storage {
                let call = self.frame().call;
                let name = format!("entry.{}", function.local(local).name);
                let value = self.input(call, state, Site::Entry(id, local), ty, &name);
                state.locals[local.0 as usize] = value;
            }
        }
    }

    /// A new value from outside; None if its type has no terms.
    pub(crate) fn input(
        &mut self,
        call: CallId,
        state: &State,
        site: Site,
        ty: ir::Type,
        what: &str,
    ) -> Option<Term> {
        let sort = self.ops.sort(ty).ok()?;
        let name = format!("{}.{what}", self.calls[call.0 as usize].path);
        let value = Term::var(&name, sort);
        let pointer = ty == ir::Type::Ptr;
        if pointer {
            match what.split_once('@') {
                Some((source, _)) if source != "uninit" => {
                    self.pointers.sourced_pointer(value, format!("*{name}"), source);
                }
                _ => self.pointers.outside_pointer(value, || format!("*{name}")),
            }
        }
        self.inputs.push(Input { guard: state.guard.term(), site, value, pointer, kept: None });
        Some(value)
    }

    /// The n-th time, from 0, that this call does something (a call of a function, something at an edge).
    pub(crate) fn count(&mut self, is_call: bool, which: u32) -> u32 {
        let count = self.frame().counts.entry((is_call, which)).or_insert(0);
        *count += 1;
        *count - 1
    }

    pub(crate) fn depth_of(&self, function: FuncId) -> u32 {
        self.frames.iter().filter(|f| f.function == function).count() as u32
    }

    pub(crate) fn too_deep(&self) -> bool {
        self.frames.len() >= DEEPEST
    }

    pub(crate) fn global_storage(&self, id: GlobalId) -> Storage {
        self.program.global(id).storage
    }
}

fn yes_pos(cfa: &Cfa, node: NodeId) -> ir::Pos {
    cfa.out(node).first().map(|edge| edge.pos).unwrap_or_default()
}

/// None if the program has no such loop.
fn loop_named(program: &Program, name: &LoopName) -> Option<(FuncId, LoopId)> {
    Some((program.find_function(&name.function)?, LoopId(name.number.checked_sub(1)?)))
}

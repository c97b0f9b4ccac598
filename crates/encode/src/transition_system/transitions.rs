//! Transitions between the cut points of a function.

use super::{TransitionSystem, is_cut_call};
use crate::block::{Block, Call, Calls, Place, Treatment, block, kind};
use crate::footprint::Footprint;
use crate::mode::Unsupported;
use crate::regions::{RegionId, Regions};
use crate::state::State;
use ir::{
    Body, Callee, EdgeId, Expr, ExprKind, FuncId, Function, LocalId, NodeId, Op, Program, Storage, Type,
};
use logic::Term;
use std::collections::BTreeSet;

/// Where a transition leads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum To {
    Cut(NodeId),
    Return,
    /// A check fails.
    Failure,
    /// The execution cannot be followed, for this reason.
    Trap(String),
}

/// One way from a cut point to the next. All terms are over the variables of the function (without prefix),
/// addresses (`&...`), and auxiliary variables that each passage has anew ([`crate::names::is_auxiliary`]).
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    pub from: NodeId,
    pub to: To,
    /// When it is taken, with all that holds of what occurs in it.
    pub guard: Term,
    /// The state behind it; for a call, what the callee can change is auxiliary.
    pub state: State,
    /// What a return gives.
    pub value: Option<Term>,
    pub call: Option<Call>,
}

struct Summaries<'w>(&'w TransitionSystem);

impl Calls for Summaries<'_> {
    fn treat(&self, _site: EdgeId, callee: FuncId) -> Treatment {
        match &self.0.program.function(callee).body {
            Body::Poisoned { reason, .. } => Treatment::Refuse(reason.to_string()),
            _ => Treatment::Summary,
        }
    }

    fn footprint(&self, callee: FuncId) -> &Footprint {
        &self.0.footprints[callee.0 as usize]
    }
}

impl TransitionSystem {
    /// All transitions from a cut point of a function with a body.
    pub fn transitions(&self, function: FuncId, from: NodeId) -> Result<Vec<Transition>, Unsupported> {
        let Some(cfa) = self.program.function(function).cfa() else {
            return Err(Unsupported("a function without a body".to_owned()));
        };
        if let Some(reason) = self.poisoned(function, from) {
            let (guard, state) = (Term::bool(true), self.variables(function, "")?);
            let to = To::Trap(reason);
            return Ok(vec![Transition { from, to, guard, state, value: None, call: None }]);
        }
        let mut encoder = self.encoder(function);
        let mut state = self.variables(function, "")?;
        if from == cfa.entry && (function != self.entry || self.graph.is_recursive(function)) {
            self.new_activation(&mut encoder, &mut state)?;
        }
        let start = std::mem::take(&mut encoder.facts);
        let Block { segments, facts } =
            block(&mut encoder, cfa, self.cuts(function), from, &state, &Summaries(self))?;
        let facts = Term::all(start).and(facts);
        let mut list = Vec::new();
        for segment in segments {
            let guard = segment.guard.and(facts);
            let mut add = |to: To, guard: Term, value: Option<Term>, call: Option<Call>| {
                if !guard.is_false() {
                    let state = segment.state.clone();
                    list.push(Transition { from, to, guard, state, value, call });
                }
            };
            match (segment.place, segment.ending) {
                (Place::Node(node), _) => {
                    add(To::Cut(node), guard, None, segment.calls.into_iter().next());
                }
                (Place::End, Some(ending)) => {
                    // What a callee ended is seen where it ended.
                    if !segment.calls.is_empty() {
                        continue;
                    }
                    let is = |which: i32| guard.and(ending.kind.equals(Term::int(which)));
                    add(To::Failure, is(kind::CHECK), None, None);
                    // Executions that end with undefined behaviour (`kind::TRAP`) are outside of any verdict.
                    add(To::Return, is(kind::RETURN), ending.value, None);
                }
                (Place::End, None) => {}
            }
        }
        Ok(list)
    }

    /// Why the call at a cut point cannot be followed.
    fn poisoned(&self, function: FuncId, from: NodeId) -> Option<String> {
        let cfa = self.program.function(function).cfa()?;
        cfa.out(from).iter().filter(|edge| is_cut_call(&self.program, &edge.op)).find_map(|edge| {
            let Op::Call { callee: Callee::Direct(callee), .. } = &edge.op else { return None };
            let callee = self.program.function(*callee);
            match &callee.body {
                Body::Poisoned { reason, .. } => Some(format!("a call of '{}': {reason}", callee.name)),
                _ => None,
            }
        })
    }

    /// Variables in memory have no value when a function is entered, whatever an earlier activation left
    /// there.
    pub(super) fn new_activation(
        &self,
        encoder: &mut crate::expr::Encoder,
        state: &mut State,
    ) -> Result<(), Unsupported> {
        let id = encoder.function;
        let function = self.program.function(id);
        let memory = in_memory(function);
        if (function.variadic || !memory.is_empty()) && self.graph.is_recursive(id) {
            let name = &function.name;
            return Err(Unsupported(format!("'{name}' calls itself and has variables in memory")));
        }
        for (local, size) in memory {
            let address = at(ExprKind::AddrLocal(local));
            for region in self.regions.around(0, id, &address) {
                self.forget(encoder, state, region, &address, size)?;
            }
        }
        if function.variadic {
            for region in self.regions.around(0, id, &at(ExprKind::VarArgs)) {
                let sort = state.memory[region.0 as usize].sort();
                state.memory[region.0 as usize] = encoder.fresh("arguments", sort);
            }
        }
        Ok(())
    }

    fn forget(
        &self,
        encoder: &mut crate::expr::Encoder,
        state: &mut State,
        region: RegionId,
        address: &Expr,
        size: u64,
    ) -> Result<(), Unsupported> {
        let layout = self.regions.list[region.0 as usize].layout;
        let ty = crate::start::unit(layout);
        let step = ty.access_size(&self.program.target).max(1);
        if size / step > MOST_FORGOTTEN {
            let sort = state.memory[region.0 as usize].sort();
            state.memory[region.0 as usize] = encoder.fresh("memory", sort);
            return Ok(());
        }
        let base = encoder.expr(address, state)?;
        let array = &mut state.memory[region.0 as usize];
        for offset in (0..size).step_by(step as usize) {
            let value = encoder.fresh("uninit", encoder.sort(ty)?);
            encoder.outside(ty, value);
            *array = array.store(crate::memory::offset(base, offset), value);
        }
        Ok(())
    }
}

/// The regions that [`TransitionSystem::new_activation`] changes.
pub(super) fn forgotten(program: &Program, regions: &Regions, id: FuncId) -> BTreeSet<RegionId> {
    let function = program.function(id);
    let locals = in_memory(function).into_iter().map(|(local, _)| at(ExprKind::AddrLocal(local)));
    let arguments = function.variadic.then(|| at(ExprKind::VarArgs));
    locals.chain(arguments).flat_map(|address| regions.around(0, id, &address)).collect()
}

fn in_memory(function: &Function) -> Vec<(LocalId, u64)> {
    let locals = function.locals.iter().enumerate();
    locals
        .filter_map(|(i, local)| match local.storage {
            Storage::Memory { size, .. } => Some((LocalId(i as u32), size)),
            Storage::Register(_) => None,
        })
        .collect()
}

fn at(kind: ExprKind) -> Expr {
    Expr { ty: Type::Ptr, kind }
}

/// Cells of a variable that get a new value one by one.
const MOST_FORGOTTEN: u64 = 64;

//! What expressions and functions read and write, as far as that is easily seen: enough to say where the
//! order of evaluation matters that C leaves open. Nothing but an assumption of the verdict depends on it
//! (`ir::Mark::Unordered`), so memory is divided by types alone.

use super::intrinsic::{Intrinsic, intrinsic_named};
use super::link::Linked;
use super::{UnknownFunctions, outside};
use crate::hir::*;
use crate::types::{TypeKind, TypeTable};
use rustc_hash::FxHashSet;

/// Functions that touch more are taken to touch everything.
const MOST_SPOTS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Spot {
    /// Of the function that is looked at; and whether pointers may lead to it.
    Local(LocalId, bool),
    /// By its number among all units; and whether pointers may lead to it.
    Global(usize, bool),
    /// What pointers lead to, of this type, if that is a scalar.
    Memory(Option<ir::Type>),
}

impl Spot {
    fn meets(self, other: Spot) -> bool {
        match (self, other) {
            (Spot::Local(a, _), Spot::Local(b, _)) => a == b,
            (Spot::Global(a, _), Spot::Global(b, _)) => a == b,
            (Spot::Memory(Some(a)), Spot::Memory(Some(b))) => a == b || is_byte(a) || is_byte(b),
            (Spot::Memory(_), Spot::Memory(_)) => true,
            (Spot::Local(_, pointed) | Spot::Global(_, pointed), Spot::Memory(_))
            | (Spot::Memory(_), Spot::Local(_, pointed) | Spot::Global(_, pointed)) => pointed,
            (Spot::Local(..), Spot::Global(..)) | (Spot::Global(..), Spot::Local(..)) => false,
        }
    }
}

fn is_byte(ty: ir::Type) -> bool {
    ty.as_int().is_some_and(|int| int.bits == 8)
}

#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    pub reads: FxHashSet<Spot>,
    pub writes: FxHashSet<Spot>,
    /// Code that is not known may write what it can reach. What two such pieces of code do is any of it, in
    /// any order.
    pub outside: bool,
}

impl Effects {
    pub fn add(&mut self, mut other: Effects) {
        if other.reads.len() > self.reads.len() {
            std::mem::swap(&mut self.reads, &mut other.reads);
        }
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.outside |= other.outside;
    }

    /// What a caller sees; the second says if anything is new.
    fn add_callee(&mut self, callee: &Effects) -> bool {
        let before = (self.reads.len(), self.writes.len(), self.outside);
        for (own, theirs) in [(&mut self.reads, &callee.reads), (&mut self.writes, &callee.writes)] {
            own.extend(theirs.iter().filter(|spot| !matches!(spot, Spot::Local(..))));
            if own.len() > MOST_SPOTS {
                *own = own.iter().copied().filter(|spot| matches!(spot, Spot::Memory(_))).collect();
                own.insert(Spot::Memory(None));
            }
        }
        self.outside |= callee.outside;
        before != (self.reads.len(), self.writes.len(), self.outside)
    }

    /// Does it matter which of the two comes first?
    pub fn meets(&self, other: &Effects) -> bool {
        let any = |a: &FxHashSet<Spot>, b: &FxHashSet<Spot>| a.iter().any(|x| b.iter().any(|y| x.meets(*y)));
        let is_shared = |spot: &Spot| !matches!(spot, Spot::Local(_, false));
        let shared = |e: &Effects| e.reads.iter().chain(&e.writes).any(is_shared);
        any(&self.writes, &other.writes)
            || any(&self.writes, &other.reads)
            || any(&self.reads, &other.writes)
            || (self.outside && shared(other))
            || (other.outside && shared(self))
    }
}

/// Who is called, seen from one function.
pub(super) enum Called {
    /// By its number among all units.
    Function(usize),
    /// Through a pointer, with so many arguments.
    Pointer(usize),
}

/// One function: what its own code does, and whom it calls.
#[derive(Default)]
pub(super) struct Body {
    pub effects: Effects,
    pub calls: Vec<Called>,
}

/// What each function does with all that it calls, by its number; and those that pointers may lead to, with
/// the number of their parameters.
pub(super) struct Summaries {
    pub functions: Vec<Effects>,
    pointed: Vec<(usize, usize)>,
}

impl Summaries {
    pub fn new(bodies: Vec<Body>, pointed: Vec<(usize, usize)>) -> Summaries {
        let calls: Vec<Vec<usize>> = bodies
            .iter()
            .map(|body| {
                let mut list: Vec<usize> = Vec::new();
                for called in &body.calls {
                    match *called {
                        Called::Function(key) => list.push(key),
                        Called::Pointer(count) => {
                            list.extend(pointed.iter().filter(|(_, n)| *n == count).map(|(key, _)| *key));
                        }
                    }
                }
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let mut functions: Vec<Effects> = bodies.into_iter().map(|body| body.effects).collect();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
        for (caller, list) in calls.iter().enumerate() {
            list.iter().for_each(|callee| callers[*callee].push(caller));
        }
        let mut work: Vec<usize> = (0..functions.len()).collect();
        while let Some(callee) = work.pop() {
            let effects = functions[callee].clone();
            for &caller in callers[callee].iter().filter(|caller| **caller != callee) {
                if functions[caller].add_callee(&effects) {
                    work.push(caller);
                }
            }
        }
        Summaries { functions, pointed }
    }

    pub fn of(&self, called: &Called) -> Effects {
        let mut effects = Effects::default();
        match *called {
            Called::Function(key) => {
                effects.add_callee(&self.functions[key]);
            }
            Called::Pointer(count) => {
                for (key, _) in self.pointed.iter().filter(|(_, n)| *n == count) {
                    effects.add_callee(&self.functions[*key]);
                }
            }
        }
        effects
    }
}

impl Linked<'_> {
    /// What a place is, without what its address takes to compute.
    pub(super) fn spot(&self, unit: usize, function: FuncId, mut place: &Expr) -> Option<Spot> {
        let u = &self.units[unit];
        let ty = place.ty;
        if ty.quals.is_const {
            return None;
        }
        loop {
            match &place.kind {
                ExprKind::Local(id) | ExprKind::CompoundLiteral(id, _) => {
                    let pointed = u.usage.bodies[function.0 as usize].pointed.contains(id);
                    return Some(Spot::Local(*id, pointed));
                }
                ExprKind::Global(id) => {
                    let (key, pointed) = self.global_key(unit, *id);
                    return Some(Spot::Global(key, pointed));
                }
                ExprKind::Member(inner, _) => place = inner,
                ExprKind::Deref(pointer) => match into_object(pointer) {
                    Some(object) => place = object,
                    None => return Some(Spot::Memory(u.unit.types.ir_type(ty.ty))),
                },
                _ => return None,
            }
        }
    }

    /// What an address leads to.
    pub(super) fn pointee(&self, unit: usize, function: FuncId, mut pointer: &Expr) -> Option<Spot> {
        while let ExprKind::Convert(inner) = &pointer.kind {
            pointer = inner;
        }
        match into_object(pointer) {
            Some(object) => self.spot(unit, function, object),
            None => Some(Spot::Memory(None)),
        }
    }

    /// What a call of a function does by itself that has no body.
    pub(super) fn bodiless(&self, unit: usize, function: FuncId, callee: FuncId, args: &[Expr]) -> Effects {
        let f = &self.units[unit].unit.functions[callee.0 as usize];
        let mut effects = Effects::default();
        let own = self.is_foreign(unit, callee);
        match intrinsic_named(&f.name).filter(|_| !own) {
            Some(
                Intrinsic::Memcpy
                | Intrinsic::Memmove
                | Intrinsic::Memset
                | Intrinsic::Free
                | Intrinsic::Realloc,
            ) => {
                let spots = |at: usize| args.get(at).and_then(|arg| self.pointee(unit, function, arg));
                effects.writes.extend(spots(0));
                effects.reads.extend(
                    spots(1).filter(|_| f.name.starts_with("memcpy") || f.name.starts_with("memmove")),
                );
            }
            Some(_) => {}
            None if !own && outside::is_harmless(&f.name) => {}
            None => effects.outside = self.options.unknown_functions == UnknownFunctions::Havoc,
        }
        effects
    }
}

/// The object that an address is made from, as `a[i]` does: `*(a + i)`.
fn into_object(mut pointer: &Expr) -> Option<&Expr> {
    loop {
        match &pointer.kind {
            ExprKind::PtrOffset { ptr, .. } => pointer = ptr,
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => return Some(place),
            _ => return None,
        }
    }
}

/// How many parameters the functions of this type have.
pub(super) fn parameters(types: &TypeTable, f: &Function) -> usize {
    match types.kind(f.ty) {
        TypeKind::Function(f) => f.params.len(),
        _ => 0,
    }
}

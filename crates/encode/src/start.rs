//! What objects hold before anything runs.
//!
//! The content of initialisers as terms ([`Start`]), and which of it can be relied on whatever function is
//! called first. `const` objects are always what their initialisers say. So is an object with internal
//! linkage that nothing in its program writes and whose address does not get outside: [`settle`] finds those
//! of two versions and makes them constants, which everybody knows how to treat. A program that has been
//! settled stays as it is.

use crate::expr::Encoder;
use crate::mode::{IntMode, Unsupported};
use crate::regions::{Layout, RegionId, Regions};
use crate::state::State;
use ir::fingerprint::Fingerprints;
use ir::{
    BinOp, Body, CallGraph, Expr, ExprKind, FuncId, Global, GlobalId, InitValue, Program, Storage, Target,
    Type, Var,
};
use logic::Term;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Of larger objects nothing is known: less than is true.
const MOST_BYTES: u64 = 4096;

/// The initialisers of one program as terms.
pub struct Start<'p> {
    encoder: Encoder<'p>,
    nothing: State,
}

impl<'p> Start<'p> {
    /// `index` and `function` say whose memory the regions divide.
    pub fn new(
        program: &'p Program,
        index: usize,
        function: FuncId,
        mode: IntMode,
        regions: &'p Regions,
    ) -> Start<'p> {
        Start { encoder: Encoder::new(program, index, function, mode, regions, ""), nothing: State::empty() }
    }

    /// The value of a register; None if it is defined elsewhere.
    pub fn register(&mut self, id: GlobalId) -> Result<Option<Term>, Unsupported> {
        let initial = self.encoder.program.global(id).initial_register();
        initial.map(|e| self.encoder.expr(&e, &self.nothing)).transpose()
    }

    /// A region with the objects written into it that are `known` to hold what their initialisers say.
    pub fn region(
        &mut self,
        region: RegionId,
        base: Term,
        known: impl Fn(&Global) -> bool,
    ) -> Result<Term, Unsupported> {
        let Encoder { program, index, function, regions, .. } = self.encoder;
        let target = &program.target;
        let ty = unit(self.encoder.layout(region)?);
        let step = ty.access_size(target).max(1);
        let (mut memory, mut left) = (base, MOST_BYTES);
        for (id, global) in (0..).map(GlobalId).zip(program.globals.iter()) {
            let Storage::Memory { size, .. } = global.storage else { continue };
            if global.init.is_none() || !known(global) || size > left {
                continue;
            }
            if !regions.around(index, function, &at(id, 0, target)).contains(&region) {
                continue;
            }
            left -= size;
            for offset in (0..size).step_by(step as usize) {
                let address = at(id, offset, target);
                if offset + step > size || regions.of(index, function, &address) != region {
                    continue;
                }
                if let Some(value) = content(global, offset, step, ty, target) {
                    let place = self.encoder.expr(&address, &self.nothing)?;
                    memory = memory.store(place, self.encoder.expr(&value, &self.nothing)?);
                }
            }
        }
        Ok(memory)
    }
}

/// What is read from a region at once.
pub(crate) fn unit(layout: Layout) -> Type {
    match layout {
        Layout::Cells(ty) => ty,
        Layout::Bytes => Type::U8,
    }
}

/// An address in a global.
pub(crate) fn at(global: GlobalId, offset: u64, target: &Target) -> Expr {
    let base = Expr { ty: Type::Ptr, kind: ExprKind::AddrGlobal(global) };
    if offset == 0 {
        return base;
    }
    let by = Expr { ty: target.intptr(false), kind: ExprKind::Const(u128::from(offset)) };
    Expr { ty: Type::Ptr, kind: ExprKind::Binary(BinOp::PtrAdd, Box::new(base), Box::new(by)) }
}

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |n, b| n << 8 | u128::from(*b))
}

/// The value of type `ty` that an initialiser puts at an offset; None if it is put together from parts.
pub(crate) fn content(global: &Global, offset: u64, size: u64, ty: Type, target: &Target) -> Option<Expr> {
    let mut bytes = vec![0u8; size as usize];
    for item in &global.init.as_ref()?.items {
        match &item.value {
            InitValue::Bytes(list) => {
                for (b, i) in list.iter().zip(item.offset..) {
                    if let Some(slot) = i.checked_sub(offset).and_then(|k| bytes.get_mut(k as usize)) {
                        *slot = *b;
                    }
                }
            }
            InitValue::Scalar(e) => {
                // Scalars are at most 16 bytes long.
                if item.offset == offset && e.ty == ty {
                    return Some(e.clone());
                }
                if item.offset < offset + size && offset < item.offset + 16 {
                    let bits = e.as_const()?;
                    let width = scalar_bytes(e.ty, target)?;
                    for k in 0..width {
                        let i = item.offset + k;
                        if let Some(slot) = i.checked_sub(offset).and_then(|k| bytes.get_mut(k as usize)) {
                            *slot = (bits >> (8 * k)) as u8;
                        }
                    }
                }
            }
        }
    }
    Some(Expr { ty, kind: ExprKind::Const(number(&bytes)) })
}

/// The bytes of a constant; None for types whose size is not that of their bits.
fn scalar_bytes(ty: Type, target: &Target) -> Option<u64> {
    match ty {
        Type::Int(int) => Some(u64::from(int.bits).div_ceil(8)),
        Type::Ptr => Some(u64::from(target.pointer_bits) / 8),
        Type::Float(ir::FloatType::F32) => Some(4),
        Type::Float(ir::FloatType::F64) => Some(8),
        _ => None,
    }
}

/// Two versions in which objects that never change are constants. One that both versions have never changes
/// only if it does so in neither: they are compared in a common state.
pub fn settle(programs: [&Program; 2]) -> [Program; 2] {
    let mut settled = programs.map(Program::clone);
    let mut open = [0, 1].map(|side: usize| candidates(programs[side]));
    for (program, open) in settled.iter_mut().zip(&open) {
        open.iter().for_each(|id| program.globals_mut()[id.0 as usize].constant = true);
    }
    loop {
        let mut changed = false;
        for side in 0..2 {
            if open[side].is_empty() {
                continue;
            }
            let doubtful = doubtful(&settled[side], &open[side]);
            let other = &settled[1 - side];
            let program = &settled[side];
            let alone = |id: &GlobalId| {
                let partner = other.find_global(&program.global(*id).name);
                partner.is_some_and(|id| !other.global(id).constant)
            };
            let lost: Vec<GlobalId> =
                open[side].iter().copied().filter(|id| doubtful.contains(id) || alone(id)).collect();
            for id in lost {
                settled[side].globals_mut()[id.0 as usize].constant = false;
                open[side].remove(&id);
                changed = true;
            }
        }
        if !changed {
            return settled;
        }
    }
}

/// Objects that only their program knows, and registers among them that no operation sets.
fn candidates(program: &Program) -> BTreeSet<GlobalId> {
    // Nobody knows what a function does that was not translated.
    if program.functions.iter().any(|f| matches!(f.body, Body::Poisoned { .. })) {
        return BTreeSet::new();
    }
    let mut found: BTreeSet<GlobalId> = (0..)
        .map(GlobalId)
        .zip(program.globals.iter())
        .filter(|(_, g)| !g.constant && !g.external && g.init.is_some())
        .map(|(id, _)| id)
        .collect();
    for edge in program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges()) {
        if let Some(Var::Global(id)) = edge.op.written() {
            found.remove(&id);
        }
    }
    found
}

/// Those in memory that something writes, or that can be reached from outside, whatever function is called
/// there.
fn doubtful(program: &Program, open: &BTreeSet<GlobalId>) -> BTreeSet<GlobalId> {
    let in_memory = |id: &GlobalId| matches!(program.global(*id).storage, Storage::Memory { .. });
    if program.functions.is_empty() || !open.iter().any(in_memory) {
        return BTreeSet::new();
    }
    let regions = Regions::analyse(&[program], &[]);
    let changes = |id: &GlobalId| {
        let around = regions.around(0, FuncId(0), &at(*id, 0, &program.target));
        around.iter().any(|r| {
            let region = &regions.list[r.0 as usize];
            region.escapes || region.written
        })
    };
    open.iter().copied().filter(|id| in_memory(id) && changes(id)).collect()
}

/// Why a proof that two functions do the same in a common state says too little about their versions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Unlike {
    /// A global that can change starts with another value in each version: the common state is not the one in
    /// which they start.
    Start(Arc<str>),
    /// Both use the address of a function of this name, and it is not the same function: whoever calls it
    /// sees the difference.
    Address(Arc<str>),
    /// A function that they can run into was not translated, and why.
    Untranslated(Arc<str>, Arc<str>),
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unlike::Start(name) => {
                write!(f, "'{name}' starts with another value in each version, and can change")
            }
            Unlike::Address(name) => {
                write!(f, "the address of '{name}' is used, which is not the same function in both versions")
            }
            Unlike::Untranslated(name, reason) => write!(f, "'{name}' cannot be compared: {reason}"),
        }
    }
}

/// Looks for such a reason. Whole programs (from `main`) start with what their initialisers say.
pub fn unlike(programs: [&Program; 2], functions: [FuncId; 2], whole: bool) -> Option<Unlike> {
    let prints = programs.map(Fingerprints::compute);
    for side in 0..2 {
        let (program, other) = (programs[side], programs[1 - side]);
        let globals = prints[side].reached_globals(functions[side]);
        for id in globals.iter().filter(|_| !whole) {
            let global = program.global(*id);
            let Some(partner) = other.find_global(&global.name) else { continue };
            let changes = !(global.constant && other.global(partner).constant);
            let same = prints[side].start(*id) == prints[1 - side].start(partner)
                || image(global, &program.target)
                    .is_some_and(|bytes| image(other.global(partner), &other.target) == Some(bytes));
            if changes && !same {
                return Some(Unlike::Start(global.name.clone()));
            }
        }
        let code = CallGraph::of(program).reachable(&[functions[side]]);
        for function in code.iter().map(|f| program.function(*f)) {
            if let Body::Poisoned { reason, .. } = &function.body {
                return Some(Unlike::Untranslated(function.name.clone(), reason.clone()));
            }
        }
        for f in addresses_used(program, &code, &globals) {
            let name = &program.function(f).name;
            let print = |side: usize, f: FuncId| prints[side].function(f).global;
            if other.find_function(name).is_none_or(|g| print(side, f) != print(1 - side, g)) {
                return Some(Unlike::Address(name.clone()));
            }
        }
    }
    None
}

/// The bytes that a global starts with, wherever it lies; none if they are not all known numbers.
fn image(global: &Global, target: &Target) -> Option<Vec<u8>> {
    const MOST: u64 = 1 << 16;
    let size = global.storage.size(target);
    let mut bytes = vec![0; usize::try_from(size).ok().filter(|_| size <= MOST)?];
    for item in &global.init.as_ref()?.items {
        let value = match &item.value {
            InitValue::Bytes(value) => value.clone(),
            InitValue::Scalar(e) => {
                let size = usize::try_from(e.ty.access_size(target)).ok()?;
                e.as_const()?.to_le_bytes().get(..size)?.to_vec()
            }
        };
        let at = usize::try_from(item.offset).ok()?;
        bytes.get_mut(at..at.checked_add(value.len())?)?.copy_from_slice(&value);
    }
    Some(bytes)
}

/// Functions with a body whose addresses occur in this code, or in the initial values of these globals.
fn addresses_used(program: &Program, code: &[FuncId], globals: &[GlobalId]) -> BTreeSet<FuncId> {
    let edges = code.iter().filter_map(|f| program.function(*f).cfa()).flat_map(|cfa| cfa.edges());
    let operands = edges.flat_map(|edge| edge.op.exprs());
    let values = globals.iter().flat_map(|id| program.global(*id).initial_values());
    let used = ir::pointees::addresses_in(operands.chain(values)).into_iter();
    used.filter(|f| program.function(*f).cfa().is_some()).collect()
}

/// What is not known of memory at the start is one unknown for both versions, and a region that nobody writes
/// is one for both. So objects of a name must start with the same content wherever initialisers count, unless
/// their addresses tell it.
pub fn alike(programs: [&Program; 2]) -> Result<(), Unsupported> {
    let prints = programs.map(Fingerprints::compute);
    for (id, old) in (0..).map(GlobalId).zip(programs[0].globals.iter()) {
        let Some(partner) = programs[1].find_global(&old.name) else { continue };
        let new = programs[1].global(partner);
        let registers = matches!((old.storage, new.storage), (Storage::Register(_), Storage::Register(_)));
        let told = registers || old.constant && new.constant;
        if !told && prints[0].start(id) != prints[1].start(partner) {
            return Err(Unsupported(format!("the global '{}' starts with another value", old.name)));
        }
    }
    Ok(())
}

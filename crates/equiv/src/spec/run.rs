//! Computes a condition in C on concrete values.
//!
//! A condition changes nothing and reads two memories, so it needs no interpreter with a memory of its own:
//! this walks the automaton with the interpreter's operators and asks the caller for what memory holds.

use super::Side;
use super::c::{CBinding, CCondition};
use interp::eval;
use ir::{Callee, EdgeId, Expr, ExprKind, FuncId, Op, Program, Storage, Var};

/// What both versions' states hold.
pub trait Memory {
    /// The bytes at an address; None where they are not known or cannot be read.
    fn read(&self, side: Side, address: u64, len: u64) -> Option<Vec<u8>>;

    /// For functions that a condition calls: the value of a register global, the address of a memory global.
    /// `id` counts the globals of the condition's program.
    fn global(&self, _side: Side, _id: ir::GlobalId) -> Option<u128> {
        None
    }
}

/// A memory that holds nothing.
pub struct NoMemory;

impl Memory for NoMemory {
    fn read(&self, _side: Side, _address: u64, _len: u64) -> Option<Vec<u8>> {
        None
    }
}

/// Edges that a condition may take, its calls included.
const MAX_STEPS: u64 = 1_000_000;
const MAX_DEPTH: u32 = 500;

impl CCondition {
    /// Is it true of these values? None if that cannot be told. A condition whose evaluation divides by zero
    /// is not true.
    pub fn holds(&self, value: &dyn Fn(CBinding) -> Option<u128>, memory: &dyn Memory) -> Option<bool> {
        let args: Option<Vec<u128>> = self.bindings.iter().map(|b| value(*b)).collect();
        let mut run = Run { program: &self.program, memory, steps: 0 };
        match run.call(self.function, &args?, Reader::Edges(&self.reads), 0) {
            Ok(value) => value.map(|bits| bits != 0),
            Err(Ended::Trap) => Some(false),
            Err(Ended::Unknown) => None,
        }
    }
}

/// Why there is no value.
enum Ended {
    Trap,
    Unknown,
}

/// Whose memory is read.
#[derive(Clone, Copy)]
enum Reader<'r> {
    /// In the condition itself: by edge.
    Edges(&'r [Option<Side>]),
    /// In a called function.
    Side(Side),
}

struct Run<'r> {
    program: &'r Program,
    memory: &'r dyn Memory,
    steps: u64,
}

impl Run<'_> {
    fn call(
        &mut self,
        function: FuncId,
        args: &[u128],
        reader: Reader,
        depth: u32,
    ) -> Result<Option<u128>, Ended> {
        let program = self.program;
        let function = program.function(function);
        let Some(cfa) = function.cfa().filter(|_| depth < MAX_DEPTH) else { return Err(Ended::Unknown) };
        let mut locals: Vec<Option<u128>> = vec![None; function.locals.len()];
        for ((slot, local), bits) in locals.iter_mut().zip(&function.locals).zip(args) {
            let Storage::Register(ty) = local.storage else { return Err(Ended::Unknown) };
            *slot = Some(bits & eval::type_mask(&program.target, ty));
        }
        let mut at = cfa.entry;
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(Ended::Unknown);
            }
            let mut next = None;
            for id in cfa.out_ids(at) {
                let edge = cfa.edge(id);
                let side = side(reader, id);
                match &edge.op {
                    Op::Skip => {}
                    Op::Havoc { var: Var::Local(var), .. } => locals[var.0 as usize] = None,
                    Op::Assume { cond, holds } => {
                        if (self.expr(cond, &locals, side)? != 0) != *holds {
                            continue;
                        }
                    }
                    Op::Assign { var: Var::Local(var), value } => {
                        locals[var.0 as usize] = Some(self.expr(value, &locals, side)?);
                    }
                    Op::Call { dst, callee: Callee::Direct(callee), args } => {
                        let args = args
                            .iter()
                            .map(|a| self.expr(a, &locals, side))
                            .collect::<Result<Vec<_>, _>>()?;
                        let side = side.unwrap_or(Side::Old);
                        let result = self.call(*callee, &args, Reader::Side(side), depth + 1)?;
                        if let Some(Var::Local(var)) = dst {
                            locals[var.0 as usize] = result;
                        }
                    }
                    Op::Return(value) => {
                        return value.as_ref().map(|e| self.expr(e, &locals, side)).transpose();
                    }
                    _ => return Err(Ended::Unknown),
                }
                next = Some(edge.to);
                break;
            }
            at = next.ok_or(Ended::Unknown)?;
        }
    }

    fn expr(&self, e: &Expr, locals: &[Option<u128>], side: Option<Side>) -> Result<u128, Ended> {
        let target = &self.program.target;
        Ok(match &e.kind {
            ExprKind::Const(bits) => *bits,
            ExprKind::Local(id) => locals[id.0 as usize].ok_or(Ended::Unknown)?,
            ExprKind::Global(id) | ExprKind::AddrGlobal(id) => {
                self.memory.global(side.unwrap_or(Side::Old), *id).ok_or(Ended::Unknown)?
            }
            ExprKind::Load(address) => {
                let at = self.expr(address, locals, side)? as u64;
                let bytes = side.and_then(|s| self.memory.read(s, at, e.ty.access_size(target)));
                let bytes = bytes.ok_or(Ended::Unknown)?;
                let bits = bytes.iter().rev().fold(0u128, |bits, b| bits << 8 | u128::from(*b));
                bits & eval::type_mask(target, e.ty)
            }
            ExprKind::Unary(op, a) => eval::unary(*op, a.ty, self.expr(a, locals, side)?),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a, locals, side)?, self.expr(b, locals, side)?);
                eval::binary(target, *op, a.ty, x, y).map_err(|_| Ended::Trap)?
            }
            ExprKind::Cast(a) => eval::cast(target, a.ty, e.ty, self.expr(a, locals, side)?),
            ExprKind::Ite(parts) => {
                // Strict: a branch that traps does so wherever the condition goes.
                let [c, a, b] = &**parts;
                let (c, a, b) =
                    (self.expr(c, locals, side)?, self.expr(a, locals, side)?, self.expr(b, locals, side)?);
                if c != 0 { a } else { b }
            }
            _ => return Err(Ended::Unknown),
        })
    }
}

fn side(reader: Reader, edge: EdgeId) -> Option<Side> {
    match reader {
        Reader::Edges(list) => list.get(edge.0 as usize).copied().flatten(),
        Reader::Side(side) => Some(side),
    }
}

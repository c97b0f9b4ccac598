//! What the loop leaves to others: operators without an instruction of their own, inputs, allocation, calls
//! that need a look at the callee. Kept out of the loop so that the loop stays small and its variables in
//! registers.

use crate::access::Access;
use crate::address::AddressSpace;
use crate::code::{CallSite, Code, Inst, NO_SLOT, SlowOp, is_wide, slot_bits, slot_form, type_of_code};
use crate::compile::GlobalPlace;
use crate::eval::{self, ArithFault};
use crate::externs;
use crate::havoc::Registers;
use crate::inputs::InputKind;
use crate::io::{At, Io};
use crate::memory::{Memory, ObjectKind};
use crate::outcome::{Outcome, Snapshot, TraceStep, UndefinedKind};
use ir::{BinOp, EdgeId, FuncId, HavocKind, HeapRule, LocalId, NodeId, Op, Program, Storage, Type};

/// Runs an instruction that the loop does not know; what it costs besides its edge.
#[inline(never)]
pub fn rare(
    inst: &Inst,
    code: &Code,
    at: At,
    regs: &mut [u64],
    memory: &mut Memory,
    io: &mut Io,
    objects: &mut Vec<u32>,
) -> Result<i64, Outcome> {
    let program = io.program;
    macro_rules! reg {
        ($slot:expr) => {
            regs[$slot as usize]
        };
    }
    let bulk = |len: u64| (len / 64).min(1 << 40) as i64;
    match *inst {
        Inst::Slow { op, dst, a, b } => {
            slow(code.slow[op as usize], regs, dst, a, b, program).map_err(|f| f.outcome(at, program))?;
        }
        Inst::Valid { write, dst, ptr, size } => {
            reg!(dst) = u64::from(memory.valid(reg!(ptr), reg!(size), write));
        }
        Inst::Freeable { dst, ptr } => reg!(dst) = u64::from(memory.freeable(reg!(ptr))),
        Inst::ObjectSize { dst, ptr } => reg!(dst) = memory.object_size(reg!(ptr)),
        Inst::LoadWide { ty, dst, addr, offset } => {
            let address = reg!(addr).wrapping_add(offset as u64) & memory.mask();
            let ty = type_of_code(ty);
            let bits = io.load(memory, at, address, ty)?;
            write_value(regs, dst, ty, bits);
        }
        Inst::CheckFails => return Err(check_failed(at, program, None)),
        Inst::AccessFails { kind, ptr, size } => {
            let size = if size == NO_SLOT { 0 } else { reg!(size) };
            return Err(check_failed(at, program, memory.explain(kind, reg!(ptr), size)));
        }
        Inst::AssumeFails => {
            return Err(Outcome::AssumeViolated {
                function: at.function,
                edge: at.edge.unwrap_or(EdgeId(0)),
                pos: at.pos(program),
            });
        }
        Inst::Trap { reason } => {
            let reason = code.traps.get(reason as usize).cloned().unwrap_or_else(|| "".into());
            return Err(Outcome::Unsupported { reason, pos: at.pos(program) });
        }
        Inst::NewLocal { dst, local } => {
            let id = LocalId(local);
            let Storage::Memory { size, align } = program.function(at.function).local(id).storage else {
                return Err(unsupported("a register is no object", at, program));
            };
            let kind = ObjectKind::Local(at.function, id);
            let (address, index) = memory.allocate(size, align, kind).map_err(|f| at.fault(program, f))?;
            objects.push(index);
            reg!(dst) = address;
        }
        Inst::Unset { ty, dst, local } => {
            let ty = type_of_code(ty);
            let bits = io.ask(memory, Some(at), ty, InputKind::Uninit(Some(LocalId(local))))?;
            write_value(regs, dst, ty, bits);
        }
        Inst::Havoc { ty, dst } => {
            let ty = type_of_code(ty);
            let bits = io.ask(memory, Some(at), ty, havoc_kind(at, program))?;
            write_value(regs, dst, ty, bits);
        }
        Inst::Alloc { heap, dst, size } => {
            let kind = if heap { ObjectKind::Heap } else { ObjectKind::Stack };
            let (address, index) = memory.allocate(reg!(size), 16, kind).map_err(|f| at.fault(program, f))?;
            if !heap {
                objects.push(index);
            }
            reg!(dst) = address;
        }
        Inst::Free { ptr } => memory.free(reg!(ptr)).map_err(|f| at.fault(program, f))?,
        Inst::Lifetime { ptr, begins } => memory.lifetime(reg!(ptr), begins),
        Inst::Copy { dst, src, len } => {
            let len = reg!(len);
            memory.copy(reg!(dst), reg!(src), len).map_err(|f| at.fault(program, f))?;
            return Ok(bulk(len));
        }
        Inst::Fill { dst, byte, len } => {
            let (len, byte) = (reg!(len), reg!(byte) as u8);
            memory.fill(reg!(dst), byte, len).map_err(|f| at.fault(program, f))?;
            return Ok(bulk(len));
        }
        Inst::Trace { edge } => {
            io.record_step(memory, TraceStep { function: at.function, edge: EdgeId(edge) })?;
        }
        Inst::Record { ty, src } => io.record_value(memory, read_value(regs, src, type_of_code(ty)))?,
        _ => return Err(unsupported("an instruction that is not known", at, program)),
    }
    Ok(0)
}

/// Calls a function without a body and keeps its result.
pub fn call_extern(
    id: FuncId,
    site: &CallSite,
    dst: u32,
    at: At,
    regs: &mut [u64],
    memory: &mut Memory,
    io: &mut Io,
) -> Result<(), Outcome> {
    let result = externs::call(io, memory, at, id, site, regs)?;
    if dst != NO_SLOT
        && let (Some(ty), Some(bits)) = (site.dst, result)
    {
        write_value(regs, dst, ty, bits);
    }
    Ok(())
}

/// Records all register variables.
#[inline(never)]
pub fn snapshot(
    (function, node, depth): (FuncId, NodeId, u32),
    code: &Code,
    places: &[GlobalPlace],
    regs: &[u64],
    globals: &[u64],
    memory: &mut Memory,
    io: &mut Io,
) -> Result<(), Outcome> {
    let locals = &io.program.function(function).locals;
    let size = size_of::<Snapshot>() + (locals.len() + places.len()) * size_of::<Option<u128>>();
    if !memory.charge(size as u64) {
        return Err(Outcome::OutOfMemory);
    }
    let locals = locals
        .iter()
        .zip(&code.slots)
        .map(|(local, slot)| Some(read_value(regs, *slot, local.storage.register()?)));
    let globals = places.iter().map(|place| match *place {
        GlobalPlace::Register { slot, ty } => Some(read_value(globals, slot, ty)),
        GlobalPlace::Memory { .. } => None,
    });
    let (locals, globals) = (locals.collect(), globals.collect());
    io.snapshots.push(Snapshot { function, node, depth, locals, globals });
    Ok(())
}

pub fn read_value(regs: &[u64], slot: u32, ty: Type) -> u128 {
    let low = regs[slot as usize];
    if is_wide(ty) { u128::from(regs[slot as usize + 1]) << 64 | u128::from(low) } else { slot_bits(ty, low) }
}

pub fn write_value(regs: &mut [u64], slot: u32, ty: Type, bits: u128) {
    if is_wide(ty) {
        regs[slot as usize] = bits as u64;
        regs[slot as usize + 1] = (bits >> 64) as u64;
    } else {
        regs[slot as usize] = slot_form(ty, bits);
    }
}

/// The values of a call's arguments.
pub fn arguments(site: &CallSite, regs: &[u64]) -> Vec<(Type, u128)> {
    site.args.iter().map(|&(slot, ty)| (ty, read_value(regs, slot, ty))).collect()
}

enum SlowFault {
    Arith(ArithFault),
    Undefined(UndefinedKind, String),
}

impl SlowFault {
    fn outcome(self, at: At, program: &Program) -> Outcome {
        match self {
            SlowFault::Arith(fault) => arith_fault(fault, at, program),
            SlowFault::Undefined(kind, detail) => at.undefined(program, kind, detail),
        }
    }
}

fn slow(op: SlowOp, regs: &mut [u64], dst: u32, a: u32, b: u32, program: &Program) -> Result<(), SlowFault> {
    let target = &program.target;
    let (ty, bits) = match op {
        SlowOp::Binary(op, ty) => {
            let (x, y) = (read_value(regs, a, ty), read_value(regs, b, ty));
            let bits = eval::binary(target, op, ty, x, y).map_err(SlowFault::Arith)?;
            (if op.gives_bool() { Type::Bool } else { ty }, bits)
        }
        SlowOp::Unary(op, ty) => (ty, eval::unary(op, ty, read_value(regs, a, ty))),
        SlowOp::Cast { from, to } => (to, eval::cast(target, from, to, read_value(regs, a, from))),
        SlowOp::Checked(op, int) => {
            let ty = Type::Int(int);
            let (x, y) = (read_value(regs, a, ty), read_value(regs, b, ty));
            let shift = matches!(op, BinOp::Shl | BinOp::Shr);
            if eval::overflows(op, int, x, y) || shift && y >= u128::from(int.bits) {
                let kind = if shift { UndefinedKind::ShiftRange } else { UndefinedKind::SignedOverflow };
                let detail = format!("{op:?} of {} and {} in {int}", int.value(x), int.value(y));
                return Err(SlowFault::Undefined(kind, detail));
            }
            (ty, eval::binary(target, op, ty, x, y).map_err(SlowFault::Arith)?)
        }
        SlowOp::CheckedNeg(int) => {
            let ty = Type::Int(int);
            let x = read_value(regs, a, ty);
            if x == int.min_bits() {
                let detail = format!("negation of {} in {int}", int.value(x));
                return Err(SlowFault::Undefined(UndefinedKind::SignedOverflow, detail));
            }
            (ty, eval::unary(ir::UnOp::Neg, ty, x))
        }
        SlowOp::Aligned(size) => {
            let address = read_value(regs, a, Type::Ptr);
            if !address.is_multiple_of(u128::from(size)) {
                let detail = format!("an access of {size} bytes at {address:#x}");
                return Err(SlowFault::Undefined(UndefinedKind::MisalignedAccess, detail));
            }
            (Type::Ptr, address)
        }
    };
    write_value(regs, dst, ty, bits);
    Ok(())
}

#[cold]
pub fn arith_fault(fault: ArithFault, at: At, program: &Program) -> Outcome {
    let kind = match fault {
        ArithFault::DivisionByZero => UndefinedKind::DivisionByZero,
        ArithFault::DivisionOverflow => UndefinedKind::DivisionOverflow,
    };
    at.undefined(program, kind, String::new())
}

#[cold]
pub fn unsupported(reason: &str, at: At, program: &Program) -> Outcome {
    Outcome::Unsupported { reason: reason.into(), pos: at.pos(program) }
}

#[cold]
pub fn check_failed(at: At, program: &Program, access: Option<Access>) -> Outcome {
    let edge = at.edge.unwrap_or(EdgeId(0));
    match program.function(at.function).cfa().map(|cfa| cfa.edge(edge)) {
        Some(ir::Edge { op: Op::Check { kind, message, .. }, pos, .. }) => Outcome::CheckFailed {
            kind: *kind,
            function: at.function,
            edge,
            pos: *pos,
            message: message.clone(),
            access,
        },
        _ => unsupported("a check that is none", at, program),
    }
}

/// A heap object that breaks a rule where the program ends.
#[inline(never)]
pub fn left(memory: &Memory, registers: Registers, rule: HeapRule, also: Option<u64>) -> Option<Access> {
    let global = |place: &GlobalPlace| match *place {
        GlobalPlace::Register { slot, ty } => Some(read_value(registers.values, slot, ty) as u64),
        GlobalPlace::Memory { .. } => None,
    };
    memory.left(rule, registers.places.iter().filter_map(global).chain(also).collect())
}

fn havoc_kind(at: At, program: &Program) -> InputKind {
    let edge = at.edge.and_then(|id| program.function(at.function).cfa().map(|cfa| cfa.edge(id)));
    match edge.map(|e| &e.op) {
        Some(Op::Havoc { kind: HavocKind::Input(name), .. }) => InputKind::Input(name.clone()),
        Some(Op::Havoc { kind: HavocKind::Asm, .. }) => InputKind::Asm,
        Some(Op::Havoc { var: ir::Var::Local(id), .. }) => InputKind::Uninit(Some(*id)),
        _ => InputKind::Uninit(None),
    }
}

#[inline(never)]
/// Stores the arguments beyond the parameters, each in a slot of 16 bytes: address and object.
pub fn pass_extra(
    site: &CallSite,
    program: &Program,
    id: FuncId,
    regs: &[u64],
    memory: &mut Memory,
    at: At,
) -> Result<(u64, u32), Outcome> {
    let extra = site.args.get(program.function(id).params as usize..).unwrap_or(&[]);
    let fault = |f| at.fault(program, f);
    let (address, index) =
        memory.allocate(extra.len() as u64 * 16, 16, ObjectKind::VarArgs).map_err(fault)?;
    for (i, &(slot, ty)) in extra.iter().enumerate() {
        let bytes = read_value(regs, slot, ty).to_le_bytes();
        let len = ty.access_size(&program.target) as usize;
        memory.write_at(index, i * 16, &bytes[..len]).map_err(fault)?;
    }
    Ok((address, index))
}

#[inline(never)]
/// The function a pointer leads to, if the call fits it.
pub fn resolve(site: &CallSite, regs: &[u64], at: At, program: &Program) -> Result<FuncId, Outcome> {
    let address = regs[site.target as usize];
    let bad = |detail| at.undefined(program, UndefinedKind::BadCall, detail);
    let Some(index) = AddressSpace::function_at(address, program.functions.len()) else {
        return Err(bad(format!("{address:#x} is not the address of a function")));
    };
    let callee = program.function(FuncId(index));
    if !ir::calls::signature_matches(callee, &site.types, site.dst, &program.target) {
        return Err(bad(format!(
            "{} has the type {}, which does not fit the call",
            callee.name, callee.c_type
        )));
    }
    Ok(FuncId(index))
}

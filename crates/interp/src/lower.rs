//! Expressions to internal code.
//!
//! An expression becomes a slot that holds its value, or a constant that an instruction can take as its
//! immediate operand. Only the last instruction writes the slot that is wanted, after all operands were read,
//! so a variable may be wanted for an expression that reads it.

use crate::address::AddressSpace;
use crate::code::{CallSite, Code, Inst, NO_EDGE, NO_SLOT, SlowOp, is_wide, slot_bits, slot_form};
use crate::compile::{Context, GlobalPlace, Refusal};
use crate::eval;
use crate::select;
use ir::{BinOp, EdgeId, Expr, ExprKind, FloatType, Function, IntType, Storage, Type, UnOp, Var};
use std::sync::Arc;

/// Recursion over expressions stops here; verified ones are never deeper.
const MAX_DEPTH: u32 = ir::verify::MAX_DEPTH as u32 + 1;

/// The value of an expression of at most 64 bits, or the slots of a wider one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Slot(u32),
    Constant(u64),
}

pub struct Lower<'c, 'p> {
    pub context: &'c Context<'p>,
    pub code: Code,
    /// Edges since the last instruction that counted them.
    pub cost: u32,
    function: &'c Function,
    edge: u32,
    /// The first slot that is no variable's.
    first_temp: u32,
    next_temp: u32,
    depth: u32,
}

impl<'c, 'p> Lower<'c, 'p> {
    pub fn new(context: &'c Context<'p>, function: &'c Function) -> Self {
        let mut code = Code { ret: function.ret, ..Code::default() };
        let mut next = 0;
        for (i, local) in function.locals.iter().enumerate() {
            if i == function.params as usize && function.variadic {
                code.varargs = Some(next);
                next += 1;
            }
            code.slots.push(next);
            let ty = match local.storage {
                Storage::Register(ty) => ty,
                Storage::Memory { .. } => Type::Ptr,
            };
            if i < function.params as usize {
                code.params.push((next, ty));
            }
            next += if is_wide(ty) { 2 } else { 1 };
        }
        if function.variadic && code.varargs.is_none() {
            code.varargs = Some(next);
            next += 1;
        }
        code.frame = next;
        Lower { context, code, cost: 0, function, edge: NO_EDGE, first_temp: next, next_temp: next, depth: 0 }
    }

    pub fn trace(&self) -> bool {
        self.context.trace
    }

    pub fn emit(&mut self, inst: Inst) {
        self.code.insts.push(inst);
        self.code.edges.push(self.edge);
        self.code.uncounted.push(self.cost);
    }

    pub fn trap(&mut self, reason: Arc<str>) {
        let index = self.code.traps.len() as u32;
        self.code.traps.push(reason);
        self.emit(Inst::Trap { reason: index });
    }

    pub fn site(&mut self, site: CallSite) -> u32 {
        self.code.sites.push(site);
        self.code.sites.len() as u32 - 1
    }

    /// From now on instructions belong to this edge; all temporaries are free.
    pub fn begin_edge(&mut self, id: EdgeId) {
        self.edge = id.0;
        self.next_temp = self.first_temp;
        self.cost += 1;
    }

    pub fn take_cost(&mut self) -> u16 {
        if self.cost > u32::from(u16::MAX) {
            self.flush_cost();
        }
        std::mem::take(&mut self.cost) as u16
    }

    pub fn flush_cost(&mut self) {
        let cost = std::mem::take(&mut self.cost);
        if cost > 0 {
            self.emit(Inst::Tick { cost });
        }
    }

    /// Directs a jump to the next instruction.
    pub fn land(&mut self, at: usize) {
        let here = self.code.insts.len() as u32;
        self.code.insts[at].set_target(here);
    }

    pub fn top(&self) -> u32 {
        self.next_temp
    }

    pub fn temp(&mut self, wide: bool) -> Result<u32, Refusal> {
        let slot = self.next_temp;
        self.next_temp += if wide { 2 } else { 1 };
        if self.next_temp > i32::MAX as u32 {
            return Err("the function has too many variables");
        }
        self.code.frame = self.code.frame.max(self.next_temp);
        Ok(slot)
    }

    pub fn var_type(&self, var: Var) -> Result<Type, Refusal> {
        let ty = match var {
            Var::Local(id) => self.function.locals.get(id.0 as usize).map(|l| l.storage),
            Var::Global(id) => self.context.program.globals.get(id.0 as usize).map(|g| g.storage),
        };
        match ty {
            Some(Storage::Register(ty)) => Ok(ty),
            _ => Err("a memory variable is used as a register"),
        }
    }

    /// The slot to compute a variable's new value in; [`Lower::finish`] puts it where it belongs.
    pub fn target_slot(&mut self, var: Var, ty: Type) -> u32 {
        match var {
            Var::Local(id) => self.code.slots[id.0 as usize],
            // Cannot fail: an edge starts with few temporaries.
            Var::Global(_) => self.temp(is_wide(ty)).unwrap_or(self.first_temp),
        }
    }

    pub fn finish(&mut self, var: Var, ty: Type, slot: u32) -> Result<(), Refusal> {
        if let Var::Global(id) = var {
            let Some(&GlobalPlace::Register { slot: global, .. }) = self.context.globals.get(id.0 as usize)
            else {
                return Err("a memory variable is used as a register");
            };
            self.emit(Inst::SetGlobal { global, src: slot });
            if is_wide(ty) {
                self.emit(Inst::SetGlobal { global: global + 1, src: slot + 1 });
            }
        }
        Ok(())
    }

    pub fn assign(&mut self, var: Var, value: &Expr) -> Result<(), Refusal> {
        let ty = self.var_type(var)?;
        match var {
            Var::Local(_) => {
                let dst = self.target_slot(var, ty);
                self.put(value, dst)
            }
            Var::Global(_) => {
                let slot = self.slot(value)?;
                self.finish(var, ty, slot)
            }
        }
    }

    /// The value in the slot `dst`.
    pub fn put(&mut self, e: &Expr, dst: u32) -> Result<(), Refusal> {
        match self.value(e, Some(dst))? {
            Value::Slot(src) if src == dst => {}
            Value::Slot(src) => {
                self.emit(Inst::Move { dst, src });
                if is_wide(e.ty) {
                    self.emit(Inst::Move { dst: dst + 1, src: src + 1 });
                }
            }
            Value::Constant(value) => self.emit(Inst::Const { dst, value }),
        }
        Ok(())
    }

    /// The value in some slot.
    pub fn slot(&mut self, e: &Expr) -> Result<u32, Refusal> {
        match self.value(e, None)? {
            Value::Slot(slot) => Ok(slot),
            Value::Constant(value) => self.constant(value),
        }
    }

    fn constant(&mut self, value: u64) -> Result<u32, Refusal> {
        let dst = self.temp(false)?;
        self.emit(Inst::Const { dst, value });
        Ok(dst)
    }

    fn materialise(&mut self, value: Value) -> Result<u32, Refusal> {
        match value {
            Value::Slot(slot) => Ok(slot),
            Value::Constant(value) => self.constant(value),
        }
    }

    /// Brings a slot into the form of a type of at most 64 bits, from any other type of the same width.
    pub fn normalise(&mut self, ty: Type, dst: u32, src: u32) {
        let int = match ty {
            Type::Int(int) => int,
            Type::Ptr => IntType::new(self.context.program.target.pointer_bits, false),
            _ => return,
        };
        match select::extend(int, dst, src) {
            Some(inst) => self.emit(inst),
            None if dst != src => self.emit(Inst::Move { dst, src }),
            None => {}
        }
    }

    /// Writes to memory, with the address computed by the instruction where its form allows.
    pub fn store(&mut self, addr: &Expr, value: &Expr) -> Result<(), Refusal> {
        let address = self.address(addr, value.ty)?;
        let src = self.slot(value)?;
        let size = value.ty.access_size(&self.context.program.target);
        self.emit(match address {
            Address::Offset { addr, offset } => select::store(size, addr, src, offset),
            Address::Scaled { addr, index, scale } => select::store_at(size, addr, src, index, scale),
        });
        Ok(())
    }

    /// Emits a jump that is taken where `cond` is `sense`; the instruction to direct, or None if it never is.
    pub fn jump_where(&mut self, cond: &Expr, sense: bool) -> Result<Option<usize>, Refusal> {
        if let ExprKind::Unary(UnOp::Not, inner) = &cond.kind
            && cond.ty == Type::Bool
        {
            return self.nested(|l| l.jump_where(inner, !sense));
        }
        if let ExprKind::Binary(op, a, b) = &cond.kind
            && op.is_comparison()
            && !a.ty.is_float()
            && !is_wide(a.ty)
        {
            let (x, y) = (self.value(a, None)?, self.value(b, None)?);
            let signed = matches!(a.ty, Type::Int(int) if int.signed);
            let (x, y) = select::arrange(*op, x, y);
            let inst = match (x, y) {
                (Value::Slot(a), Value::Constant(v)) if select::fits(v) => {
                    select::jump_immediate(*op, signed, sense, self.take_cost(), a, v as i32)
                }
                (Value::Constant(v), Value::Slot(a)) if select::fits(v) => {
                    select::jump_reversed(*op, signed, sense, self.take_cost(), a, v as i32)
                }
                _ => {
                    let (a, b) = (self.materialise(x)?, self.materialise(y)?);
                    select::jump(*op, signed, sense, self.take_cost(), a, b)
                }
            };
            self.emit(inst);
            return Ok(Some(self.code.insts.len() - 1));
        }
        let value = self.value(cond, None)?;
        let cost = self.take_cost();
        self.emit(match value {
            Value::Constant(bit) if (bit != 0) == sense => Inst::Jump { cost, to: 0 },
            Value::Constant(_) => {
                self.cost += u32::from(cost);
                return Ok(None);
            }
            Value::Slot(cond) if sense => Inst::JumpIf { cost, cond, to: 0 },
            Value::Slot(cond) => Inst::JumpUnless { cost, cond, to: 0 },
        });
        Ok(Some(self.code.insts.len() - 1))
    }

    fn nested<T>(&mut self, action: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.depth += 1;
        let result =
            if self.depth > MAX_DEPTH { Err("an expression is nested too deeply") } else { action(self) };
        self.depth -= 1;
        result
    }

    /// Compiles `e`; if that takes an instruction and a slot is wanted, the value goes there.
    pub fn value(&mut self, e: &Expr, want: Option<u32>) -> Result<Value, Refusal> {
        self.nested(|l| l.compute(e, want))
    }

    fn compute(&mut self, e: &Expr, want: Option<u32>) -> Result<Value, Refusal> {
        match &e.kind {
            ExprKind::Const(bits) if !is_wide(e.ty) => return Ok(Value::Constant(slot_form(e.ty, *bits))),
            ExprKind::Local(id) | ExprKind::AddrLocal(id) => {
                let slot = self.code.slots.get(id.0 as usize).ok_or("a local does not exist")?;
                return Ok(Value::Slot(*slot));
            }
            ExprKind::AddrGlobal(id) => {
                return match self.context.globals.get(id.0 as usize) {
                    Some(&GlobalPlace::Memory { address, .. }) => Ok(Value::Constant(address)),
                    _ => Err("the address of a register is taken"),
                };
            }
            ExprKind::AddrFunc(id) => return Ok(Value::Constant(AddressSpace::function_address(id.0))),
            ExprKind::VarArgs => {
                let slot =
                    self.code.varargs.ok_or("a function that is not variadic has no extra arguments")?;
                return Ok(Value::Slot(slot));
            }
            ExprKind::Cast(inner) => {
                if let Some(value) = self.cheap_cast(e.ty, inner, want)? {
                    return Ok(value);
                }
            }
            ExprKind::Unary(op, inner) => {
                if let (ExprKind::Const(bits), false) = (&inner.kind, is_wide(e.ty)) {
                    return Ok(Value::Constant(slot_form(e.ty, eval::unary(*op, e.ty, *bits))));
                }
            }
            _ => {}
        }
        let dst = match want {
            Some(slot) => slot,
            None => self.temp(is_wide(e.ty))?,
        };
        let top = self.next_temp;
        let value = self.compute_into(e, dst)?;
        self.next_temp = top;
        Ok(value)
    }

    fn compute_into(&mut self, e: &Expr, dst: u32) -> Result<Value, Refusal> {
        match &e.kind {
            ExprKind::Const(bits) => {
                self.emit(Inst::Const { dst, value: *bits as u64 });
                self.emit(Inst::Const { dst: dst + 1, value: (*bits >> 64) as u64 });
            }
            ExprKind::Global(id) => {
                let Some(&GlobalPlace::Register { slot, .. }) = self.context.globals.get(id.0 as usize)
                else {
                    return Err("a memory variable is used as a register");
                };
                self.emit(Inst::GetGlobal { dst, global: slot });
                if is_wide(e.ty) {
                    self.emit(Inst::GetGlobal { dst: dst + 1, global: slot + 1 });
                }
            }
            ExprKind::Load(addr) => {
                let address = self.address(addr, e.ty)?;
                let size = e.ty.access_size(&self.context.program.target);
                self.emit(match address {
                    Address::Offset { addr, offset } => select::load(e.ty, size, dst, addr, offset),
                    Address::Scaled { addr, index, scale } => {
                        select::load_at(e.ty, size, dst, addr, index, scale)
                    }
                });
            }
            ExprKind::Unary(op, inner) => return self.unary(*op, inner, dst),
            ExprKind::Binary(op, a, b) => return self.binary(*op, e.ty, a, b, dst),
            ExprKind::Cast(inner) => {
                let src = self.slot(inner)?;
                match (inner.ty, e.ty) {
                    (Type::Int(int), Type::F64) if int.bits < 64 || int.bits == 64 && int.signed => {
                        self.emit(Inst::IntToFloat { dst, src });
                    }
                    (from, to) => self.slow(SlowOp::Cast { from, to }, dst, src, src),
                }
            }
            ExprKind::Ite(parts) => {
                let [cond, yes, no] = &**parts;
                let cond = self.slot(cond)?;
                let wide = is_wide(e.ty);
                let (a, b) = (self.temp(wide)?, self.temp(wide)?);
                self.put(yes, a)?;
                self.put(no, b)?;
                self.emit(if wide {
                    Inst::SelectWide { dst, cond, a }
                } else {
                    Inst::Select { dst, cond, a }
                });
            }
            ExprKind::Valid { ptr, size, write } => {
                let (ptr, size) = (self.slot(ptr)?, self.slot(size)?);
                self.emit(Inst::Valid { write: *write, dst, ptr, size });
            }
            ExprKind::Freeable(ptr) => {
                let ptr = self.slot(ptr)?;
                self.emit(Inst::Freeable { dst, ptr });
            }
            ExprKind::HeapKept { rule, also } => {
                let also = self.also(also.as_deref())?;
                self.emit(Inst::HeapKept { rule: *rule, dst, also });
            }
            ExprKind::ObjectSize(ptr) => {
                let ptr = self.slot(ptr)?;
                self.emit(Inst::ObjectSize { dst, ptr });
            }
            ExprKind::Local(_)
            | ExprKind::AddrLocal(_)
            | ExprKind::AddrGlobal(_)
            | ExprKind::AddrFunc(_)
            | ExprKind::VarArgs => return Err("an expression of this kind needs no slot"),
        }
        Ok(Value::Slot(dst))
    }

    /// The slot of a pointer, if there is one.
    pub fn also(&mut self, ptr: Option<&Expr>) -> Result<u32, Refusal> {
        ptr.map_or(Ok(NO_SLOT), |ptr| self.slot(ptr))
    }

    fn slow(&mut self, op: SlowOp, dst: u32, a: u32, b: u32) {
        let known = self.code.slow.iter().position(|o| *o == op);
        let index = known.unwrap_or_else(|| {
            self.code.slow.push(op);
            self.code.slow.len() - 1
        });
        // There are a few hundred different ones at most.
        self.emit(Inst::Slow { op: index as u16, dst, a, b });
    }

    fn unary(&mut self, op: UnOp, inner: &Expr, dst: u32) -> Result<Value, Refusal> {
        let ty = inner.ty;
        let a = self.slot(inner)?;
        match (ty, op) {
            (Type::Int(int), UnOp::Neg) if int.signed && self.context.detect.signed_overflow => {
                self.slow(SlowOp::CheckedNeg(int), dst, a, a);
            }
            (Type::Int(int), UnOp::Neg) if int.bits <= 64 => {
                self.emit(Inst::Mul64Imm { dst, a, imm: -1 });
                self.normalise(ty, dst, dst);
            }
            (Type::Int(int), UnOp::Not) if int.bits <= 64 => {
                self.emit(Inst::XorImm { dst, a, imm: -1 });
                if !int.signed {
                    self.normalise(ty, dst, dst);
                }
            }
            (Type::Bool, UnOp::Not) => self.emit(Inst::XorImm { dst, a, imm: 1 }),
            _ => self.slow(SlowOp::Unary(op, ty), dst, a, a),
        }
        Ok(Value::Slot(dst))
    }

    fn binary(&mut self, op: BinOp, ty: Type, a: &Expr, b: &Expr, dst: u32) -> Result<Value, Refusal> {
        let target = &self.context.program.target;
        let operands = a.ty;
        if is_wide(operands) {
            let (x, y) = (self.slot(a)?, self.slot(b)?);
            let op = self.checked(op, operands);
            self.slow(op, dst, x, y);
            return Ok(Value::Slot(dst));
        }
        let (x, y) = (self.value(a, None)?, self.value(b, None)?);
        if let (Value::Constant(p), Value::Constant(q)) = (x, y)
            && matches!(self.checked(op, operands), SlowOp::Binary(..))
            && let Ok(bits) = eval::binary(target, op, operands, slot_bits(operands, p), slot_bits(b.ty, q))
        {
            return Ok(Value::Constant(slot_form(ty, bits)));
        }
        let int = match (operands, op) {
            (Type::Int(int), _) => Some(int),
            (Type::Ptr, BinOp::PtrSub) => Some(IntType::new(target.pointer_bits, true)),
            (Type::Ptr, _) => Some(IntType::new(target.pointer_bits, false)),
            (Type::Bool, _) => Some(IntType::new(8, false)),
            (Type::Float(_), _) => None,
        };
        let op = match op {
            BinOp::PtrAdd => BinOp::Add,
            BinOp::PtrSub => BinOp::Sub,
            other => other,
        };
        match (int, self.checked(op, operands)) {
            (Some(int), SlowOp::Binary(..)) => self.int_binary(op, int, x, y, dst),
            (_, slow) => {
                let (x, y) = (self.materialise(x)?, self.materialise(y)?);
                match select::float(op, operands == Type::Float(FloatType::F64), dst, x, y) {
                    Some(inst) => self.emit(inst),
                    None => self.slow(slow, dst, x, y),
                }
                Ok(Value::Slot(dst))
            }
        }
    }

    /// The operator, or its checking form if the options ask for it.
    fn checked(&self, op: BinOp, ty: Type) -> SlowOp {
        let detect = self.context.detect;
        match (op, ty) {
            (BinOp::Add | BinOp::Sub | BinOp::Mul, Type::Int(int))
                if int.signed && detect.signed_overflow =>
            {
                SlowOp::Checked(op, int)
            }
            (BinOp::Shl | BinOp::Shr, Type::Int(int)) if detect.shift => SlowOp::Checked(op, int),
            _ => SlowOp::Binary(op, ty),
        }
    }

    fn int_binary(
        &mut self,
        op: BinOp,
        int: IntType,
        x: Value,
        y: Value,
        dst: u32,
    ) -> Result<Value, Refusal> {
        if let (Value::Constant(v), Value::Slot(a)) = (x, y)
            && select::fits(v)
            && let Some(inst) = select::reversed(op, int.signed, dst, a, v as i32)
        {
            self.emit(inst);
            return Ok(Value::Slot(dst));
        }
        let (x, y) = select::arrange(op, x, y);
        // A difference from a constant is a sum; a shift count is taken modulo the width.
        let (op, y) = match (op, y) {
            (BinOp::Sub, Value::Constant(v)) if select::fits(v.wrapping_neg()) => {
                (BinOp::Add, Value::Constant(v.wrapping_neg()))
            }
            (BinOp::Shl | BinOp::Shr, Value::Constant(v)) => {
                (op, Value::Constant(v & u64::from(int.bits - 1)))
            }
            (BinOp::Shl | BinOp::Shr, Value::Slot(a)) if int.bits < 32 => {
                let count = self.temp(false)?;
                self.emit(Inst::AndImm { dst: count, a, imm: i32::from(int.bits) - 1 });
                (op, Value::Slot(count))
            }
            other => other,
        };
        let a = self.materialise(x)?;
        if let Value::Constant(v) = y
            && select::fits(v)
            && let Some(inst) = select::immediate(op, int, dst, a, v as i32)
        {
            self.emit(inst);
        } else {
            let b = self.materialise(y)?;
            match select::binary(op, int, dst, a, b) {
                Some(inst) => self.emit(inst),
                None => self.slow(SlowOp::Binary(op, Type::Int(int)), dst, a, b),
            }
        }
        if select::leaves_range(op, int) {
            self.normalise(Type::Int(int), dst, dst);
        }
        Ok(Value::Slot(dst))
    }

    /// Conversions between integers, pointers and Bool: nothing, or one extension.
    fn cheap_cast(&mut self, to: Type, inner: &Expr, want: Option<u32>) -> Result<Option<Value>, Refusal> {
        let from = inner.ty;
        if from.is_float() || to.is_float() || is_wide(from) || is_wide(to) {
            return if from == to { self.value(inner, want).map(Some) } else { Ok(None) };
        }
        let target = &self.context.program.target;
        let form = select::conversion(target, from, to);
        let value = self.value(inner, if form.is_none() { want } else { None })?;
        if let Value::Constant(v) = value {
            let bits = eval::cast(target, from, to, slot_bits(from, v));
            return Ok(Some(Value::Constant(slot_form(to, bits))));
        }
        let Some(form) = form else { return Ok(Some(value)) };
        let src = self.materialise(value)?;
        let dst = match want {
            Some(slot) => slot,
            None => self.temp(false)?,
        };
        self.normalise(Type::Int(form), dst, src);
        Ok(Some(Value::Slot(dst)))
    }

    /// Splits the address of a value of this type into what load and store instructions can add themselves.
    fn address(&mut self, e: &Expr, ty: Type) -> Result<Address, Refusal> {
        let size = ty.access_size(&self.context.program.target);
        if self.context.detect.misaligned_access && size.is_power_of_two() {
            let (whole, addr) = (self.slot(e)?, self.temp(false)?);
            self.slow(SlowOp::Aligned(size as u8), addr, whole, whole);
            return Ok(Address::Offset { addr, offset: 0 });
        }
        if let ExprKind::Binary(BinOp::PtrAdd, base, offset) = &e.kind {
            if let ExprKind::Const(bits) = offset.kind
                && select::fits(slot_form(offset.ty, bits))
            {
                let addr = self.slot(base)?;
                return Ok(Address::Offset { addr, offset: slot_form(offset.ty, bits) as i32 });
            }
            if !is_wide(ty) {
                let (index, scale) = match &offset.kind {
                    ExprKind::Binary(BinOp::Mul, i, s) => match s.as_const() {
                        Some(scale @ 1..=0xffff) => (&**i, scale as u16),
                        _ => (&**offset, 1),
                    },
                    _ => (&**offset, 1),
                };
                let checked = self.context.detect.signed_overflow && scale != 1;
                let (index, scale) = if checked { (&**offset, 1) } else { (index, scale) };
                let addr = self.slot(base)?;
                let index = self.slot(index)?;
                return Ok(Address::Scaled { addr, index, scale });
            }
        }
        Ok(Address::Offset { addr: self.slot(e)?, offset: 0 })
    }
}

enum Address {
    Offset {
        addr: u32,
        offset: i32,
    },
    /// `addr + index * scale`.
    Scaled {
        addr: u32,
        index: u32,
        scale: u16,
    },
}

//! Expressions and operations.

use crate::content::{Content, Start};
use crate::exec::{Exec, Fail, Returned, Why};
use crate::index::is_up_to;
use crate::objects::{Kind, ObjectId};
use crate::pointer::Target;
use crate::state::State;
use engine::Site;
use interp::ObjectKind;
use ir::{AllocKind, BinOp, EdgeId, Expr, ExprKind, HavocKind, Op, Storage, Type, Var};
use logic::Term;
use std::rc::Rc;

/// The greatest size that an object of unknown size is followed to.
const MOST_UNKNOWN: u64 = 1 << 16;
/// The same where there are 64 bits of addresses.
const MOST_UNKNOWN_WIDE: u64 = 1 << 40;

/// A number that was read.
fn narrowed(state: &State, ty: Type, value: Term) -> Term {
    if ty.is_int() { state.guard.narrowed(value) } else { value }
}

impl Exec<'_> {
    pub(crate) fn expr(&mut self, e: &Expr, state: &State) -> Result<Term, Fail> {
        Ok(match &e.kind {
            ExprKind::Const(bits) => self.ops.constant(e.ty, *bits)?,
            ExprKind::Local(id) => {
                let known = state.locals.get(id.0 as usize).copied().flatten();
                let value =
                    known.ok_or_else(|| Fail::Unsupported("a variable without a value".to_owned()))?;
                narrowed(state, e.ty, value)
            }
            ExprKind::Global(id) => narrowed(state, e.ty, self.global(state, *id)),
            ExprKind::AddrLocal(id) => {
                let object = self.local_object(id.0)?;
                self.address(object)
            }
            ExprKind::AddrGlobal(id) => {
                let name = self.global_name(*id);
                let object = self.objects.find(&name);
                let object = object.ok_or_else(|| Fail::Unsupported("a global too large".to_owned()))?;
                self.address(object)
            }
            ExprKind::AddrFunc(id) => {
                let name = format!("fn {}", self.program.function(*id).name);
                let object = self.objects.find(&name);
                let object = object.ok_or_else(|| Fail::Unsupported("too many functions".to_owned()))?;
                self.address(object)
            }
            ExprKind::VarArgs => {
                let name = format!("{}/...", self.path());
                match self.objects.find(&name) {
                    Some(object) => self.address(object),
                    None => {
                        let width = self.pointer_width();
                        let made = self.objects.make(
                            name,
                            Kind::Made(ObjectKind::VarArgs),
                            Term::bv(0, width),
                            0,
                            self.level() as u32,
                        );
                        let object = made.ok_or_else(|| Fail::Unsupported("no addresses left".to_owned()))?;
                        self.address(object)
                    }
                }
            }
            ExprKind::Load(address) => {
                let at = self.expr(address, state)?;
                narrowed(state, e.ty, self.load(state, at, e.ty)?)
            }
            ExprKind::Unary(op, a) => {
                let a = self.expr(a, state)?;
                self.ops.unary(*op, e.ty, a)?
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a, state)?, self.expr(b, state)?);
                // A plain number may look like an address by chance.
                let numbers = x.is_const() && y.is_const();
                let subtracts = *op == BinOp::PtrSub || *op == BinOp::Sub && a.ty.is_int() && !numbers;
                if subtracts && let Some(distance) = self.difference(x, y) {
                    return Ok(distance);
                }
                let value = self.ops.binary(*op, a.ty, x, y)?;
                for trap in std::mem::take(&mut self.ops.traps) {
                    self.undefined(trap, "a division by zero, or one that overflows");
                }
                value
            }
            ExprKind::Cast(a) => {
                let x = self.expr(a, state)?;
                self.ops.cast(a.ty, e.ty, x)?
            }
            ExprKind::Ite(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (self.expr(c, state)?, self.expr(a, state)?, self.expr(b, state)?);
                c.ite(a, b)
            }
            ExprKind::Valid { ptr, size, write } => {
                let (ptr, size) = (self.expr(ptr, state)?, self.expr(size, state)?);
                self.valid(state, ptr, size, *write)
            }
            ExprKind::Freeable(ptr) => {
                let ptr = self.expr(ptr, state)?;
                self.freeable(state, ptr)
            }
            ExprKind::HeapKept { rule, also } => {
                let also = also.as_ref().map(|ptr| self.expr(ptr, state)).transpose()?;
                self.heap_kept(state, *rule, also)?
            }
            ExprKind::ObjectSize(ptr) => {
                let ptr = self.expr(ptr, state)?;
                self.object_size(state, ptr)
            }
        })
    }

    pub(crate) fn path(&self) -> &str {
        let call = self.frames[self.level()].call;
        &self.calls[call.0 as usize].path
    }

    pub(crate) fn pointer_width(&self) -> u32 {
        u32::from(self.program.target.pointer_bits)
    }

    pub(crate) fn address(&self, object: ObjectId) -> Term {
        Term::bv(u128::from(self.objects.get(object).base), self.pointer_width())
    }

    /// The object of a memory local of the active call.
    fn local_object(&mut self, local: u32) -> Result<ObjectId, Fail> {
        let frame = &self.frames[self.level()];
        let function = frame.function;
        let id = ir::LocalId(local);
        let declared = self.program.function(function).local(id);
        let name = format!("{}/{}", self.path(), declared.name);
        if let Some(object) = self.objects.find(&name) {
            return Ok(object);
        }
        let Storage::Memory { size, .. } = declared.storage else {
            return Err(Fail::Unsupported("the address of a register".to_owned()));
        };
        let width = self.pointer_width();
        self.objects.call = self.frame().call.0;
        let kind = Kind::Made(ObjectKind::Local(function, id));
        let made =
            self.objects.make(name, kind, Term::bv(u128::from(size), width), size, self.level() as u32);
        made.ok_or_else(|| Fail::Unsupported("no addresses left".to_owned()))
    }

    /// Executes an operation. False: the path ends here.
    pub(crate) fn op(
        &mut self,
        id: EdgeId,
        op: &Op,
        state: &mut State,
        returned: &mut Option<Returned>,
    ) -> Result<bool, Fail> {
        let pos = self.pos(id);
        match op {
            Op::Skip => {}
            Op::Assume { cond, holds } => {
                let cond = self.expr(cond, state)?;
                if !self.survive(state, pos) {
                    return Ok(false);
                }
                let cond = if *holds { cond } else { cond.not() };
                match state.guard.and(cond) {
                    Some(guard) => state.guard = guard,
                    None => return Ok(false),
                }
            }
            Op::Assign { var, value } => {
                let value = self.expr(value, state)?;
                if !self.survive(state, pos) {
                    return Ok(false);
                }
                self.set(state, *var, value);
            }
            Op::Store { addr, value } => {
                let at = self.expr(addr, state)?;
                let new = self.expr(value, state)?;
                if !self.survive(state, pos) {
                    return Ok(false);
                }
                self.store(state, at, (value.ty, is_field(addr)), new)?;
            }
            Op::Havoc { var, kind } => self.havoc(id, *var, kind, state)?,
            Op::Copy { dst, src, len } => {
                let (dst, src) = (self.expr(dst, state)?, self.expr(src, state)?);
                let len = self.expr(len, state)?;
                self.copy(state, dst, src, len)?;
            }
            Op::Fill { dst, byte, len } => {
                let (dst, byte) = (self.expr(dst, state)?, self.expr(byte, state)?);
                let len = self.expr(len, state)?;
                self.fill(state, dst, byte, len)?;
            }
            Op::Alloc { var, size, kind } => self.alloc(id, *var, size, *kind, state)?,
            Op::Free { ptr } => {
                let ptr = self.expr(ptr, state)?;
                self.free(state, ptr)?;
            }
            Op::Lifetime { ptr, begins } => {
                let ptr = self.expr(ptr, state)?;
                self.lifetime(state, ptr, *begins);
            }
            Op::Call { dst, callee, args } => {
                return self.call(id, *dst, callee, args, state);
            }
            Op::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e, state)).transpose()?;
                if !self.survive(state, pos) {
                    return Ok(false);
                }
                let now = Returned { state: std::mem::take(state), value };
                *returned = match returned.take() {
                    Some(other) => self.merge_returned(other, now),
                    None => Some(now),
                };
                return Ok(false);
            }
            Op::Halt(code) => {
                if let Some(code) = code {
                    self.expr(code, state)?;
                }
                return Ok(false);
            }
            Op::Check { cond, .. } => {
                let cond = self.expr(cond, state)?;
                if !self.survive(state, pos) {
                    return Ok(false);
                }
                if let Some(fails) = state.guard.and(cond.not()) {
                    let call = self.frame().call;
                    let guard = fails.term();
                    self.calls[call.0 as usize].errors.push(guard);
                }
                match state.guard.and(cond) {
                    Some(guard) => state.guard = guard,
                    None => return Ok(false),
                }
            }
        }
        Ok(self.survive(state, pos))
    }

    pub(crate) fn pos(&self, edge: EdgeId) -> ir::Pos {
        let function = self.frames[self.level()].function;
        self.program.function(function).cfa().map(|cfa| cfa.edge(edge).pos).unwrap_or_default()
    }

    pub(crate) fn set(&mut self, state: &mut State, var: Var, value: Term) {
        match var {
            Var::Local(id) => {
                if let Some(slot) = state.locals.get_mut(id.0 as usize) {
                    *slot = Some(value);
                }
            }
            Var::Global(id) => {
                state.globals.insert(id, value);
            }
        }
    }

    pub(crate) fn var_type(&self, var: Var) -> Result<Type, Fail> {
        let storage = match var {
            Var::Local(id) => {
                let function = self.frames[self.level()].function;
                self.program.function(function).local(id).storage
            }
            Var::Global(id) => self.global_storage(id),
        };
        match storage {
            Storage::Register(ty) => Ok(ty),
            Storage::Memory { .. } => Err(Fail::Unsupported("a memory variable as a register".to_owned())),
        }
    }

    fn havoc(&mut self, id: EdgeId, var: Var, kind: &HavocKind, state: &mut State) -> Result<(), Fail> {
        let ty = self.var_type(var)?;
        let what = match kind {
            HavocKind::Input(name) => name.to_string(),
            HavocKind::Uninit => "uninit".to_owned(),
            HavocKind::Asm => "asm".to_owned(),
        };
        let value = self.fresh(id, ty, &what, state)?;
        self.set(state, var, value);
        Ok(())
    }

    /// A value from outside that an edge asks for.
    pub(crate) fn fresh(&mut self, id: EdgeId, ty: Type, what: &str, state: &State) -> Result<Term, Fail> {
        let (call, function) = (self.frame().call, self.frame().function);
        let count = self.count(false, id.0);
        let name = format!("{what}@{}#{count}", id.0);
        self.input(call, state, Site::Edge(function, id), ty, &name)
            .ok_or_else(|| Fail::Unsupported(format!("a value of type {ty}")))
    }

    fn alloc(
        &mut self,
        id: EdgeId,
        var: Var,
        size: &Expr,
        kind: AllocKind,
        state: &mut State,
    ) -> Result<(), Fail> {
        let size = self.expr(size, state)?;
        let count = self.count(false, id.0);
        let name = format!("{}@{}#{count}", self.path(), id.0);
        let kind = match kind {
            AllocKind::Heap => ObjectKind::Heap,
            AllocKind::Stack => ObjectKind::Stack,
        };
        let wide = self.pointer_width() > 32;
        let room = match size.as_bv() {
            Some(bits) => u64::try_from(bits).unwrap_or(u64::MAX),
            None if wide => MOST_UNKNOWN_WIDE,
            None => MOST_UNKNOWN,
        };
        if size.as_bv().is_none() {
            let most = Term::bv(u128::from(room), size.width());
            self.unknown.push((most.ult(size), "an object of unknown size".to_owned()));
        }
        let made = self.objects.make(name, Kind::Made(kind), size, room, self.level() as u32);
        let Some(object) = made else {
            return Err(Fail::Unsupported("an object that does not fit into memory".to_owned()));
        };
        self.made.push(crate::exec::Made { guard: state.guard.term(), object });
        state.objects.insert(object, Rc::new(crate::content::Content::new(Start::Unwritten)));
        let address = self.address(object);
        self.set(state, var, address);
        Ok(())
    }

    /// Can `size` bytes at a pointer be accessed?
    fn valid(&mut self, state: &State, ptr: Term, size: Term, write: bool) -> Term {
        let nothing = size.equals(Term::bv(0, size.width()));
        let mut valid = nothing;
        for case in self.pointers.cases(&mut self.objects, ptr).iter() {
            match case.target {
                Target::Object(id, offset) => {
                    let whole = self.size_of(id);
                    let object = self.objects.get(id);
                    let fits = fits(offset, size, whole);
                    let writable = !(matches!(object.kind, Kind::Function(_)) || write && object.constant);
                    let alive = self.content(state, id).alive;
                    valid = valid.or(Term::all([case.when, fits, alive, Term::bool(writable)]));
                }
                Target::Nowhere | Target::Environment => {}
                Target::Unknown => self.unknown.push((case.when, UNKNOWN_POINTER.to_owned())),
            }
        }
        valid
    }

    fn freeable(&mut self, state: &State, ptr: Term) -> Term {
        let zero = Term::bv(0, ptr.width());
        let mut result = ptr.equals(zero);
        for case in self.pointers.cases(&mut self.objects, ptr).iter() {
            match case.target {
                Target::Object(id, offset) => {
                    let heap = is_heap(self.objects.get(id).kind);
                    let alive = self.content(state, id).alive;
                    let parts = [case.when, Term::bool(heap), offset.equals(zero), alive];
                    result = result.or(Term::all(parts));
                }
                Target::Nowhere | Target::Environment => {}
                Target::Unknown => self.unknown.push((case.when, UNKNOWN_POINTER.to_owned())),
            }
        }
        result
    }

    fn object_size(&mut self, state: &State, ptr: Term) -> Term {
        let mut result = Term::bv(0, ptr.width());
        for case in self.pointers.cases(&mut self.objects, ptr).iter() {
            match case.target {
                Target::Object(id, offset) => {
                    let size = self.size_of(id);
                    let alive = self.content(state, id).alive;
                    let inside = Term::all([case.when, offset.ule(size), alive]);
                    result = inside.ite(size.sub(offset), result);
                }
                Target::Nowhere | Target::Environment => {}
                Target::Unknown => self.unknown.push((case.when, UNKNOWN_POINTER.to_owned())),
            }
        }
        result
    }

    fn free(&mut self, state: &mut State, ptr: Term) -> Result<(), Fail> {
        let zero = Term::bv(0, ptr.width());
        for case in self.pointers.cases(&mut self.objects, ptr).iter() {
            match case.target {
                Target::Object(id, offset) if is_heap(self.objects.get(id).kind) => {
                    let content = self.content(state, id);
                    let fine = content.alive.and(offset.equals(zero));
                    self.undefined(case.when.and(fine.not()), "an invalid free");
                    let mut content = (*content).clone();
                    content.alive = content.alive.and(case.when.not());
                    state.objects.insert(id, Rc::new(content));
                }
                Target::Object(..) => self.undefined(case.when, "an invalid free"),
                Target::Nowhere => self.undefined(case.when.and(ptr.differs(zero)), "an invalid free"),
                Target::Environment => self.traps.push(case.when.and(ptr.differs(zero))),
                Target::Unknown => self.unknown.push((case.when, UNKNOWN_POINTER.to_owned())),
            }
        }
        Ok(())
    }

    /// The object at `ptr` begins or ends with its block.
    fn lifetime(&mut self, state: &mut State, ptr: Term, begins: bool) {
        for case in self.pointers.cases(&mut self.objects, ptr).iter() {
            let Target::Object(id, _) = case.target else { continue };
            let before = self.content(state, id);
            let mut content = if begins { (*before).clone() } else { Content::new(Start::Unwritten) };
            content.alive = case.when.ite(Term::bool(begins), before.alive);
            state.objects.insert(id, Rc::new(content));
        }
    }

    pub(crate) fn end_unsupported(&mut self, state: &State, what: String, pos: ir::Pos) {
        self.gap(state.guard.term(), Why::Unsupported(what, pos));
    }
}

/// Do `size` bytes at an offset lie in an object of `whole` bytes?
fn fits(offset: Term, size: Term, whole: Term) -> Term {
    match (size.as_bv(), whole.as_bv()) {
        (Some(size), Some(whole)) if size > whole => Term::bool(false),
        (Some(size), Some(whole)) => is_up_to(offset, (whole - size) as u64),
        _ => offset.ule(whole).and(size.ule(whole.sub(offset))),
    }
}

pub(crate) const UNKNOWN_POINTER: &str = "a pointer that is computed from other values";

pub(crate) fn is_heap(kind: Kind) -> bool {
    matches!(kind, Kind::Made(ObjectKind::Heap) | Kind::Outside)
}

/// Is this the address of a variable or a field, and not of an element whose index is computed?
fn is_field(address: &Expr) -> bool {
    match &address.kind {
        ExprKind::Binary(_, base, offset) => offset.as_const().is_some() && is_field(base),
        ExprKind::Cast(inner) => is_field(inner),
        ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::AddrLocal(_)
        | ExprKind::AddrGlobal(_)
        | ExprKind::Load(_) => true,
        _ => false,
    }
}

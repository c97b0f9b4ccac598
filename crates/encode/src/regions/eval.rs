//! What the value of an expression can point to, over any representation of "points to": the analysis and the
//! questions asked of its result walk expressions in this one way.
//!
//! Integers carry pointers as well as pointers do. Comparisons, pointer differences and float arithmetic
//! carry nothing; a pointer plus a distance points where the pointer does, whatever the distance is made of.

use super::residue::{self, Residue};
use ir::{BinOp, Expr, ExprKind, FuncId, GlobalId, LocalId, Target, Type};

pub trait Domain {
    type Value;

    fn target(&self) -> Target;
    /// A register.
    fn local(&mut self, id: LocalId) -> Option<Self::Value>;
    fn global(&mut self, id: GlobalId) -> Option<Self::Value>;
    /// The start of an object.
    fn addr_local(&mut self, id: LocalId) -> Option<Self::Value>;
    fn addr_global(&mut self, id: GlobalId) -> Option<Self::Value>;
    fn addr_func(&mut self, id: FuncId) -> Option<Self::Value>;
    fn var_args(&mut self) -> Option<Self::Value>;
    /// An address that is not that of an object: a constant, or a number cast to a pointer.
    fn absolute(&mut self, at: Residue) -> Self::Value;
    /// What an access of type `ty` finds at an address.
    fn load(&mut self, at: Self::Value, ty: Type) -> Option<Self::Value>;
    fn shift(&mut self, value: Self::Value, by: Residue) -> Self::Value;
    fn join(&mut self, a: Self::Value, b: Self::Value, ty: Type) -> Self::Value;
    /// An integer becomes a pointer.
    fn to_pointer(&mut self, value: Self::Value) -> Self::Value;
}

/// What `e` may point to; none if it points nowhere. All loads in it are seen, once each; where nobody asks
/// what `e` points to (`wanted` is false), that is all that happens.
pub fn eval<D: Domain>(d: &mut D, e: &Expr, wanted: bool) -> Option<D::Value> {
    match &e.kind {
        ExprKind::Const(0) => None,
        ExprKind::Const(bits) if e.ty == Type::Ptr && wanted => {
            Some(d.absolute(Residue::new(i128::try_from(*bits).unwrap_or(0), 0)))
        }
        ExprKind::Const(_) => None,
        ExprKind::Local(id) if wanted => d.local(*id),
        ExprKind::Global(id) if wanted => d.global(*id),
        ExprKind::AddrLocal(id) if wanted => d.addr_local(*id),
        ExprKind::AddrGlobal(id) if wanted => d.addr_global(*id),
        ExprKind::AddrFunc(id) if wanted => d.addr_func(*id),
        ExprKind::VarArgs if wanted => d.var_args(),
        ExprKind::Load(addr) => {
            let at = address(d, addr);
            d.load(at, e.ty)
        }
        ExprKind::Unary(_, inner) => {
            let value = eval(d, inner, wanted && e.ty.is_int())?;
            Some(d.shift(value, Residue::ANY))
        }
        ExprKind::Binary(op, a, b) => binary(d, e, *op, [a, b], wanted),
        ExprKind::Cast(inner) => cast(d, e, inner, wanted),
        ExprKind::Ite(list) => {
            eval(d, &list[0], false);
            let (a, b) = (eval(d, &list[1], wanted), eval(d, &list[2], wanted));
            either(d, a, b, e.ty)
        }
        _ => {
            for child in e.children() {
                eval(d, child, false);
            }
            None
        }
    }
}

/// Where an access goes. Null is a place like other constants.
pub fn address<D: Domain>(d: &mut D, e: &Expr) -> D::Value {
    match eval(d, e, true) {
        Some(at) => at,
        None => d.absolute(Residue::ZERO),
    }
}

fn binary<D: Domain>(d: &mut D, e: &Expr, op: BinOp, [a, b]: [&Expr; 2], wanted: bool) -> Option<D::Value> {
    let target = d.target();
    match op {
        BinOp::PtrAdd => {
            let base = eval(d, a, wanted);
            let distance = eval(d, b, wanted && base.is_none());
            match (base, distance) {
                (Some(base), _) => Some(d.shift(base, residue::of_integer(b, &target))),
                (None, Some(distance)) => Some(d.to_pointer(distance)),
                // A distance from null.
                (None, None) => wanted.then(|| d.absolute(residue::of_integer(b, &target))),
            }
        }
        _ if !e.ty.is_int() || op == BinOp::PtrSub || !wanted => {
            eval(d, a, false);
            eval(d, b, false);
            None
        }
        BinOp::Add | BinOp::Sub => {
            let (x, y) = (eval(d, a, true), eval(d, b, true));
            let (left, right) = (residue::of_integer(a, &target), residue::of_integer(b, &target));
            let (by_left, by_right) =
                if op == BinOp::Add { (left, right) } else { (Residue::ANY, right.negated()) };
            let x = x.map(|x| d.shift(x, by_right));
            let y = y.map(|y| d.shift(y, by_left));
            either(d, x, y, e.ty)
        }
        _ => {
            let (x, y) = (eval(d, a, true), eval(d, b, true));
            let x = x.map(|x| d.shift(x, Residue::ANY));
            let y = y.map(|y| d.shift(y, Residue::ANY));
            either(d, x, y, e.ty)
        }
    }
}

fn cast<D: Domain>(d: &mut D, e: &Expr, inner: &Expr, wanted: bool) -> Option<D::Value> {
    let carries = |ty: Type| ty.is_int() || ty == Type::Ptr;
    if !wanted || !carries(e.ty) || !carries(inner.ty) {
        eval(d, inner, false);
        return None;
    }
    let target = d.target();
    let value = eval(d, inner, true);
    match (e.ty, inner.ty) {
        (Type::Ptr, Type::Ptr) => value,
        (Type::Ptr, _) => match value {
            Some(value) => Some(d.to_pointer(value)),
            None if inner.as_const() == Some(0) => None,
            None => Some(d.absolute(residue::of_integer(inner, &target))),
        },
        // A part of an address.
        (Type::Int(int), _) if int.bits < target.pointer_bits => {
            let value = value?;
            Some(d.shift(value, Residue::ANY))
        }
        _ => value,
    }
}

fn either<D: Domain>(d: &mut D, a: Option<D::Value>, b: Option<D::Value>, ty: Type) -> Option<D::Value> {
    match (a, b) {
        (Some(a), Some(b)) => Some(d.join(a, b, ty)),
        (a, b) => a.or(b),
    }
}

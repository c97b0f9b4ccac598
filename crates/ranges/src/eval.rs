//! The values that an expression can have in a state.

use crate::arith;
use crate::state::State;
use crate::values::{Values, shape};
use ir::{BinOp, Expr, ExprKind, IntType, Program, Target, Type, UnOp, Var};
use std::cell::Cell;

pub struct Evaluator<'p> {
    pub target: &'p Target,
    /// What may still be spent on learning from the condition at hand; see [`crate::refine`].
    pub(crate) fuel: Cell<u32>,
    /// Inside a condition: what chooses there is not looked at twice.
    pub(crate) inside: Cell<bool>,
}

impl<'p> Evaluator<'p> {
    pub fn new(program: &'p Program) -> Self {
        Evaluator { target: &program.target, fuel: Cell::new(0), inside: Cell::new(false) }
    }

    /// None for types without bounds.
    pub fn eval(&self, e: &Expr, state: &State) -> Option<Values> {
        let ty = shape(e.ty, self.target)?;
        let values = match &e.kind {
            ExprKind::Const(bits) => Values::constant(ty, ty.value(*bits)),
            ExprKind::Local(id) => known(state, Var::Local(*id), ty),
            ExprKind::Global(id) => known(state, Var::Global(*id), ty),
            ExprKind::AddrLocal(_) | ExprKind::AddrGlobal(_) | ExprKind::AddrFunc(_) => {
                return Some(not_null(ty));
            }
            ExprKind::Unary(op, a) => match self.eval(a, state) {
                Some(a) => arith::unary(*op, &a),
                None => Values::all(ty),
            },
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.eval(a, state), self.eval(b, state));
                self.binary(*op, a.ty, left, right).unwrap_or(Values::all(ty))
            }
            ExprKind::Cast(a) => match self.eval(a, state) {
                Some(values) => self.cast(a.ty, e.ty, ty, &values),
                None => Values::all(ty),
            },
            ExprKind::Ite(parts) => return self.choice(parts, ty, state),
            ExprKind::VarArgs
            | ExprKind::Load(_)
            | ExprKind::Valid { .. }
            | ExprKind::Freeable(_)
            | ExprKind::ObjectSize(_)
            | ExprKind::HeapKept { .. } => Values::all(ty),
        };
        Some(if e.ty == Type::Ptr { values.coarse() } else { values })
    }

    fn choice(&self, parts: &[Expr; 3], ty: IntType, state: &State) -> Option<Values> {
        // Once, or conditions within conditions would double the work with each level.
        let known = if self.inside.get() { self.eval(&parts[0], state) } else { None };
        let side = |holds: bool, part: &Expr| match &known {
            Some(known) if !known.contains(i128::from(holds)) => None,
            _ if self.inside.get() => self.eval(part, state),
            _ => self.eval(part, &self.assume(&parts[0], holds, state)?),
        };
        Some(match (side(true, &parts[1]), side(false, &parts[2])) {
            (Some(a), Some(b)) => a.join(&b),
            (a, b) => a.or(b).unwrap_or(Values::all(ty)),
        })
    }

    /// None: anything.
    fn binary(&self, op: BinOp, operands: Type, a: Option<Values>, b: Option<Values>) -> Option<Values> {
        let (a, b) = (a?, b?);
        match (op, operands) {
            (BinOp::PtrAdd, _) if b.single() == Some(0) => Some(a),
            (BinOp::PtrAdd | BinOp::PtrSub, _) => None,
            // Of addresses only null is known.
            (BinOp::Lt | BinOp::Le, Type::Ptr) => None,
            _ => Some(arith::binary(self.target, op, &a, &b)),
        }
    }

    pub(crate) fn cast(&self, from: Type, to: Type, shape: IntType, values: &Values) -> Values {
        match (from, to) {
            // Integers become pointers by zero extension, whatever their sign.
            (Type::Int(int), Type::Ptr) => {
                arith::cast(shape, &arith::cast(IntType::new(int.bits, false), values))
            }
            _ => arith::cast(shape, values),
        }
    }

    /// A value that is passed into a variable of another type with the same bits, as calls through pointers
    /// do. None: anything.
    pub fn passed(&self, from: Type, to: Type, values: Option<Values>) -> Option<Values> {
        let (values, ty) = (values?, shape(to, self.target)?);
        if from == to {
            return Some(values);
        }
        let same_bits = values.ty().bits == ty.bits && from != Type::Bool && to != Type::Bool;
        same_bits.then(|| {
            let values = self.cast(from, to, ty, &values);
            if to == Type::Ptr { values.coarse() } else { values }
        })
    }
}

pub fn not_null(ty: IntType) -> Values {
    Values::constant(ty, 1).coarse()
}

fn known(state: &State, var: Var, ty: IntType) -> Values {
    // A program that was not verified may use a variable with another type than it has.
    state.get(var).filter(|values| values.ty() == ty).cloned().unwrap_or(Values::all(ty))
}

/// Is this negation of a condition?
pub(crate) fn negated(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Unary(UnOp::Not, inner) if e.ty == Type::Bool => Some(inner),
        _ => None,
    }
}

//! Integer operators and conversions of every type against an oracle that calculates bit by bit.

use crate::bits::{self, INT_OPS, INTS};
use crate::build::{branching, call, constant, param, returning};
use interp::{Interp, Options, Outcome, UndefinedKind, ZeroInputs};
use ir::{BinOp, Expr, FuncId, IntType, Target, Type, UnOp};
use proptest::prelude::*;

/// Values around which operators change their mind.
fn borders(int: IntType) -> Vec<u128> {
    let mut list = vec![0, 1, 2, 3, 7, 8, 31, 32, 63, 100, int.max_bits(), int.min_bits(), int.mask()];
    list.extend([
        int.max_bits() - 1,
        int.min_bits() + 1,
        int.mask() - 1,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
    ]);
    list.extend([0x1_0000_0001, 1 << 63, (1 << 63) - 1, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef, 1 << 100]);
    list.iter_mut().for_each(|v| *v &= int.mask());
    list.sort_unstable();
    list.dedup();
    list
}

fn ended(outcome: &Outcome) -> Option<u128> {
    match outcome {
        Outcome::Returned(Some(bits)) => Some(*bits),
        Outcome::Undefined(u)
            if matches!(u.kind, UndefinedKind::DivisionByZero | UndefinedKind::DivisionOverflow) =>
        {
            None
        }
        other => panic!("{other:?}"),
    }
}

fn check_binary(op: BinOp, ty: Type, values: &[u128]) {
    let int = ty.as_int().unwrap();
    let target = Target::LP64;
    let (a, b) = (|| param(0, ty), || param(1, ty));
    let both = returning(target, &[ty, ty], Expr::binary(op, a(), b()));
    let jump = op.gives_bool().then(|| branching(target, &[ty, ty], Expr::binary(op, a(), b())));
    let mut slots = Interp::new(&both, Options::new(FuncId(0))).unwrap();
    let budget = base::Budget::unlimited();
    for &x in values {
        let left = returning(target, &[ty, ty], Expr::binary(op, constant(ty, x), b()));
        let right = returning(target, &[ty, ty], Expr::binary(op, a(), constant(ty, x)));
        let mut left = Interp::new(&left, Options::new(FuncId(0))).unwrap();
        let mut right = Interp::new(&right, Options::new(FuncId(0))).unwrap();
        for &y in values {
            let name = format!("{op:?} {ty} {x:#x} {y:#x}");
            let expected = bits::binary(op, int, x, y);
            let run = slots.call(FuncId(0), &[x, y], &mut ZeroInputs, &budget);
            assert_eq!(ended(&run.outcome), expected, "{name}");
            let run = left.call(FuncId(0), &[0, y], &mut ZeroInputs, &budget);
            assert_eq!(ended(&run.outcome), expected, "{name}, constant left");
            let run = right.call(FuncId(0), &[y, 0], &mut ZeroInputs, &budget);
            assert_eq!(ended(&run.outcome), bits::binary(op, int, y, x), "{name}, constant right, swapped");
            let folded = Expr::binary(op, constant(ty, x), constant(ty, y));
            assert_eq!(
                ended(&call(&returning(target, &[], folded), &[]).outcome),
                expected,
                "{name}, constants"
            );
            if let Some(jump) = &jump {
                assert_eq!(ended(&call(jump, &[x, y]).outcome), expected, "{name}, jump");
                let half = branching(target, &[ty], Expr::binary(op, constant(ty, x), a()).not());
                assert_eq!(
                    ended(&call(&half, &[y]).outcome),
                    expected.map(|v| 1 - v),
                    "{name}, negated jump"
                );
                let half = branching(target, &[ty], Expr::binary(op, a(), constant(ty, y)));
                assert_eq!(ended(&call(&half, &[x]).outcome), expected, "{name}, jump with a constant");
            }
        }
    }
}

#[test]
fn binary_operators_at_the_borders() {
    for op in INT_OPS {
        for ty in INTS {
            let values = borders(ty.as_int().unwrap());
            // The wide types take one path only; a third of the borders is enough for them.
            let step = if ty.as_int().unwrap().bits == 128 { 3 } else { 2 };
            check_binary(op, ty, &values.iter().copied().step_by(step).collect::<Vec<_>>());
        }
    }
}

#[test]
fn unary_operators_and_casts() {
    for target in [Target::LP64, Target::ILP32] {
        for ty in INTS {
            let int = ty.as_int().unwrap();
            for value in borders(int) {
                for op in [UnOp::Neg, UnOp::Not] {
                    let expected = bits::unary(op, int, value);
                    let found = call(&returning(target, &[ty], Expr::unary(op, param(0, ty))), &[value]);
                    assert_eq!(ended(&found.outcome), Some(expected), "{op:?} {ty} {value:#x}");
                    let folded = returning(target, &[], Expr::unary(op, constant(ty, value)));
                    assert_eq!(ended(&call(&folded, &[]).outcome), Some(expected), "{op:?} {ty} {value:#x}");
                }
                for to in INTS {
                    let expected = bits::cast(int, to.as_int().unwrap(), value);
                    let found = call(&returning(target, &[ty], Expr::cast(to, param(0, ty))), &[value]);
                    assert_eq!(ended(&found.outcome), Some(expected), "{ty} {value:#x} to {to}");
                }
                // To a pointer and back: zero extension, whatever the sign.
                let unsigned = IntType::new(int.bits, false);
                let pointer = bits::cast(unsigned, IntType::new(target.pointer_bits, false), value);
                let back = Expr::cast(Type::I128, Expr::cast(Type::Ptr, param(0, ty)));
                let found = call(&returning(target, &[ty], back), &[value]);
                assert_eq!(ended(&found.outcome), Some(pointer), "{ty} {value:#x} to a pointer");
            }
        }
    }
}

#[test]
fn pointer_arithmetic_wraps_at_its_width() {
    for target in [Target::LP64, Target::ILP32] {
        let int = IntType::new(target.pointer_bits, false);
        let offset = target.intptr(true);
        let values = [0, 1, 5, int.max_bits(), int.mask(), 1 << (int.bits - 1), 0x1000];
        for x in values {
            for y in values {
                let sum = Expr::binary(BinOp::PtrAdd, param(0, Type::Ptr), param(1, offset));
                let sum = call(&returning(target, &[Type::Ptr, offset], sum), &[x, y]);
                assert_eq!(ended(&sum.outcome), bits::binary(BinOp::Add, int, x, y));
                let difference = Expr::ptr_sub(offset, param(0, Type::Ptr), param(1, Type::Ptr));
                let found = call(&returning(target, &[Type::Ptr, Type::Ptr], difference), &[x, y]);
                assert_eq!(ended(&found.outcome), bits::binary(BinOp::Sub, int, x, y));
                for op in [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le] {
                    let compared = Expr::binary(op, param(0, Type::Ptr), param(1, Type::Ptr));
                    let found = call(&returning(target, &[Type::Ptr, Type::Ptr], compared), &[x, y]);
                    assert_eq!(ended(&found.outcome), bits::binary(op, int, x, y));
                }
            }
        }
    }
}

/// Builds a tree of integer expressions from choices, and its value beside it.
struct Tree<'a> {
    choices: &'a [u32],
    args: &'a [u128],
    next: usize,
}

impl Tree<'_> {
    fn choose(&mut self, n: usize) -> usize {
        let choice = self.choices.get(self.next).map_or(0, |c| *c as usize % n);
        self.next += 1;
        choice
    }

    fn leaf(&mut self, ty: Type) -> (Expr, Option<u128>) {
        let int = ty.as_int().unwrap();
        let at = INTS.iter().position(|t| *t == ty).unwrap();
        if self.choose(2) == 0 {
            return (param(at as u32, ty), Some(self.args[at] & int.mask()));
        }
        let list = borders(int);
        let value = list[self.choose(list.len())];
        (constant(ty, value), Some(value))
    }

    fn expr(&mut self, ty: Type, depth: u32) -> (Expr, Option<u128>) {
        let int = ty.as_int().unwrap();
        if depth == 0 || self.next > self.choices.len() {
            return self.leaf(ty);
        }
        match self.choose(8) {
            0 => self.leaf(ty),
            1 => {
                let from = INTS[self.choose(INTS.len())];
                let (e, v) = self.expr(from, depth - 1);
                (Expr::cast(ty, e), v.map(|v| bits::cast(from.as_int().unwrap(), int, v)))
            }
            2 => {
                let op = [UnOp::Neg, UnOp::Not][self.choose(2)];
                let (e, v) = self.expr(ty, depth - 1);
                (Expr::unary(op, e), v.map(|v| bits::unary(op, int, v)))
            }
            3 => {
                let (c, cond) = self.condition(depth - 1);
                let ((a, x), (b, y)) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                let value = x.zip(y).zip(cond).map(|((x, y), c)| if c == 1 { x } else { y });
                (Expr::ite(c, a, b), value)
            }
            _ => {
                let op = INT_OPS[self.choose(10)];
                let ((a, x), (b, y)) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                (Expr::binary(op, a, b), x.zip(y).and_then(|(x, y)| bits::binary(op, int, x, y)))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> (Expr, Option<u128>) {
        match self.choose(4) {
            0 if depth > 0 => {
                let op = [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Ne][self.choose(5)];
                let ((a, x), (b, y)) = (self.condition(depth - 1), self.condition(depth - 1));
                let value = x.zip(y).and_then(|(x, y)| bits::binary(op, IntType::new(8, false), x, y));
                (Expr::binary(op, a, b), value)
            }
            1 if depth > 0 => {
                let (e, v) = self.condition(depth - 1);
                (Expr::unary(UnOp::Not, e), v.map(|v| 1 - v))
            }
            _ => {
                let ty = INTS[self.choose(INTS.len())];
                let op = INT_OPS[10 + self.choose(7)];
                let (a, x) = self.expr(ty, depth.saturating_sub(1));
                let (b, y) = self.expr(ty, depth.saturating_sub(1));
                let value = x.zip(y).and_then(|(x, y)| bits::binary(op, ty.as_int().unwrap(), x, y));
                (Expr::binary(op, a, b), value)
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_expressions(
        choices in prop::collection::vec(any::<u32>(), 1..80),
        args in prop::collection::vec(any::<u128>(), 10),
    ) {
        let mut tree = Tree { choices: &choices, args: &args, next: 0 };
        let ty = INTS[tree.choose(INTS.len())];
        let (e, expected) = tree.expr(ty, 5);
        let found = call(&returning(Target::LP64, &INTS, e.clone()), &args);
        prop_assert_eq!(ended(&found.outcome), expected, "{:?}", e);
        let (e, expected) = tree.condition(5);
        for holds in [true, false] {
            let cond = if holds { e.clone() } else { e.clone().not() };
            let found = call(&branching(Target::ILP32, &INTS, cond), &args);
            let expected = expected.map(|v| if holds { v } else { 1 - v });
            prop_assert_eq!(ended(&found.outcome), expected, "{:?}", e);
        }
    }
}

#[test]
fn signed_overflow_and_shifts_are_reported_on_request() {
    let check = |op: BinOp, ty: Type, a: i128, b: i128, expected: Option<UndefinedKind>| {
        let int = ty.as_int().unwrap();
        let program = returning(Target::LP64, &[ty, ty], Expr::binary(op, param(0, ty), param(1, ty)));
        let mut options = Options::new(FuncId(0));
        options.detect = interp::Detect { signed_overflow: true, shift: true, ..Default::default() };
        let mut interp = Interp::new(&program, options).unwrap();
        let run =
            interp.call(FuncId(0), &[int.wrap(a), int.wrap(b)], &mut ZeroInputs, &base::Budget::unlimited());
        let found = match run.outcome {
            Outcome::Undefined(u) => Some(u.kind),
            _ => None,
        };
        assert_eq!(found, expected, "{op:?} {ty} {a} {b}");
    };
    let overflow = Some(UndefinedKind::SignedOverflow);
    let shift = Some(UndefinedKind::ShiftRange);
    check(BinOp::Add, Type::I32, i32::MAX.into(), 1, overflow);
    check(BinOp::Add, Type::I32, i32::MAX.into(), 0, None);
    check(BinOp::Add, Type::U32, u32::MAX.into(), 1, None);
    check(BinOp::Sub, Type::I64, i64::MIN.into(), 1, overflow);
    check(BinOp::Mul, Type::I64, 1 << 32, 1 << 31, overflow);
    check(BinOp::Mul, Type::I64, 1 << 32, -(1 << 31), None);
    check(BinOp::Mul, Type::I128, 1 << 100, 1 << 30, overflow);
    check(BinOp::Shl, Type::I32, 1, 31, shift);
    check(BinOp::Shl, Type::I32, 1, 30, None);
    check(BinOp::Shl, Type::I32, -1, 1, shift);
    check(BinOp::Shl, Type::U32, 3, 31, None);
    check(BinOp::Shl, Type::U32, 3, 32, shift);
    check(BinOp::Shr, Type::I32, -3, -1, shift);
    check(BinOp::Shr, Type::I32, -3, 31, None);
}

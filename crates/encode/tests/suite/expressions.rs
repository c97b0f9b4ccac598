//! Random expressions.

use crate::support::{Depth, MODES, cases, check};
use encode::IntMode;
use ir::{BinOp, Expr, LocalId, Target, Type, UnOp, Var};
use proptest::prelude::*;

/// Builds an expression from a list of choices; where the list ends, every choice is 0 and picks the simplest
/// form.
struct Builder<'a> {
    choices: &'a [u32],
    params: &'a [Type],
    next: usize,
}

const INTS: [Type; 8] =
    [Type::I32, Type::U32, Type::U8, Type::I8, Type::I64, Type::U64, Type::U16, Type::I128];

impl Builder<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let found = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        found as usize % limit
    }

    fn constant(&mut self, ty: Type) -> Expr {
        let Type::Int(int) = ty else {
            let bits = [0u64, 1.5f64.to_bits(), (-2.0f64).to_bits(), 1e10f64.to_bits()][self.below(4)];
            let Type::Float(f) = ty else { return Expr::null() };
            let bits = interp::float::convert(ir::FloatType::F64, f, u128::from(bits));
            return Expr { ty, kind: ir::ExprKind::Const(bits) };
        };
        let shift = self.below(int.bits as usize);
        let value = match self.below(8) {
            0 => self.below(5) as u128,
            1 => 1 << shift,
            2 => (1 << shift) - 1,
            3 => !((1 << shift) - 1),
            4 => u128::MAX,
            5 => int.max_bits(),
            6 => int.min_bits(),
            _ => self.below(usize::MAX) as u128,
        };
        Expr { ty, kind: ir::ExprKind::Const(value & int.mask()) }
    }

    fn leaf(&mut self, ty: Type) -> Expr {
        let fitting: Vec<usize> = (0..self.params.len()).filter(|i| self.params[*i] == ty).collect();
        if !fitting.is_empty() && self.below(3) < 2 {
            let i = fitting[self.below(fitting.len())];
            return Expr::var(Var::Local(LocalId(i as u32)), ty);
        }
        if ty.is_int() && self.below(3) < 2 {
            let i = self.below(self.params.len());
            return Expr::cast(ty, Expr::var(Var::Local(LocalId(i as u32)), self.params[i]));
        }
        self.constant(ty)
    }

    fn expr(&mut self, ty: Type, depth: u32) -> Expr {
        use BinOp::*;
        if depth == 0 {
            return if ty == Type::Bool { self.condition(0) } else { self.leaf(ty) };
        }
        match ty {
            Type::Bool => self.condition(depth - 1),
            Type::Float(_) => match self.below(5) {
                0 => self.leaf(ty),
                1 => {
                    let from = INTS[self.below(INTS.len())];
                    Expr::cast(ty, self.expr(from, depth - 1))
                }
                2 => Expr::unary(
                    [UnOp::Neg, UnOp::Abs, UnOp::Sqrt, UnOp::Trunc][self.below(4)],
                    self.expr(ty, depth - 1),
                ),
                _ => {
                    let op = [Add, Sub, Mul, Div][self.below(4)];
                    Expr::binary(op, self.expr(ty, depth - 1), self.expr(ty, depth - 1))
                }
            },
            _ => match self.below(8) {
                0 => self.leaf(ty),
                1 => {
                    let from = INTS[self.below(INTS.len())];
                    if from == ty { self.leaf(ty) } else { Expr::cast(ty, self.expr(from, depth - 1)) }
                }
                2 => Expr::cast(ty, self.expr(Type::Bool, depth - 1)),
                3 => Expr::unary(
                    if self.below(2) == 0 { UnOp::Neg } else { UnOp::Not },
                    self.expr(ty, depth - 1),
                ),
                4 => {
                    let c = self.expr(Type::Bool, depth - 1);
                    Expr::ite(c, self.expr(ty, depth - 1), self.expr(ty, depth - 1))
                }
                5 => {
                    let op = [And, Or, Xor, Shl, Shr, Div, Rem][self.below(7)];
                    let a = self.expr(ty, depth - 1);
                    Expr::binary(op, a, self.constant(ty))
                }
                _ => {
                    let op = [Add, Sub, Mul, Add, Div, Rem, And, Or, Xor, Shl, Shr][self.below(11)];
                    Expr::binary(op, self.expr(ty, depth - 1), self.expr(ty, depth - 1))
                }
            },
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        use BinOp::*;
        let op = [Lt, Eq, Le, Ne, AddOverflows, SubOverflows, MulOverflows][self.below(7)];
        let ty = INTS[self.below(INTS.len())];
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        let e = Expr::binary(op, a, b);
        if self.below(4) == 3 { e.not() } else { e }
    }
}

fn expression(choices: &[u32], params: &[Type], depth: u32) -> Expr {
    let mut builder = Builder { choices, params, next: 0 };
    let ty = [Type::I32, Type::U32, Type::I64, Type::U8, Type::Bool, Type::U64][builder.below(6)];
    builder.expr(ty, depth)
}

const PARAMS: [Type; 5] = [Type::I32, Type::U32, Type::U8, Type::I64, Type::U64];

fn arguments(params: &[Type], seed: u64) -> Vec<u128> {
    use interp::{InputKind, InputRequest, Inputs, RandomInputs};
    let mut inputs = RandomInputs::new(seed);
    let ask = |(i, ty): (usize, &Type)| {
        let kind = InputKind::Param(i as u32);
        let request = InputRequest {
            ty: *ty,
            kind,
            function: None,
            edge: None,
            pos: ir::Pos::default(),
            index: i as u64,
        };
        inputs.next(&request).unwrap()
    };
    params.iter().enumerate().map(ask).collect()
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn random_integer_expressions(choices in prop::collection::vec(any::<u32>(), 0..80), seed: u64) {
        let e = expression(&choices, &PARAMS, 4);
        let args = arguments(&PARAMS, seed);
        for mode in MODES {
            check(mode, Target::LP64, &PARAMS, &e, std::slice::from_ref(&args), Depth::Evaluate);
        }
    }

    #[test]
    fn random_float_expressions(choices in prop::collection::vec(any::<u32>(), 0..40), seed: u64) {
        let params = [Type::F64, Type::F32, Type::I32, Type::U64];
        let mut builder = Builder { choices: &choices, params: &params, next: 0 };
        let ty = [Type::F64, Type::F32][builder.below(2)];
        let e = builder.expr(ty, 3);
        let args = arguments(&params, seed);
        for mode in MODES {
            check(mode, Target::LP64, &params, &e, std::slice::from_ref(&args), Depth::Evaluate);
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_solver_agrees(choices in prop::collection::vec(any::<u32>(), 0..30), seed: u64) {
        let e = expression(&choices, &PARAMS, 2);
        let args = arguments(&PARAMS, seed);
        for mode in MODES {
            check(mode, Target::LP64, &PARAMS, &e, std::slice::from_ref(&args), Depth::Solve);
        }
    }

    #[test]
    fn the_solver_agrees_on_conversions(choices in prop::collection::vec(any::<u32>(), 0..20), seed: u64) {
        let params = [Type::F32, Type::I32];
        let mut builder = Builder { choices: &choices, params: &params, next: 0 };
        let e = builder.expr(Type::F32, 2);
        check(IntMode::Bv, Target::LP64, &params, &e, &[arguments(&params, seed)], Depth::Solve);
    }
}

/// As deep as lowering makes them, in a thread with a small stack.
#[test]
fn deep_expressions() {
    let local = |i: u32| Expr::var(Var::Local(LocalId(i)), Type::I32);
    let ops = [BinOp::Add, BinOp::Mul, BinOp::Xor, BinOp::Sub];
    let e = (0..1990).fold(local(0), |e, i| match i % 3 {
        0 => Expr::binary(ops[i % 4], e, local(1)),
        1 => Expr::unary(UnOp::Neg, e),
        _ => Expr::binary(BinOp::Sub, local(1), e),
    });
    for mode in MODES {
        check(mode, Target::LP64, &[Type::I32, Type::I32], &e, &[vec![5, 1]], Depth::Evaluate);
    }
}

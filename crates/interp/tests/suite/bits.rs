//! An oracle for integer operators that shares nothing with the interpreter: numbers are lists of bits, and
//! every operator is the one from school.

use ir::{BinOp, IntType, Type, UnOp};

/// Least bit first, two's complement, of any width.
pub type Bits = Vec<bool>;

pub fn from_u128(value: u128, width: usize) -> Bits {
    (0..width).map(|i| i < 128 && value >> i & 1 == 1).collect()
}

pub fn to_u128(bits: &[bool]) -> u128 {
    bits.iter().take(128).enumerate().fold(0, |v, (i, b)| v | u128::from(*b) << i)
}

fn extend(bits: &[bool], width: usize, signed: bool) -> Bits {
    let top = signed && bits.last().copied().unwrap_or(false);
    (0..width).map(|i| bits.get(i).copied().unwrap_or(top)).collect()
}

fn add(a: &[bool], b: &[bool]) -> Bits {
    let mut carry = false;
    a.iter()
        .zip(b)
        .map(|(&x, &y)| {
            let sum = x ^ y ^ carry;
            carry = x & y | carry & (x ^ y);
            sum
        })
        .collect()
}

fn negate(a: &[bool]) -> Bits {
    let flipped: Bits = a.iter().map(|b| !b).collect();
    add(&flipped, &from_u128(1, a.len()))
}

fn multiply(a: &[bool], b: &[bool]) -> Bits {
    let mut sum = vec![false; a.len()];
    for (i, _) in b.iter().enumerate().filter(|(_, bit)| **bit) {
        let shifted: Bits = (0..a.len()).map(|k| k >= i && a[k - i]).collect();
        sum = add(&sum, &shifted);
    }
    sum
}

/// Compares numbers without sign, from the top bit down.
fn less(a: &[bool], b: &[bool]) -> bool {
    a.iter().zip(b).rev().find(|(x, y)| x != y).is_some_and(|(x, _)| !x)
}

fn divide(a: &[bool], b: &[bool]) -> (Bits, Bits) {
    let width = a.len();
    let mut rest = vec![false; width + 1];
    let divisor = extend(b, width + 1, false);
    let mut quotient = vec![false; width];
    for i in (0..width).rev() {
        rest.rotate_right(1);
        rest[0] = a[i];
        if !less(&rest, &divisor) {
            rest = add(&rest, &negate(&divisor));
            quotient[i] = true;
        }
    }
    rest.truncate(width);
    (quotient, rest)
}

fn signed_less(a: &[bool], b: &[bool], signed: bool) -> bool {
    let (x, y) = (extend(a, a.len() + 1, signed), extend(b, b.len() + 1, signed));
    // Flipping the sign bit turns the signed order into the plain one.
    let flip = |mut v: Bits| {
        if let Some(top) = v.last_mut() {
            *top = !*top;
        }
        v
    };
    less(&flip(x), &flip(y))
}

/// None where the execution ends.
pub fn binary(op: BinOp, int: IntType, a: u128, b: u128) -> Option<u128> {
    let n = usize::from(int.bits);
    let (x, y) = (from_u128(a, n), from_u128(b, n));
    let wide = |v: &[bool]| extend(v, 2 * n + 2, int.signed);
    let out_of_range = |exact: Bits| u128::from(extend(&exact[..n], exact.len(), int.signed) != exact);
    let flag = |b: bool| Some(u128::from(b));
    let count = to_u128(&y) as usize % n;
    let negative = |v: &[bool]| int.signed && v[n - 1];
    let magnitude = |v: &[bool]| if negative(v) { negate(v) } else { v.to_vec() };
    Some(match op {
        BinOp::Add => to_u128(&add(&x, &y)),
        BinOp::Sub => to_u128(&add(&x, &negate(&y))),
        BinOp::Mul => to_u128(&multiply(&x, &y)),
        BinOp::Div | BinOp::Rem => {
            if !y.contains(&true) {
                return None;
            }
            let (quotient, rest) = divide(&magnitude(&x), &magnitude(&y));
            let opposite = negative(&x) != negative(&y);
            if int.signed && !opposite && quotient[n - 1] {
                return None;
            }
            let signed_quotient = if opposite { negate(&quotient) } else { quotient };
            let signed_rest = if negative(&x) { negate(&rest) } else { rest };
            to_u128(if op == BinOp::Div { &signed_quotient } else { &signed_rest })
        }
        BinOp::And => to_u128(&x) & to_u128(&y),
        BinOp::Or => to_u128(&x) | to_u128(&y),
        BinOp::Xor => to_u128(&x) ^ to_u128(&y),
        BinOp::Shl => to_u128(&(0..n).map(|i| i >= count && x[i - count]).collect::<Bits>()),
        BinOp::Shr => to_u128(&extend(&x[count..], n, int.signed)),
        BinOp::Eq => return flag(x == y),
        BinOp::Ne => return flag(x != y),
        BinOp::Lt => return flag(signed_less(&x, &y, int.signed)),
        BinOp::Le => return flag(!signed_less(&y, &x, int.signed)),
        BinOp::AddOverflows => out_of_range(add(&wide(&x), &wide(&y))),
        BinOp::SubOverflows => out_of_range(add(&wide(&x), &negate(&wide(&y)))),
        BinOp::MulOverflows => out_of_range(multiply(&wide(&x), &wide(&y))),
        BinOp::PtrAdd | BinOp::PtrSub => return None,
    })
}

pub fn unary(op: UnOp, int: IntType, a: u128) -> u128 {
    let x = from_u128(a, usize::from(int.bits));
    match op {
        UnOp::Neg => to_u128(&negate(&x)),
        _ => to_u128(&x.iter().map(|b| !b).collect::<Bits>()),
    }
}

/// Between integers (and from pointers, which are unsigned).
pub fn cast(from: IntType, to: IntType, a: u128) -> u128 {
    let x = from_u128(a, usize::from(from.bits));
    to_u128(&extend(&x, usize::from(to.bits), from.signed))
}

pub const INTS: [Type; 10] = [
    Type::I8,
    Type::U8,
    Type::I16,
    Type::U16,
    Type::I32,
    Type::U32,
    Type::I64,
    Type::U64,
    Type::I128,
    Type::U128,
];

pub const INT_OPS: [BinOp; 17] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Rem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::Lt,
    BinOp::Le,
    BinOp::AddOverflows,
    BinOp::SubOverflows,
    BinOp::MulOverflows,
];

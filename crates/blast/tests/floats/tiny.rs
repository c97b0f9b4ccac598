//! Formats so small that everything can be tried. The reference rounds by looking for neighbours in the list
//! of all numbers.

use super::{MODES, check, machine_remainder, variables};
use blast::{Blaster, Refused};
use logic::{Op, Rounding, Sort, Term};
use sat::Aig;

/// An operation, and its exact result; the mode decides the sign of a zero.
type Exact = (Op, fn(f64, f64, Rounding) -> f64);

/// All numbers of a format from zero on, ascending; the last one is where infinity begins, if exponents went
/// on.
struct Tiny {
    sort: Sort,
    fraction: u32,
    numbers: Vec<f64>,
}

impl Tiny {
    fn new(exponent: u32, significand: u32) -> Self {
        let fraction = significand - 1;
        let bias = (1 << (exponent - 1)) - 1;
        let number = |bits: i32| {
            let (biased, low) = (bits >> fraction, bits & ((1 << fraction) - 1));
            let hidden = if biased > 0 { 1 << fraction } else { 0 };
            f64::from(low + hidden) * 2f64.powi(biased.max(1) - bias - fraction as i32)
        };
        let infinity = ((1 << exponent) - 1) << fraction;
        Tiny {
            sort: Sort::Float(exponent, significand),
            fraction,
            numbers: (0..=infinity).map(number).collect(),
        }
    }

    /// Else nothing is rounded to an integer.
    fn largest_are_whole(&self) -> bool {
        self.numbers[self.infinity() - 1].fract() == 0.0
    }

    fn infinity(&self) -> usize {
        self.numbers.len() - 1
    }

    fn sign(&self) -> u128 {
        (self.infinity() as u128 + (1 << self.fraction)).next_power_of_two()
    }

    fn all(&self) -> std::ops::Range<u128> {
        0..2 * self.sign()
    }

    fn pairs(&self) -> Vec<(u128, u128)> {
        self.all().flat_map(|a| self.all().map(move |b| (a, b))).collect()
    }

    fn decode(&self, bits: u128) -> f64 {
        let size = (bits & (self.sign() - 1)) as usize;
        let value = match size.cmp(&self.infinity()) {
            std::cmp::Ordering::Less => self.numbers[size],
            std::cmp::Ordering::Equal => f64::INFINITY,
            std::cmp::Ordering::Greater => f64::NAN,
        };
        if bits & self.sign() != 0 { -value } else { value }
    }

    /// Rounds a number that differs from all numbers and midpoints of the format unless it is one.
    fn encode(&self, value: f64, mode: Rounding) -> u128 {
        let infinity = self.infinity();
        if value.is_nan() {
            return infinity as u128 | 1 << (self.fraction - 1);
        }
        let (negative, size) = (value.is_sign_negative(), value.abs());
        let below = self.numbers.partition_point(|&n| n <= size) - 1;
        let up = match mode {
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::ToZero => false,
            _ if below == infinity => true,
            _ => {
                let middle = (self.numbers[below] + self.numbers[below + 1]) / 2.0;
                let tie = mode == Rounding::NearestAway || below % 2 == 1;
                size > middle || size == middle && tie
            }
        };
        let result = match () {
            () if size == f64::INFINITY => infinity,
            () if below == infinity => infinity - usize::from(!up),
            () if self.numbers[below] == size => below,
            () => below + usize::from(up),
        };
        result as u128 | if negative { self.sign() } else { 0 }
    }
}

fn tiny_formats() -> Vec<Tiny> {
    [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (3, 4), (4, 3), (5, 2)].map(|(e, s)| Tiny::new(e, s)).into()
}

fn machine_sum(a: f64, b: f64, mode: Rounding) -> f64 {
    match a + b {
        // Opposite numbers give a negative zero when rounding down.
        0.0 if mode == Rounding::Down
            && !(a == 0.0 && b == 0.0 && a.is_sign_positive() && b.is_sign_positive()) =>
        {
            -0.0
        }
        sum => sum,
    }
}

fn machine_integral(a: f64, mode: Rounding) -> f64 {
    match mode {
        Rounding::NearestEven => a.round_ties_even(),
        Rounding::NearestAway => a.round(),
        Rounding::ToZero => a.trunc(),
        Rounding::Up => a.ceil(),
        Rounding::Down => a.floor(),
    }
}

#[test]
fn arithmetic_of_tiny_formats() {
    for format in tiny_formats() {
        let (a, b) = variables(format.sort);
        let pairs = format.pairs();
        for mode in MODES {
            let operations: [Exact; 6] = [
                (Op::FpAdd(mode), machine_sum),
                (Op::FpSub(mode), |a, b, mode| machine_sum(a, -b, mode)),
                (Op::FpMul(mode), |a, b, _| a * b),
                (Op::FpDiv(mode), |a, b, _| a / b),
                (Op::FpSqrt(mode), |a, _, _| a.sqrt()),
                (Op::FpRoundToIntegral(mode), |a, _, mode| machine_integral(a, mode)),
            ];
            for (op, exact) in operations {
                if matches!(op, Op::FpRoundToIntegral(_)) && !format.largest_are_whole() {
                    let refused = Err(Refused::Float(op.clone()));
                    assert_eq!(Blaster::new().word(&mut Aig::new(), Term::fp(op, [a])), refused);
                    continue;
                }
                let unary = matches!(op, Op::FpSqrt(_) | Op::FpRoundToIntegral(_));
                let term = Term::fp(op, if unary { vec![a] } else { vec![a, b] });
                check(term, (a, b), &pairs, |x, y| {
                    Some(format.encode(exact(format.decode(x), format.decode(y), mode), mode))
                });
            }
        }
        check(Term::fp(Op::FpRem, [a, b]), (a, b), &pairs, |x, y| {
            Some(format.encode(machine_remainder(format.decode(x), format.decode(y)), Rounding::NearestEven))
        });
    }
}

#[test]
fn arithmetic_of_a_tiny_format_with_constants() {
    let format = Tiny::new(3, 4);
    let (a, b) = variables(format.sort);
    let inputs: Vec<(u128, u128)> = format.all().map(|x| (x, 0)).collect();
    for mode in MODES {
        let operations: [Exact; 5] = [
            (Op::FpAdd(mode), machine_sum),
            (Op::FpSub(mode), |a, b, mode| machine_sum(a, -b, mode)),
            (Op::FpMul(mode), |a, b, _| a * b),
            (Op::FpDiv(mode), |a, b, _| a / b),
            (Op::FpRem, |a, b, _| machine_remainder(a, b)),
        ];
        for (op, exact) in operations {
            let expected = |x: f64, y: f64| Some(format.encode(exact(x, y, mode), mode));
            for bits in format.all() {
                let constant = Term::float(bits, format.sort);
                let fixed = format.decode(bits);
                let right = Term::fp(op.clone(), [a, constant]);
                check(right, (a, b), &inputs, |x, _| expected(format.decode(x), fixed));
                let left = Term::fp(op.clone(), [constant, a]);
                check(left, (a, b), &inputs, |x, _| expected(fixed, format.decode(x)));
            }
            let same = Term::fp(op.clone(), [a, a]);
            check(same, (a, b), &inputs, |x, _| expected(format.decode(x), format.decode(x)));
        }
    }
}

#[test]
fn conversions_of_tiny_formats() {
    for from in tiny_formats() {
        let (a, b) = variables(from.sort);
        let inputs: Vec<(u128, u128)> = from.all().map(|x| (x, 0)).collect();
        for mode in MODES {
            for to in tiny_formats() {
                let term = Term::make(Op::FpFromFp(mode), [a], to.sort);
                check(term, (a, b), &inputs, |x, _| Some(to.encode(from.decode(x), mode)));
            }
            for width in [1, 2, 3, 5, 8, 40] {
                if !from.largest_are_whole() {
                    continue;
                }
                let size = 2f64.powi(width as i32);
                let bits = |n: f64| (n as i128 as u128) & ((1 << width) - 1);
                let whole = |x| Some(machine_integral(from.decode(x), mode));
                let signed = Term::make(Op::FpToSigned(mode, width), [a], Sort::Bv(width));
                check(signed, (a, b), &inputs, |x, _| {
                    whole(x).filter(|&n| -size / 2.0 <= n && n < size / 2.0).map(bits)
                });
                let unsigned = Term::make(Op::FpToUnsigned(mode, width), [a], Sort::Bv(width));
                check(unsigned, (a, b), &inputs, |x, _| whole(x).filter(|&n| 0.0 <= n && n < size).map(bits));
            }
            for width in [1u32, 2, 3, 5, 8] {
                let (a, b) = variables(Sort::Bv(width));
                let inputs: Vec<(u128, u128)> = (0..1 << width).map(|x| (x, 0)).collect();
                let unsigned = Term::make(Op::FpFromUnsigned(mode), [a], from.sort);
                check(unsigned, (a, b), &inputs, |x, _| Some(from.encode(x as f64, mode)));
                let signed = Term::make(Op::FpFromSigned(mode), [a], from.sort);
                check(signed, (a, b), &inputs, |x, _| {
                    let value = x as i128 - if x >> (width - 1) == 1 { 1 << width } else { 0 };
                    Some(from.encode(value as f64, mode))
                });
            }
        }
    }
}

//! The usual formats, against the machine's arithmetic and against evaluation.

use super::{MODES, check, machine_remainder, variables};
use logic::{Op, Rounding, Sort, Term, Value, eval};

/// A repeatable stream of numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn pick(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    fn bits(&mut self, width: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        any & u128::MAX >> (128 - width)
    }

    /// An encoding: limits, subnormals, numbers around one, few ones, long runs of ones, or anything.
    pub(super) fn float(&mut self, e: u32, s: u32) -> u128 {
        let fraction_bits = s - 1;
        let all = (1u128 << e) - 1;
        let exponent = match self.pick(6) {
            0 => 0,
            1 => all - u128::from(self.pick(3)),
            2 => u128::from(self.pick(4)),
            3 | 4 => (all / 2 + u128::from(self.pick(2 * u64::from(s)))).saturating_sub(2),
            _ => self.bits(e),
        };
        let any = self.bits(fraction_bits);
        let fraction = match self.pick(6) {
            0 => 0,
            1 => u128::from(self.pick(4)) & ((1 << fraction_bits) - 1),
            2 => 1 << (any % u128::from(fraction_bits)),
            3 => ((1 << fraction_bits) - 1) ^ u128::from(self.pick(2)),
            4 => any >> (any % u128::from(s)) << (any % u128::from(s)) & ((1 << fraction_bits) - 1),
            _ => any,
        };
        let sign = u128::from(self.pick(2));
        (sign << e | exponent.min(all)) << fraction_bits | fraction
    }

    /// An integer of any size, often near a power of two.
    pub(super) fn integer(&mut self, width: u32) -> u128 {
        let place = self.pick(u64::from(width));
        match self.pick(3) {
            0 => self.bits(width),
            1 => self.bits(width) >> place,
            _ => (1u128 << place).wrapping_sub(u128::from(self.pick(3))) & u128::MAX >> (128 - width),
        }
    }

    /// A pair, often one whose sum or difference cancels or whose quotient is near a limit.
    pub(super) fn floats(&mut self, e: u32, s: u32) -> (u128, u128) {
        let a = self.float(e, s);
        let near = |by: u128| a.wrapping_add(by) & u128::MAX >> (128 - e - s);
        let b = match self.pick(5) {
            0 => near(u128::from(self.pick(5))) ^ u128::from(self.pick(2)) << (e + s - 1),
            1 => near(u128::from(self.pick(2 * u64::from(s))) << (s - 1)),
            _ => self.float(e, s),
        };
        (a, b)
    }
}

const FORMATS: [(u32, u32); 6] = [(5, 11), (8, 8), (8, 24), (11, 53), (15, 64), (15, 113)];

pub(super) fn evaluated(term: Term, (a, b): (Term, Term), x: u128, y: u128) -> Option<u128> {
    let value = |bits, sort| match sort {
        Sort::Bv(width) => Value::bv(bits, width),
        sort => Value::float(bits, sort),
    };
    match eval(term, &|t| Some(if t == a { value(x, a.sort()) } else { value(y, b.sort()) }))? {
        Value::Bv { bits, .. } | Value::Float { bits, .. } => Some(bits),
        _ => None,
    }
}

#[test]
fn arithmetic_as_evaluated() {
    let mut random = Random(11);
    for (e, s) in FORMATS {
        let (a, b) = variables(Sort::Float(e, s));
        for mode in MODES {
            let pairs: Vec<(u128, u128)> = (0..192).map(|_| random.floats(e, s)).collect();
            let constant = Term::float(random.float(e, s), a.sort());
            let mut terms = vec![Term::fp(Op::FpRoundToIntegral(mode), [a])];
            if mode == Rounding::NearestEven && matches!((e, s), (8, 24) | (11, 53)) {
                terms.push(Term::fp(Op::FpSqrt(mode), [a]));
            }
            for op in [Op::FpAdd(mode), Op::FpSub(mode), Op::FpMul(mode), Op::FpDiv(mode)] {
                terms.push(Term::fp(op.clone(), [a, b]));
                // Large circuits take their time.
                if s < 100 || mode == Rounding::NearestEven {
                    terms.push(Term::fp(op.clone(), [a, constant]));
                    terms.push(Term::fp(op, [constant, b]));
                }
            }
            for term in terms {
                check(term, (a, b), &pairs, |x, y| evaluated(term, (a, b), x, y));
            }
        }
    }
}

#[test]
fn conversions_as_evaluated() {
    let mut random = Random(12);
    for (e, s) in FORMATS {
        let sort = Sort::Float(e, s);
        for mode in MODES {
            let (a, b) = variables(sort);
            let inputs: Vec<(u128, u128)> = (0..256).map(|_| (random.float(e, s), 0)).collect();
            let formats = FORMATS.map(|(e, s)| Term::fp_from(Op::FpFromFp(mode), a, Sort::Float(e, s)));
            let widths = [1, 8, 16, 32, 64, 128];
            let integers = widths.map(|w| [a.fp_to_int(mode, w, true), a.fp_to_int(mode, w, false)]);
            for term in formats.into_iter().chain(integers.into_iter().flatten()) {
                check(term, (a, b), &inputs, |x, y| evaluated(term, (a, b), x, y));
            }
            for width in widths {
                let (a, b) = variables(Sort::Bv(width));
                let inputs: Vec<(u128, u128)> = (0..192).map(|_| (random.integer(width), 0)).collect();
                for op in [Op::FpFromSigned(mode), Op::FpFromUnsigned(mode)] {
                    let term = Term::fp_from(op, a, sort);
                    check(term, (a, b), &inputs, |x, y| evaluated(term, (a, b), x, y));
                }
            }
        }
    }
}

fn bits32(value: f32) -> u128 {
    u128::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

fn bits64(value: f64) -> u128 {
    u128::from(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
}

type Machine = (Op, fn(f32, f32) -> f32, fn(f64, f64) -> f64);

#[test]
fn arithmetic_as_of_the_machine() {
    let mode = Rounding::NearestEven;
    let operations: [Machine; 5] = [
        (Op::FpAdd(mode), |a, b| a + b, |a, b| a + b),
        (Op::FpSub(mode), |a, b| a - b, |a, b| a - b),
        (Op::FpMul(mode), |a, b| a * b, |a, b| a * b),
        (Op::FpDiv(mode), |a, b| a / b, |a, b| a / b),
        (Op::FpSqrt(mode), |a, _| a.sqrt(), |a, _| a.sqrt()),
    ];
    let mut random = Random(13);
    for (op, single, double) in operations {
        let args = |a, b| if matches!(op, Op::FpSqrt(_)) { vec![a] } else { vec![a, b] };
        let (a, b) = variables(Sort::F32);
        let pairs: Vec<(u128, u128)> = (0..8_000).map(|_| random.floats(8, 24)).collect();
        check(Term::fp(op.clone(), args(a, b)), (a, b), &pairs, |x, y| {
            Some(bits32(single(f32::from_bits(x as u32), f32::from_bits(y as u32))))
        });
        let (a, b) = variables(Sort::F64);
        let pairs: Vec<(u128, u128)> = (0..4_000).map(|_| random.floats(11, 53)).collect();
        check(Term::fp(op.clone(), args(a, b)), (a, b), &pairs, |x, y| {
            Some(bits64(double(f64::from_bits(x as u64), f64::from_bits(y as u64))))
        });
    }
    let (a, b) = variables(Sort::F32);
    let pairs: Vec<(u128, u128)> = (0..2_000).map(|_| random.floats(8, 24)).collect();
    check(Term::fp(Op::FpRem, [a, b]), (a, b), &pairs, |x, y| {
        let [x, y] = [x, y].map(|bits| f64::from(f32::from_bits(bits as u32)));
        Some(bits32(machine_remainder(x, y) as f32))
    });
}

/// Roots in all modes, with a root of twice the digits as reference: squares of numbers of 24 bits have 48.
#[test]
fn roots_in_all_modes() {
    let mut random = Random(14);
    let (a, b) = variables(Sort::F32);
    let inputs: Vec<(u128, u128)> = (0..2_000).map(|_| (random.float(8, 24), 0)).collect();
    for mode in MODES {
        check(Term::fp(Op::FpSqrt(mode), [a]), (a, b), &inputs, |x, _| {
            let root = f64::from(f32::from_bits(x as u32)).sqrt();
            let narrow = Term::fp_from(Op::FpFromFp(mode), Term::float(bits64(root), Sort::F64), Sort::F32);
            match Value::of(narrow) {
                Some(Value::Float { bits, .. }) => Some(bits),
                _ => None,
            }
        });
    }
}

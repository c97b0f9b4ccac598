//! Circuits of float operations: tiny formats completely against rounding by search, the usual formats against the machine and against
//! `logic::eval`, on limits and random encodings, with variables and with constants.

use base::Budget;
use blast::{Blaster, Refused};
use logic::{Op, Rounding, Sort, Term, Value, eval};
use sat::{Aig, Answer, Encoder, Lit, Solver};

const MODES: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::ToZero, Rounding::Up, Rounding::Down];

/// The circuit of a term over the variables `a` and `b`, which are its first inputs.
struct Circuit {
    aig: Aig,
    word: Vec<Lit>,
    width: u32,
}

impl Circuit {
    fn new(term: Term, a: Term, b: Term) -> Self {
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        let width = blaster.word(&mut aig, a).expect("a variable").len() as u32;
        blaster.word(&mut aig, b).expect("a variable");
        let word = blaster.word(&mut aig, term).unwrap_or_else(|e| panic!("{term}: {e}"));
        Circuit { aig, word, width }
    }

    /// The results, 64 at a time.
    fn run(&self, inputs: &[(u128, u128)]) -> Vec<u128> {
        let mut results = Vec::with_capacity(inputs.len());
        for chunk in inputs.chunks(64) {
            let pattern = |label: u32| {
                let bit = |(a, b): &(u128, u128)| {
                    let bits = if label < self.width {
                        a.checked_shr(label)
                    } else {
                        b.checked_shr(label - self.width)
                    };
                    (bits.unwrap_or(0) & 1) as u64
                };
                chunk.iter().rev().fold(0, |word, input| word << 1 | bit(input))
            };
            let bits = self.aig.evaluate(&self.word, pattern);
            for i in 0..chunk.len() {
                results.push(bits.iter().rev().fold(0, |n, bit| n << 1 | u128::from(bit >> i & 1)));
            }
        }
        results
    }
}

fn variables(sort: Sort) -> (Term, Term) {
    (Term::var("a", sort), Term::var("b", sort))
}

/// The circuit gives what the reference says, where it says something.
fn check(
    term: Term,
    (a, b): (Term, Term),
    inputs: &[(u128, u128)],
    expected: impl Fn(u128, u128) -> Option<u128>,
) {
    let results = Circuit::new(term, a, b).run(inputs);
    let mut known = 0;
    for (&(x, y), got) in inputs.iter().zip(results) {
        if let Some(expected) = expected(x, y) {
            known += 1;
            assert_eq!(got, expected, "{term} with a = {x:#x}, b = {y:#x}: {got:#x}, not {expected:#x}");
        }
    }
    assert!(known > 0, "{term} was not tested");
}

// Tiny formats.

/// All numbers of a format from zero on, ascending; the last one is where infinity begins, if exponents went on.
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

/// From the truncating remainder, which is exact.
fn machine_remainder(a: f64, b: f64) -> f64 {
    let (x, y) = (a.abs(), b.abs());
    if y == f64::INFINITY && x < y {
        return a;
    }
    let rest = x % (2.0 * y);
    let nearest = match rest {
        rest if rest <= y / 2.0 => rest,
        rest if rest < 1.5 * y => rest - y,
        rest => rest - 2.0 * y,
    };
    // A zero has the sign of the dividend.
    if nearest == 0.0 {
        0f64.copysign(a)
    } else if a < 0.0 {
        -nearest
    } else {
        nearest
    }
}

#[test]
fn arithmetic_of_tiny_formats() {
    for format in tiny_formats() {
        let (a, b) = variables(format.sort);
        let pairs = format.pairs();
        for mode in MODES {
            let operations: [(Op, fn(f64, f64, Rounding) -> f64); 6] = [
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
    let mode = Rounding::NearestEven;
    let operations: [(Op, fn(f64, f64) -> f64); 5] = [
        (Op::FpAdd(mode), |a, b| a + b),
        (Op::FpSub(mode), |a, b| a - b),
        (Op::FpMul(mode), |a, b| a * b),
        (Op::FpDiv(mode), |a, b| a / b),
        (Op::FpRem, machine_remainder),
    ];
    for (op, exact) in operations {
        for bits in format.all() {
            let constant = Term::float(bits, format.sort);
            let fixed = format.decode(bits);
            let inputs: Vec<(u128, u128)> = format.all().map(|x| (x, 0)).collect();
            let right = Term::fp(op.clone(), [a, constant]);
            check(right, (a, b), &inputs, |x, _| Some(format.encode(exact(format.decode(x), fixed), mode)));
            let left = Term::fp(op.clone(), [constant, a]);
            check(left, (a, b), &inputs, |x, _| Some(format.encode(exact(fixed, format.decode(x)), mode)));
        }
        let same = Term::fp(op.clone(), [a, a]);
        let inputs: Vec<(u128, u128)> = format.all().map(|x| (x, 0)).collect();
        check(same, (a, b), &inputs, |x, _| {
            Some(format.encode(exact(format.decode(x), format.decode(x)), mode))
        });
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

// The usual formats.

/// A repeatable stream of numbers.
struct Random(u64);

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
    fn float(&mut self, e: u32, s: u32) -> u128 {
        let fraction_bits = s - 1;
        let all = (1u128 << e) - 1;
        let exponent = match self.pick(6) {
            0 => 0,
            1 => all - u128::from(self.pick(3)),
            2 => u128::from(self.pick(4)),
            3 | 4 => all / 2 - u128::from(self.pick(3)) + u128::from(self.pick(2 * u64::from(s))),
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

    /// A pair, often one whose sum or difference cancels or whose quotient is near a limit.
    fn floats(&mut self, e: u32, s: u32) -> (u128, u128) {
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

fn evaluated(term: Term, (a, b): (Term, Term), x: u128, y: u128) -> Option<u128> {
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
                terms.push(Term::fp(op.clone(), [a, constant]));
                terms.push(Term::fp(op, [constant, b]));
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
                // Of any size, and with ones only far apart.
                let mut integer = || match random.pick(3) {
                    0 => random.bits(width),
                    1 => random.bits(width) >> random.pick(u64::from(width)),
                    _ => (1u128 << random.pick(u64::from(width))).wrapping_sub(u128::from(random.pick(3)))
                        & u128::MAX >> (128 - width),
                };
                let inputs: Vec<(u128, u128)> = (0..192).map(|_| (integer(), 0)).collect();
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
        let pairs: Vec<(u128, u128)> = (0..20_000).map(|_| random.floats(8, 24)).collect();
        check(Term::fp(op.clone(), args(a, b)), (a, b), &pairs, |x, y| {
            Some(bits32(single(f32::from_bits(x as u32), f32::from_bits(y as u32))))
        });
        let (a, b) = variables(Sort::F64);
        let pairs: Vec<(u128, u128)> = (0..20_000).map(|_| random.floats(11, 53)).collect();
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

// Where results are unspecified.

/// C's conversion of a float to an integer of 64 bits, as translations write it.
fn guarded(x: Term, unsigned: bool) -> Term {
    let power = |exponent: u128| Term::float((1023 + exponent) << 52, Sort::F64);
    let whole = Term::fp(Op::FpRoundToIntegral(Rounding::ToZero), [x]);
    let least = if unsigned { Term::float(0, Sort::F64) } else { Term::fp(Op::FpNeg, [power(63)]) };
    let limit = power(if unsigned { 64 } else { 63 });
    let fits = Term::fp_test(Op::FpLe, [least, whole]).and(Term::fp_test(Op::FpLt, [whole, limit]));
    fits.ite(x.fp_to_int(Rounding::ToZero, 64, !unsigned), Term::bv(1 << 63, 64))
}

#[test]
fn guarded_conversions_need_no_constraints() {
    let mut random = Random(15);
    let (a, b) = variables(Sort::F64);
    let inputs: Vec<(u128, u128)> = (0..2_000).map(|_| (random.float(11, 53), 0)).collect();
    for unsigned in [false, true] {
        let term = guarded(a, unsigned);
        check(term, (a, b), &inputs, |x, y| Some(evaluated(term, (a, b), x, y).expect("it is specified")));
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        blaster.word(&mut aig, term).expect("a circuit");
        blaster.word(&mut aig, guarded(b, unsigned)).expect("a circuit");
        assert_eq!(blaster.constraints(), []);
        assert_eq!(blaster.next_label(), 128, "no inputs but the two floats");
    }
}

/// Whether the formulas can hold together.
fn satisfiable(formulas: &[Term]) -> bool {
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let (mut encoder, mut solver) = (Encoder::new(), Solver::for_easy_queries());
    let lits: Vec<Lit> = formulas.iter().map(|f| blaster.bool(&mut aig, *f).expect("a circuit")).collect();
    for lit in lits.iter().chain(blaster.constraints()) {
        encoder.assert(&aig, *lit, &mut solver);
    }
    solver.solve(&[], &Budget::unlimited()).expect("no budget") == Answer::Sat
}

#[test]
fn laws_of_conversions() {
    let (x, y) = variables(Sort::F32);
    let to_int = |x: Term| x.fp_to_int(Rounding::ToZero, 8, true);
    let is_nan = |x| Term::fp_test(Op::FpIsNan, [x]);
    let below = |x, bits| Term::fp_test(Op::FpLt, [x, Term::float(bits, Sort::F32)]);
    let infinite = Term::fp_test(Op::FpIsInfinite, [y]);
    let number = |n| Term::bv(n, 8);
    let (five, million) = (0x40a0_0000, 0x4974_2400);
    let cases = [
        // Out of range it is any number, but always the same one.
        (vec![is_nan(x), to_int(x).equals(number(3))], true),
        (vec![is_nan(x), to_int(x).equals(number(4))], true),
        (vec![is_nan(x), is_nan(y), to_int(x).differs(to_int(y))], false),
        (vec![is_nan(x), infinite, to_int(x).differs(to_int(y))], true),
        (vec![x.equals(y), to_int(x).differs(to_int(y))], false),
        (vec![is_nan(x), to_int(x).differs(x.fp_to_int(Rounding::Up, 8, true))], true),
        (vec![is_nan(x), to_int(x).differs(x.fp_to_int(Rounding::ToZero, 8, false))], true),
        // A condition that does not say that it fits.
        (vec![below(x, million).ite(to_int(x), number(0)).equals(number(100)), below(x, five)], true),
        (vec![below(x, five).not().ite(to_int(x), number(0)).equals(number(4))], true),
        (vec![below(x, five).not(), below(x, 0x42c8_0000), to_int(x).equals(number(4))], false),
        (vec![below(x, five), below(Term::float(0, Sort::F32), x), to_int(x).equals(number(5))], false),
    ];
    for (formulas, expected) in cases {
        assert_eq!(satisfiable(&formulas), expected, "{formulas:?}");
    }
}

#[test]
fn laws_of_arithmetic() {
    let (x, y) = variables(Sort::F32);
    let mode = Rounding::NearestEven;
    let add = |x, y| Term::fp(Op::FpAdd(mode), [x, y]);
    let mul = |x, y| Term::fp(Op::FpMul(mode), [x, y]);
    let constant = |value: f32| Term::float(value.to_bits().into(), Sort::F32);
    let less = |x, y| Term::fp_test(Op::FpLt, [x, y]);
    let normal = less(constant(1e-30), x).and(less(x, constant(1e30)));
    let cases = [
        (vec![add(x, y).differs(add(y, x))], false),
        (vec![mul(x, y).differs(mul(y, x))], false),
        (vec![add(x, x).differs(mul(x, constant(2.0)))], false),
        (vec![normal, mul(mul(x, constant(0.5)), constant(2.0)).differs(x)], false),
        (vec![mul(mul(x, constant(0.5)), constant(2.0)).differs(x)], true),
        (vec![normal, Term::fp(Op::FpDiv(mode), [x, constant(4.0)]).differs(mul(x, constant(0.25)))], false),
        (vec![less(constant(0.0), x), less(add(constant(1.0), x), constant(1.0))], false),
        (vec![less(constant(0.0), x), add(constant(1.0), x).equals(constant(1.0))], true),
    ];
    for (formulas, expected) in cases {
        assert_eq!(satisfiable(&formulas), expected, "{formulas:?}");
    }
}

/// How large circuits are: not to grow unnoticed, and products and comparisons with constants fold.
#[test]
fn sizes() {
    let mode = Rounding::NearestEven;
    for (sort, one) in [(Sort::F32, 127 << 23), (Sort::F64, 1023 << 52)] {
        let (a, b) = variables(sort);
        let two = Term::float(one + (one & one.wrapping_neg()), sort);
        let terms = [
            ("lt", Term::fp_test(Op::FpLt, [a, b])),
            ("lt const", Term::fp_test(Op::FpLt, [a, Term::float(one, sort)])),
            ("add", Term::fp(Op::FpAdd(mode), [a, b])),
            ("add const", Term::fp(Op::FpAdd(mode), [a, Term::float(one, sort)])),
            ("mul", Term::fp(Op::FpMul(mode), [a, b])),
            ("mul 2", Term::fp(Op::FpMul(mode), [a, two])),
            ("div", Term::fp(Op::FpDiv(mode), [a, b])),
            ("div 2", Term::fp(Op::FpDiv(mode), [a, two])),
            ("sqrt", Term::fp(Op::FpSqrt(mode), [a])),
            ("rint", Term::fp(Op::FpRoundToIntegral(mode), [a])),
            ("trunc", Term::fp(Op::FpRoundToIntegral(Rounding::ToZero), [a])),
            ("to f32", Term::fp_from(Op::FpFromFp(mode), a, Sort::F32)),
            ("to f64", Term::fp_from(Op::FpFromFp(mode), a, Sort::F64)),
            ("to f128", Term::fp_from(Op::FpFromFp(mode), a, Sort::F128)),
            ("to i32", a.fp_to_int(Rounding::ToZero, 32, true)),
            ("to i64", a.fp_to_int(Rounding::ToZero, 64, true)),
            ("from i32", Term::fp_from(Op::FpFromSigned(mode), Term::var("i", Sort::Bv(32)), sort)),
            ("from u64", Term::fp_from(Op::FpFromUnsigned(mode), Term::var("j", Sort::Bv(64)), sort)),
            ("rem", Term::fp(Op::FpRem, [a, b])),
        ];
        for (name, term) in terms {
            let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
            blaster.word(&mut aig, a).expect("a variable");
            blaster.word(&mut aig, b).expect("a variable");
            let before = aig.len();
            if let Ok(word) = blaster.word(&mut aig, term) {
                let mut fresh = Aig::new();
                let cone = fresh.import(&aig, &word);
                println!("{sort} {name}: {} made, {} in cone", aig.len() - before, fresh.len() - before.min(fresh.len()));
                let _ = cone;
            }
        }
    }
}

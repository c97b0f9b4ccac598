//! C expressions against the terms they come from: compiled by the front end, run by the interpreter (which
//! stops where a signed operation overflows), and compared with the value of the term.

use super::super::number::{limits, plain};
use super::*;
use base::Budget;
use interp::{Interp, Outcome, ZeroInputs};
use ir::CheckKind;
use logic::parse::{Scope, parse_term};
use logic::{IBig, Value};
use proptest::prelude::*;

/// Variables of the program, all of its kinds of integers.
const VARIABLES: [(&str, &str, u8, bool); 7] = [
    ("c", "signed char", 8, true),
    ("s", "unsigned short", 16, false),
    ("i", "int", 32, true),
    ("j", "int", 32, true),
    ("u", "unsigned int", 32, false),
    ("l", "long long", 64, true),
    ("w", "unsigned long long", 64, false),
];

fn lookup(name: &str) -> Option<(String, IntType)> {
    let (name, _, bits, signed) = VARIABLES.iter().find(|(variable, ..)| *variable == name)?;
    Some(((*name).to_owned(), IntType::new(*bits, *signed)))
}

/// Small decisions from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    /// Often near the ends of a range.
    fn value(&mut self, ty: IntType) -> i128 {
        let (low, high) = limits(ty);
        let near = i128::from(self.below(4));
        match self.below(5) {
            0 => low + near,
            1 => high - near,
            2 => (near - 2).clamp(low, high),
            3 => i128::from(self.below(200)).clamp(low, high),
            _ => ty.value(u128::from(self.below(u64::MAX)) & ty.mask()),
        }
    }

    fn constant(&mut self) -> i128 {
        let ty = IntType::new([8, 32, 33, 64][self.below(4) as usize], self.below(2) == 0);
        self.value(ty)
    }

    fn integer(&mut self, depth: u32) -> Term {
        let (name, ..) = VARIABLES[self.below(VARIABLES.len() as u64) as usize];
        if depth == 0 {
            return match self.below(3) {
                0 => Term::int(self.constant()),
                _ => Term::var(name, Sort::Int),
            };
        }
        let part = |r: &mut Random| r.integer(depth - 1);
        match self.below(10) {
            0..=2 => part(self).add(part(self)),
            3 => part(self).sub(part(self)),
            4 => part(self).scale(&IBig::from(self.below(9) as i64 - 4)),
            5 => part(self).mul(part(self)),
            6 => part(self).modulo(Term::int(1i128 << (8 * (1 + self.below(8))))),
            7 => part(self).modulo(Term::int(self.below(20) + 1)),
            8 => part(self).div(Term::int(self.below(20) + 1)),
            _ => self.truth(depth - 1, false).ite(part(self), part(self)),
        }
    }

    fn bits(&mut self, depth: u32, width: u32) -> Term {
        let fitting: Vec<_> = VARIABLES.iter().filter(|(_, _, bits, _)| u32::from(*bits) == width).collect();
        if depth == 0 {
            return match fitting.get(self.below(fitting.len() as u64 + 1) as usize) {
                Some((name, ..)) => Term::var(name, Sort::Bv(width)),
                None => Term::bv(self.constant() as u128 & IntType::new(width as u8, false).mask(), width),
            };
        }
        let part = |r: &mut Random| r.bits(depth - 1, width);
        let count = |r: &mut Random| Term::bv(u128::from(r.below(u64::from(width) + 2)), width);
        match self.below(14) {
            0..=1 => part(self).add(part(self)),
            2 => part(self).sub(part(self)),
            3 => part(self).mul(part(self)),
            4 => part(self).bvand(part(self)),
            5 => part(self).bvor(part(self)),
            6 => part(self).bvxor(part(self)),
            7 => part(self).bvnot(),
            8 => part(self).shl(count(self)),
            9 => part(self).lshr(count(self)),
            10 => part(self).udiv(Term::bv(u128::from(self.below(9) + 1), width)),
            11 => part(self).urem(Term::bv(u128::from(self.below(9) + 1), width)),
            12 if width < 64 => self.bits(depth - 1, width * 2).extract(width - 1, 0),
            12 => self.bits(depth - 1, 32).sign_extend(32),
            13 if width > 8 => self.bits(depth - 1, width / 2).zero_extend(width / 2),
            _ => self.truth(depth - 1, true).ite(part(self), part(self)),
        }
    }

    fn truth(&mut self, depth: u32, bits: bool) -> Term {
        if depth > 0 && self.below(3) > 0 {
            let part = |r: &mut Random| r.truth(depth - 1, bits);
            return match self.below(5) {
                0 => part(self).and(part(self)),
                1 => part(self).or(part(self)),
                2 => part(self).not(),
                3 => part(self).equals(part(self)),
                _ => part(self).ite(part(self), part(self)),
            };
        }
        // What has no C expression.
        if self.below(12) == 0 {
            return Term::var("old.i", Sort::Int).int_le(Term::int(self.constant()));
        }
        if bits {
            let width = [8, 16, 32, 64][self.below(4) as usize];
            let (a, b) = (self.bits(depth.min(2), width), self.bits(depth.min(2), width));
            return match self.below(5) {
                0 => a.equals(b),
                1 => a.ule(b),
                2 => a.ult(b),
                3 => a.sle(b),
                _ => a.slt(b),
            };
        }
        let (a, b) = (self.integer(depth.min(2)), self.integer(depth.min(2)));
        match self.below(3) {
            0 => a.equals(b),
            1 => a.int_le(b),
            _ => a.int_lt(b),
        }
    }
}

/// What a C condition is for each of some assignments of values.
fn evaluate(condition: &str, states: &[Vec<i128>]) -> Vec<bool> {
    let mut text = String::new();
    for (name, ty, ..) in VARIABLES {
        text += &format!("{ty} {name};\n");
    }
    text += "int main(void) { int result = 0;\n";
    for state in states {
        for ((name, ..), value) in VARIABLES.iter().zip(state) {
            text += &format!("{name} = {};\n", plain(*value).unwrap());
        }
        text += &format!("result = result * 2 + (({condition}) ? 1 : 0);\n");
    }
    text += "return result; }\n";
    let checks = [CheckKind::Overflow, CheckKind::Div, CheckKind::Shift].into();
    let options = cfront::Options { checks, ..cfront::Options::default() };
    let output = cfront::compile_text("test.i", &text, &options);
    let program = output.program.unwrap_or_else(|| panic!("{:?}\n{text}", output.diagnostics));
    let entry = program.find_function("main").unwrap();
    let mut interp = Interp::new(&program, interp::Options::new(entry)).unwrap();
    let run = interp.run(&mut ZeroInputs, &Budget::unlimited());
    let Outcome::Returned(Some(result)) = run.outcome else { panic!("{:?}\n{text}", run.outcome) };
    (0..states.len()).rev().map(|i| result >> i & 1 == 1).collect()
}

fn holds(term: Term, state: &[i128], old: i128) -> bool {
    let known = |t: Term| {
        let at = VARIABLES.iter().position(|(name, ..)| Some(*name) == t.var_name());
        let value = at.map_or(old, |at| state[at]);
        Some(Value::number(t.sort(), &IBig::from(value)))
    };
    logic::eval(term, &known).and_then(|value| value.as_bool()).unwrap()
}

fn check(seed: u64, bits: bool) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let depth = 1 + random.below(3) as u32;
    let term = random.truth(depth, bits);
    let states: Vec<Vec<i128>> = (0..8)
        .map(|_| {
            VARIABLES.iter().map(|(_, _, bits, signed)| random.value(IntType::new(*bits, *signed))).collect()
        })
        .collect();
    for (holds_here, weaker) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut writer = Writer { lookup: &lookup, left: MOST_NODES, lost: false };
        let formula = writer.formula(term, holds_here, weaker);
        let said = match &formula {
            Formula::True => vec![true; states.len()],
            Formula::False => vec![false; states.len()],
            Formula::Text(text) => evaluate(text, &states),
        };
        for (state, said) in states.iter().zip(said) {
            for old in [i128::from(i64::MIN) * 4, 0, i128::from(i64::MAX) * 4] {
                let meant = holds(term, state, old) == holds_here;
                let fine = match weaker {
                    _ if !writer.lost => said == meant,
                    true => said || !meant,
                    false => !said || meant,
                };
                prop_assert!(
                    fine,
                    "{term}\n{formula:?}\n{state:?}: {said} for {meant}, {holds_here} {weaker}"
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn integers_mean_the_same(seed in any::<u64>()) {
        check(seed, false)?;
    }

    #[test]
    fn bits_mean_the_same(seed in any::<u64>()) {
        check(seed, true)?;
    }
}

#[test]
fn what_people_see() {
    let check = |formula: &str, expected: &str| {
        let mut scope = Scope::new();
        for (name, _, bits, _) in VARIABLES {
            let sort = if formula.contains("bv") { Sort::Bv(bits.into()) } else { Sort::Int };
            scope.declare(name, &[], sort);
        }
        scope.declare("old", &[], Sort::Int);
        let term = parse_term(formula, &scope).unwrap_or_else(|e| panic!("{formula}: {e:?}"));
        assert_eq!(condition(term, &lookup).unwrap_or_default(), expected, "{formula}");
    };
    check("(and (<= 0 i) (<= i 10))", "(i <= 10) && (i >= 0)");
    check("(= (+ i j) 7)", "(((long long)i + (long long)j) == 7LL)");
    check("(<= l w)", "");
    check("(<= u w)", "((unsigned long long)u <= w)");
    // Types say so anyway.
    check("(<= (- 2147483648) i)", "");
    check("(not (= i j))", "(i != j)");
    // Half of an alternative is none; half of a conjunction is something.
    check("(or (= i 1) (= i old))", "");
    check("(and (= i 1) (= i old))", "(i == 1)");
    check("(or (= i 1) (and (= i old) (<= j 3)))", "((j <= 3) || (i == 1))");
    check("(not (and (= i 1) (not (= i old))))", "");
    // A choice by what is not known is no choice.
    check("(= i (ite (= i old) 1 2))", "");
    check("(= i (ite (= j 0) 1 2))", "(i == ((j == 0) ? 1 : 2))");
    check("(= u (mod (* 2 i) 4294967296))", "(u == ((unsigned int)(2ULL * (unsigned long long)i)))");
    let word = |name: &str| format!("((unsigned int)(unsigned long long){name})");
    check("(bvult i j)", &format!("({} < {})", word("i"), word("j")));
    check("(bvslt i j)", "(i < j)");
    check("(bvule u #x00000005)", "(u <= 5U)");
}

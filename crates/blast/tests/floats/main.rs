//! Circuits of float operations: tiny formats completely against rounding by search (`tiny`), the usual
//! formats against the machine and against `logic::eval`, on limits and random encodings, with variables and
//! with constants (`usual`); laws, unspecified results and sizes (`laws`); and operators of programs, as
//! translated, against the interpreter (`translated`).

mod laws;
mod tiny;
mod translated;
mod usual;

use blast::Blaster;
use logic::{Rounding, Sort, Term};
use sat::{Aig, Lit};

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

//! Which rounds and calls an execution can come to: what `unwind::prune` asks while it executes.
//!
//! Most questions are answered by assignments that earlier models left ([`Samples`]). The others go to a
//! solver that does plain search and has little patience, since an answer only saves work.

use base::{Budget, Stopped};
use blast::{Blaster, Division};
use rustc_hash::FxHashMap;
use sat::{Aig, Answer, Encoder, Lit, Samples, Solver};

/// Conflicts for one question.
const PATIENCE: u64 = 500;
/// What questions may cost before one was answered with no, in ticks of the solver and nodes of the graph;
/// and what each such answer is worth.
const CREDIT: i64 = 5_000_000;
const GAIN: i64 = 2_000_000;
/// After a question that had no answer, or without credit, the next ones are left out: one, then three,
/// seven, ..., up to so many.
const MOST_SKIPPED: u32 = 255;

pub struct Feasible {
    encoder: Encoder,
    solver: Solver,
    samples: Samples,
    /// Quotients and remainders: the division, whether it is the remainder, the bit.
    divided: FxHashMap<u32, (usize, bool, usize)>,
    divisions: usize,
    /// How many constraints the solver was told.
    constrained: usize,
    /// What is impossible.
    never: FxHashMap<Lit, ()>,
    /// What may still be spent: questions only pay where they exclude something.
    credit: i64,
    /// Questions that are left out now, and were the last time.
    skip: u32,
    skipped: u32,
    pub asked: u64,
}

impl Feasible {
    pub fn new() -> Feasible {
        Feasible {
            encoder: Encoder::new(),
            solver: Solver::for_easy_queries(),
            samples: Samples::default(),
            divided: FxHashMap::default(),
            divisions: 0,
            constrained: 0,
            never: FxHashMap::default(),
            credit: CREDIT,
            skip: 0,
            skipped: 0,
            asked: 0,
        }
    }

    pub fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    /// Is the next question not worth asking?
    pub fn passes(&mut self) -> bool {
        let passes = self.skip > 0;
        self.skip = self.skip.saturating_sub(1);
        passes
    }

    pub fn pay(&mut self, price: u64) {
        self.credit = self.credit.saturating_sub_unsigned(price);
    }

    /// Can this be true? Yes, if it is not known.
    pub fn possible(&mut self, aig: &Aig, blaster: &Blaster, lit: Lit, budget: &Budget) -> bool {
        if lit.is_constant() {
            return lit == Lit::TRUE;
        }
        if self.never.contains_key(&lit) {
            return false;
        }
        self.sample(aig, blaster);
        if self.samples.value(lit) != 0 {
            return true;
        }
        let literal = self.encoder.encode(aig, lit, &mut self.solver);
        for constraint in blaster.constraints().iter().skip(self.constrained) {
            self.encoder.assert(aig, *constraint, &mut self.solver);
        }
        self.constrained = blaster.constraints().len();
        self.asked += 1;
        let little = budget.with_steps(Some(PATIENCE));
        let before = self.solver.ticks();
        let answer = self.solver.solve(&[literal], &little);
        self.pay(self.solver.ticks() - before);
        match answer {
            Ok(Answer::Unsat) => {
                self.credit += GAIN;
                self.encoder.assert(aig, !lit, &mut self.solver);
                self.never.insert(lit, ());
                false
            }
            Ok(Answer::Sat) => {
                let (encoder, solver) = (&self.encoder, &mut self.solver);
                self.samples.learn(aig, |label| {
                    encoder.input(label).and_then(|literal| solver.value(literal)).unwrap_or(false)
                });
                if self.credit < 0 {
                    self.leave_out();
                } else {
                    self.skipped = 0;
                }
                true
            }
            Err(Stopped::Steps) => {
                self.leave_out();
                true
            }
            Err(_) => true,
        }
    }

    /// The next questions are not asked.
    fn leave_out(&mut self) {
        self.skipped = (2 * self.skipped + 1).min(MOST_SKIPPED);
        self.skip = self.skipped;
    }

    /// Takes in what the graph got. Inputs that nobody set are random, except for the results of divisions.
    fn sample(&mut self, aig: &Aig, blaster: &Blaster) {
        let divisions = blaster.divisions();
        for (i, division) in divisions.iter().enumerate().skip(self.divisions) {
            let Division { quotient, remainder, .. } = division;
            for (is_remainder, word) in [(false, quotient), (true, remainder)] {
                for (bit, lit) in word.iter().enumerate() {
                    if let sat::Node::Input(label) = aig.node(lit.node()) {
                        self.divided.insert(label, (i, is_remainder, bit));
                    }
                }
            }
        }
        self.divisions = divisions.len();
        let divided = &self.divided;
        // The last division: its bits are asked for one after the other.
        let mut last: Option<(usize, Vec<[u128; 2]>)> = None;
        self.samples.extend(aig, |known, label| {
            let Some(&(at, is_remainder, bit)) = divided.get(&label) else { return random(label) };
            if last.as_ref().is_none_or(|(division, _)| *division != at) {
                last = Some((at, results(known, &divisions[at])));
            }
            let results = last.iter().flat_map(|(_, results)| results).enumerate();
            results.fold(0, |word, (i, pair)| {
                let result = pair[usize::from(is_remainder)];
                word | u64::from(result >> bit & 1 == 1) << i
            })
        });
    }
}

/// Quotient and remainder in each assignment.
fn results(known: &Samples, division: &Division) -> Vec<[u128; 2]> {
    let Division { dividend, divisor, .. } = division;
    let number = |word: &[Lit], i: u32| {
        word.iter()
            .enumerate()
            .fold(0u128, |sum, (bit, lit)| sum | u128::from(known.value(*lit) >> i & 1) << bit)
    };
    let result = |i: u32| {
        let (a, b) = (number(dividend, i), number(divisor, i));
        [a.checked_div(b).unwrap_or(u128::MAX), a.checked_rem(b).unwrap_or(a)]
    };
    (0..u64::BITS).map(result).collect()
}

/// Bits that depend on the label only.
fn random(label: u32) -> u64 {
    let mut x = (u64::from(label) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 31
}

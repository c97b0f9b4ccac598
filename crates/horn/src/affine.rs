//! Affine relations: the strongest linear equations that hold on all points seen.
//!
//! Karr's domain, kept as equations: a point that violates some of them is joined by one elimination step,
//! which leaves exactly the combinations that hold on it too. Over the integers the equations are rational
//! (Karr 1976); for machine integers they are modulo 2^w (Müller-Olm and Seidl 2005), where an equation may
//! survive multiplied by a power of two ("x is even").

use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRemEuclid, Gcd};
use logic::{Linear, Sort, Term};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ring {
    Rational,
    /// Modulo 2^w.
    Modulo(u32),
}

/// The equations `row[0] + row[1] x1 + ... = 0` that all points so far satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    ring: Ring,
    dimension: usize,
    /// None before the first point.
    rows: Option<Vec<Vec<IBig>>>,
}

/// An equation modulo 2^w that holds only when it is multiplied by a power of two is kept if that is at most
/// this power, or if it leaves at most so many bits (parities); what is in between would go on losing bit by
/// bit.
const KEPT_POWERS: usize = 4;
/// Coefficients beyond this many bits mean that there is no relation worth having.
const LARGEST: usize = 192;

impl Affine {
    pub fn bottom(ring: Ring, dimension: usize) -> Affine {
        Affine { ring, dimension, rows: None }
    }

    pub fn is_bottom(&self) -> bool {
        self.rows.is_none()
    }

    pub fn rows(&self) -> &[Vec<IBig>] {
        self.rows.as_deref().unwrap_or_default()
    }

    /// Adds a point; did anything change?
    pub fn join(&mut self, point: &[IBig]) -> bool {
        debug_assert_eq!(point.len(), self.dimension);
        let Some(rows) = &mut self.rows else {
            let unit = |i: usize| {
                let mut row = vec![IBig::ZERO; self.dimension + 1];
                row[0] = reduce(self.ring, -&point[i]);
                row[i + 1] = IBig::ONE;
                row
            };
            self.rows = Some((0..self.dimension).map(unit).collect());
            return true;
        };
        let residues: Vec<IBig> = rows.iter().map(|row| reduce(self.ring, value(row, point))).collect();
        let weight = |row: &[IBig]| row.iter().filter(|c| **c != IBig::ZERO).count();
        let pivot = (0..rows.len())
            .filter(|&i| residues[i] != IBig::ZERO)
            .min_by_key(|&i| (self.ring.valuation(&residues[i]), weight(&rows[i])));
        let Some(pivot) = pivot else { return false };
        let pivot_row = rows[pivot].clone();
        let d = residues[pivot].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != pivot && residues[i] != IBig::ZERO {
                eliminate(self.ring, row, &residues[i], &pivot_row, &d);
            }
        }
        rows[pivot] = match self.ring {
            Ring::Rational => Vec::new(),
            Ring::Modulo(width) => {
                let v = self.ring.valuation(&d);
                let factor = IBig::ONE << (width as usize - v);
                let scaled = pivot_row.iter().map(|c| reduce(self.ring, c * &factor)).collect();
                let kept = 1..=KEPT_POWERS;
                if kept.contains(&v) || kept.contains(&(width as usize - v)) { scaled } else { Vec::new() }
            }
        };
        rows.retain(|row| {
            row.iter().skip(1).any(|c| *c != IBig::ZERO) && row.iter().all(|c| c.bit_len() <= LARGEST)
        });
        true
    }

    /// Keeps the equations that are proved; modulo 2^w also twice an equation, if that is proved while the
    /// equation is not.
    pub fn retain<E>(
        &mut self,
        terms: &[Term],
        mut proved: impl FnMut(Term) -> Result<bool, E>,
    ) -> Result<(), E> {
        let ring = self.ring;
        let mut kept = Vec::new();
        for row in self.rows() {
            if proved(equation(ring, row, terms))? {
                kept.push(row.clone());
            } else if ring != Ring::Rational {
                let twice: Vec<IBig> = row.iter().map(|c| reduce(ring, c * IBig::from(2))).collect();
                if twice.iter().skip(1).any(|c| *c != IBig::ZERO) && proved(equation(ring, &twice, terms))? {
                    kept.push(twice);
                }
            }
        }
        self.rows = self.rows.is_some().then_some(kept);
        Ok(())
    }

    /// The equations as formulas about `terms`, less those that plainly follow from the equations of
    /// `others`.
    pub fn equations(&self, terms: &[Term], others: &[&Affine]) -> Vec<Term> {
        let follows = |row: &&Vec<IBig>| {
            others
                .iter()
                .any(|other| other.ring.implies(self.ring) && other.rows().iter().any(|o| self.same(row, o)))
        };
        self.rows().iter().filter(|row| !follows(row)).map(|row| equation(self.ring, row, terms)).collect()
    }

    /// Are two equations the same in this ring, up to sign?
    fn same(&self, row: &[IBig], other: &[IBig]) -> bool {
        let equal = |sign: &IBig| {
            row.len() == other.len()
                && row.iter().zip(other).all(|(a, b)| reduce(self.ring, a - sign * b) == IBig::ZERO)
        };
        equal(&IBig::ONE) || equal(&IBig::NEG_ONE)
    }
}

impl Ring {
    /// Does an equation in this ring hold in another one, which is not this one?
    fn implies(self, other: Ring) -> bool {
        match (self, other) {
            (Ring::Rational, Ring::Modulo(_)) => true,
            (Ring::Modulo(a), Ring::Modulo(b)) => a > b,
            _ => false,
        }
    }

    /// How often two divides; 0 for rationals, so that any pivot will do.
    fn valuation(self, value: &IBig) -> usize {
        match self {
            Ring::Rational => 0,
            Ring::Modulo(_) => value.trailing_zeros().unwrap_or(0),
        }
    }
}

fn value(row: &[IBig], point: &[IBig]) -> IBig {
    row[1..].iter().zip(point).fold(row[0].clone(), |sum, (c, x)| sum + c * x)
}

/// Subtracts from `row` (residue `r`) the multiple of `pivot` (residue `d`) that makes its residue zero.
fn eliminate(ring: Ring, row: &mut [IBig], r: &IBig, pivot: &[IBig], d: &IBig) {
    match ring {
        Ring::Rational => {
            let mut gcd = IBig::ZERO;
            for (c, p) in row.iter_mut().zip(pivot) {
                *c = d * &*c - r * p;
                gcd = if gcd == IBig::ZERO || *c == IBig::ZERO {
                    &gcd + &*c
                } else {
                    IBig::from((&gcd).gcd(&*c))
                };
            }
            if gcd < IBig::ZERO {
                gcd = -gcd;
            }
            if gcd > IBig::ONE {
                for c in row.iter_mut() {
                    *c /= &gcd;
                }
            }
        }
        Ring::Modulo(width) => {
            let v = ring.valuation(d);
            let factor = (r >> v) * inverse(&(d >> v), width);
            for (c, p) in row.iter_mut().zip(pivot) {
                *c = reduce(ring, &*c - &factor * p);
            }
        }
    }
}

/// Of an odd number, modulo 2^width: each step doubles the number of right bits.
fn inverse(odd: &IBig, width: u32) -> IBig {
    let mut x = IBig::ONE;
    for _ in 0..8 {
        x = reduce(Ring::Modulo(width), &x * (IBig::from(2) - odd * &x));
    }
    x
}

fn reduce(ring: Ring, value: IBig) -> IBig {
    match ring {
        Ring::Rational => value,
        Ring::Modulo(width) => IBig::from(value.div_rem_euclid(IBig::ONE << width as usize).1),
    }
}

fn equation(ring: Ring, row: &[IBig], terms: &[Term]) -> Term {
    let sort = terms.first().map_or(Sort::Int, |t| t.sort());
    let mut sum = Linear::zero(sort);
    sum.add_term(&IBig::ONE, Term::number(sort, row[0].clone()));
    for (c, &t) in row[1..].iter().zip(terms) {
        // Small negative coefficients read better than large positive ones, and wrap less.
        let c = match ring {
            Ring::Modulo(width) if *c > IBig::ONE << (width as usize - 1) => {
                c - (IBig::ONE << width as usize)
            }
            _ => c.clone(),
        };
        sum.add_term(&c, t);
    }
    match (ring, sort) {
        (Ring::Modulo(width), Sort::Int) => {
            sum.to_term().modulo(Term::int(IBig::ONE << width as usize)).equals(Term::int(0))
        }
        _ => sum.to_term().equals(Term::number(sort, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ring: Ring, points: &[&[i64]], expected: &[&str]) {
        let names = ["x", "y", "z"];
        let n = points[0].len();
        let sort = match ring {
            Ring::Rational => Sort::Int,
            Ring::Modulo(w) => Sort::Bv(w),
        };
        let terms: Vec<Term> = names[..n].iter().map(|v| Term::var(v, sort)).collect();
        let mut affine = Affine::bottom(ring, n);
        for p in points {
            affine.join(&p.iter().map(|&v| IBig::from(v)).collect::<Vec<_>>());
        }
        let mut found: Vec<String> = affine.equations(&terms, &[]).iter().map(|t| t.to_string()).collect();
        found.sort();
        assert_eq!(found, expected, "{ring:?} {points:?}");
    }

    #[test]
    fn rational_hulls() {
        check(Ring::Rational, &[&[1, 2, 3]], &["(= x 1)", "(= y 2)", "(= z 3)"]);
        check(Ring::Rational, &[&[0, 0, 1], &[1, 1, 3]], &["(= (+ 1 (* 2 x)) z)", "(= x y)"]);
        check(Ring::Rational, &[&[0, 0], &[1, 1], &[1, 2]], &[]);
    }

    #[test]
    fn hulls_modulo_powers_of_two() {
        // x even is all that remains.
        check(Ring::Modulo(8), &[&[0], &[2]], &["(= (bvmul #x80 x) #x00)"]);
        check(Ring::Modulo(8), &[&[250, 0], &[255, 5], &[4, 10]], &["(= (bvadd #x06 x) y)"]);
        // Equal up to the highest bit.
        check(Ring::Modulo(8), &[&[1, 1], &[2, 2], &[3, 131]], &["(= (bvmul #x02 x) (bvmul #x02 y))"]);
    }
}

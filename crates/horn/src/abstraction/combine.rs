//! Literals made simpler by adding multiples of equations that hold as well.

use logic::{IBig, Linear, Op, Sort, Term};

/// An equation, a disequation or an order, simplified by the equations among `others`; None if they do not
/// help.
pub(super) fn combine(literal: Term, others: &[Term]) -> Option<Term> {
    let (shape, sum) = Shape::of(literal)?;
    let equations: Vec<Linear> = others
        .iter()
        .filter_map(|&t| Shape::of(t))
        .filter(|(shape, e)| *shape == Shape::Equal && e.sort == sum.sort)
        .map(|(_, e)| e)
        .take(MOST)
        .collect();
    let mut best: Option<(u64, Linear)> = None;
    // All multiples from -2 to 2 of every equation.
    for code in 0..5usize.pow(equations.len() as u32) {
        let mut candidate = sum.clone();
        let mut digits = code;
        for equation in &equations {
            candidate.add(&IBig::from(digits as i64 % 5 - 2), equation);
            digits /= 5;
        }
        let size = measure(&candidate);
        if !candidate.is_constant() && size < best.as_ref().map_or(measure(&sum), |b| b.0) {
            best = Some((size, candidate));
        }
    }
    Some(shape.term(&best?.1))
}

const MOST: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The sum is zero.
    Equal,
    Differs,
    /// The sum is not negative; integers only.
    Positive,
}

impl Shape {
    fn of(literal: Term) -> Option<(Shape, Linear)> {
        let (shape, atom) = match literal.op() {
            Op::Not => (Shape::Differs, literal.args()[0]),
            Op::Le => (Shape::Positive, literal),
            _ => (Shape::Equal, literal),
        };
        let (a, b) = match (shape, atom.op()) {
            (Shape::Positive, Op::Le) => (atom.args()[1], atom.args()[0]),
            (Shape::Equal | Shape::Differs, Op::Eq) if atom.args()[0].sort().is_number() => {
                (atom.args()[0], atom.args()[1])
            }
            _ => return None,
        };
        let mut sum = Linear::of(a);
        sum.add_term(&IBig::NEG_ONE, b);
        Some((shape, sum))
    }

    fn term(self, sum: &Linear) -> Term {
        let zero = Term::number(sum.sort, 0);
        match self {
            Shape::Equal => sum.to_term().equals(zero),
            Shape::Differs => sum.to_term().differs(zero),
            Shape::Positive => zero.int_le(sum.to_term()),
        }
    }
}

/// Constants count most: they are what changes from one round of a loop to the next.
fn measure(sum: &Linear) -> u64 {
    let size = |c: &IBig| {
        let distance = match sum.sort {
            // Minus one is as small as one.
            Sort::Bv(width) => {
                let other = (IBig::ONE << width as usize) - c;
                if other < *c { other } else { c.clone() }
            }
            _ if *c < IBig::ZERO => -c,
            _ => c.clone(),
        };
        u64::try_from(distance).unwrap_or(u64::MAX).min(1 << 20)
    };
    let constant = if sum.constant == IBig::ZERO { 0 } else { 2 + size(&sum.constant) };
    constant + sum.terms.values().map(size).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::parse::{Scope, parse_term};

    fn check(literal: &str, others: &[&str], expected: Option<&str>) {
        let mut scope = Scope::new();
        for name in ["x", "y", "n", "m", "s", "r", "t"] {
            scope.declare(name, &[], Sort::Int);
        }
        for name in ["u", "v"] {
            scope.declare(name, &[], Sort::Bv(8));
        }
        let read = |text: &str| parse_term(text, &scope).unwrap_or_else(|e| panic!("{text}: {e}"));
        let others: Vec<Term> = others.iter().map(|t| read(t)).collect();
        assert_eq!(combine(read(literal), &others), expected.map(read), "{literal} {others:?}");
    }

    #[test]
    fn constants_go() {
        check("(= x 1)", &["(= y 1)"], Some("(= x y)"));
        check("(= u #x07)", &["(= v #x07)"], Some("(= u v)"));
        check("(<= x 7)", &["(= y 7)"], Some("(<= x y)"));
        check("(distinct (+ 1 n r) t)", &["(= s (+ 1 m))", "(= n m)"], Some("(distinct (+ r s) t)"));
        check("(distinct (+ 3 n n r) t)", &["(= s (+ 3 (* 2 m)))", "(= n m)"], Some("(distinct (+ r s) t)"));
    }

    #[test]
    fn what_is_simple_stays() {
        check("(= x y)", &["(= n m)"], None);
        check("(= x 1)", &[], None);
        check("(= x 1)", &["(<= y 1)"], None);
        // Not a constant truth.
        check("(= x 1)", &["(= x 1)"], None);
    }
}

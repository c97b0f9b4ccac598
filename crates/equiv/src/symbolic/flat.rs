//! A question without numbers of any size and without functions of memory, for a SAT solver.
//!
//! Counters, kinds of endings and sizes are taken for words, which is what they fit in; objects get fixed
//! addresses far from each other; arrays differ if they do at one place, which is a variable. What is known
//! of functions of whole memories, as of a long copy, is forgotten. Not everything that is satisfiable stays
//! so, nor is it the other way round: a model is a guess.

use encode::names::names_address;
use logic::{Op, Sort, Term, bottom_up, rebuild};
use rustc_hash::FxHashMap;

/// Bits of what was a number of any size.
const WORD: u32 = 64;
/// Where the first object is, and how far it is from one to the next.
const FIRST: u128 = 0x1000_0000;
const DISTANCE: u128 = 0x10_0000;

#[derive(Default)]
pub struct Flat {
    done: FxHashMap<Term, Term>,
    objects: u128,
    places: u32,
}

impl Flat {
    pub fn apply(&mut self, term: Term) -> Term {
        let mut done = std::mem::take(&mut self.done);
        let flat = bottom_up(term, &mut done, |t, done| {
            let args: Vec<Term> = t.args().iter().map(|a| done[a]).collect();
            self.node(t, &args)
        });
        self.done = done;
        flat
    }

    fn node(&mut self, term: Term, args: &[Term]) -> Term {
        match (term.op(), args) {
            (Op::Int(n), _) => Term::number(Sort::Bv(WORD), n.clone()),
            (Op::Var(name), _) if names_address(name) && matches!(term.sort(), Sort::Bv(_)) => {
                self.objects += 1;
                Term::number(term.sort(), FIRST + DISTANCE * (self.objects - 1))
            }
            (Op::Var(name), _) => Term::var(name, word(term.sort())),
            (Op::Eq, [a, b]) if a.sort().is_array() && a != b => {
                let Some(index) = a.sort().index() else { return rebuild(term, args) };
                self.places += 1;
                let place = Term::var(&format!("place!{}", self.places), index);
                a.select(place).equals(b.select(place))
            }
            (Op::Add, _) => args.iter().copied().reduce(Term::add).unwrap_or(term),
            (Op::Mul, _) => args.iter().copied().reduce(Term::mul).unwrap_or(term),
            (Op::Div, [a, b]) => a.sdiv(*b),
            (Op::Mod, [a, b]) => a.srem(*b),
            (Op::Le, [a, b]) => b.slt(*a).not(),
            (Op::Lt, [a, b]) => a.slt(*b),
            (Op::BvToInt { signed }, [a]) => resized(*a, WORD, *signed),
            (Op::IntToBv(width), [a]) => resized(*a, *width, true),
            (Op::Apply(name), _) if term.sort().is_array() => {
                self.places += 1;
                Term::var(&format!("{name}!{}", self.places), term.sort())
            }
            (Op::Apply(name), _) => {
                let args = args.iter().copied().filter(|a| !a.sort().is_array());
                Term::apply(name, args, word(term.sort()))
            }
            _ if args == term.args() => term,
            _ => rebuild(term, args),
        }
    }
}

fn word(sort: Sort) -> Sort {
    if sort == Sort::Int { Sort::Bv(WORD) } else { sort }
}

fn resized(a: Term, width: u32, signed: bool) -> Term {
    let have = a.width();
    if width < have {
        a.extract(width - 1, 0)
    } else if signed {
        a.sign_extend(width - have)
    } else {
        a.zero_extend(width - have)
    }
}

//! Where pointers point.
//!
//! An address is a number. The objects that it may lie in are found by how it is computed: constants are addresses of objects, choices
//! are between them, sums move inside of them, and a pointer that came from outside leads to an object of its own.

use crate::guard::{and, or};
use crate::objects::{Kind, OUTSIDE_OFFSET, OUTSIDE_SIZE, ObjectId, Objects};
use logic::{Op, Term};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    /// An object and the offset in it, which may be out of bounds.
    Object(ObjectId, Term),
    /// No object lies there.
    Nowhere,
    /// A pointer from outside that leads nowhere: that it does not is what is assumed of those that are followed.
    Astray,
    /// A number that was computed in a way that is not followed.
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Case {
    /// The cases of a pointer exclude each other, and one of them holds.
    pub when: Term,
    pub target: Target,
}

/// What is known about terms that are pointers.
#[derive(Default)]
pub struct Pointers {
    /// Pointers from outside: the name of the object that each leads to.
    outside: FxHashMap<Term, String>,
    /// By the name of such an object: those of earlier pointers from the same source, which the pointer may lead to as well.
    kin: FxHashMap<String, Vec<String>>,
    /// By source: the objects of its pointers, so far.
    sources: FxHashMap<String, Vec<String>>,
    /// Does a pointer occur in a term in a way that is followed?
    carries: FxHashMap<Term, bool>,
}

/// Earlier pointers from the same source that a pointer may be equal to.
const MOST_KIN: usize = 6;
/// More cases than this are not distinguished.
const MOST_CASES: usize = 512;

impl Pointers {
    /// A term that came from outside as a pointer; `name` says which.
    pub fn from_outside(&mut self, term: Term, name: impl FnOnce() -> String) {
        if !term.is_const() && !self.outside.contains_key(&term) {
            self.outside.insert(term, name());
            self.carries.insert(term, true);
        }
    }

    /// The same for one of several pointers from the same source: it may be equal to an earlier one. (It need not be equal to
    /// a later one, since the later one may be equal to it.)
    pub fn from_source(&mut self, term: Term, name: String, source: &str) {
        let earlier = self.sources.entry(source.to_owned()).or_default();
        let kin: Vec<String> = earlier.iter().rev().take(MOST_KIN).cloned().collect();
        earlier.push(name.clone());
        self.kin.insert(name.clone(), kin);
        self.from_outside(term, || name);
    }

    pub fn kin(&self, name: &str) -> &[String] {
        self.kin.get(name).map_or(&[], |list| list)
    }

    pub fn set_kin(&mut self, name: &str, kin: &[String]) {
        self.kin.insert(name.to_owned(), kin.to_vec());
    }

    /// `term` is another name for `of`.
    pub fn alias(&mut self, term: Term, of: Term) {
        if let Some(name) = self.outside.get(&of).cloned() {
            self.from_outside(term, || name);
        }
    }

    pub fn is_from_outside(&self, term: Term) -> bool {
        self.outside.contains_key(&term)
    }

    /// The object that a pointer from outside leads to.
    pub fn outside_name(&self, term: Term) -> Option<&str> {
        self.outside.get(&term).map(String::as_str)
    }

    /// May this be a pointer into an object, as far as its form tells?
    pub fn carries(&mut self, objects: &Objects, term: Term) -> bool {
        if let Some(known) = self.carries.get(&term) {
            return *known;
        }
        let result = match (term.op(), term.args()) {
            (Op::Bv(bits), _) => return u64::try_from(*bits).is_ok_and(|at| objects.at(at).is_some()),
            (Op::Ite, [_, a, b]) => {
                let (a, b) = (*a, *b);
                self.carries(objects, a) || self.carries(objects, b)
            }
            (Op::BvAdd, args) => args.iter().any(|a| self.carries(objects, *a)),
            _ => false,
        };
        // What carries none now may do so once more objects exist: constants are looked up anew.
        if result {
            self.carries.insert(term, true);
        }
        result
    }

    pub fn cases(&mut self, objects: &mut Objects, pointer: Term) -> Vec<Case> {
        let mut found: Vec<Case> = Vec::new();
        self.collect(objects, pointer, Term::bool(true), None, &mut found);
        found
    }

    fn collect(&mut self, objects: &mut Objects, t: Term, when: Term, plus: Option<Term>, out: &mut Vec<Case>) {
        if out.len() > MOST_CASES {
            add(out, Case { when, target: Target::Unknown });
            return;
        }
        if let Some(name) = self.outside.get(&t) {
            let start = Term::bv(u128::from(OUTSIDE_OFFSET), t.width());
            let offset = plus.map_or(start, |plus| start.add(plus));
            let size = Term::bv(u128::from(OUTSIDE_SIZE), t.width());
            let mut rest = when;
            for name in std::iter::once(name).chain(self.kin(name)) {
                let Some(id) = objects.make(name.clone(), Kind::Outside, size, OUTSIDE_SIZE, 0) else {
                    add(out, Case { when: rest, target: Target::Unknown });
                    return;
                };
                let base = u128::from(objects.get(id).base + OUTSIDE_OFFSET);
                let there = t.equals(Term::bv(base, t.width()));
                add(out, Case { when: and(when, there), target: Target::Object(id, offset) });
                rest = and(rest, there.not());
            }
            add(out, Case { when: rest, target: Target::Astray });
            return;
        }
        match (t.op(), t.args()) {
            (Op::Bv(bits), _) => {
                let target = match u64::try_from(*bits).ok().and_then(|at| objects.at(at)) {
                    Some(id) => {
                        let base = Term::bv(u128::from(objects.get(id).base), t.width());
                        let offset = t.sub(base);
                        Target::Object(id, plus.map_or(offset, |plus| offset.add(plus)))
                    }
                    // A small constant plus something computed may be the other way round.
                    None if plus.is_some_and(|p| !p.is_const()) => Target::Unknown,
                    None => Target::Nowhere,
                };
                add(out, Case { when, target });
            }
            (Op::Ite, [c, a, b]) => {
                let (c, a, b) = (*c, *a, *b);
                let (yes, no) = (and(when, c), and(when, c.not()));
                if !yes.is_false() {
                    self.collect(objects, a, yes, plus, out);
                }
                if !no.is_false() {
                    self.collect(objects, b, no, plus, out);
                }
            }
            (Op::BvAdd, args) => {
                let carriers: Vec<usize> =
                    (0..args.len()).filter(|i| self.carries(objects, args[*i])).collect();
                let [which] = carriers[..] else {
                    add(out, Case { when, target: Target::Unknown });
                    return;
                };
                let others = args.iter().enumerate().filter(|(i, _)| *i != which).map(|(_, a)| *a);
                let rest = others.reduce(|a, b| a.add(b)).unwrap_or(Term::bv(0, t.width()));
                let plus = plus.map_or(rest, |plus| plus.add(rest));
                self.collect(objects, args[which], when, Some(plus), out);
            }
            _ => add(out, Case { when, target: Target::Unknown }),
        }
    }
}

/// Cases with the same target are one.
fn add(out: &mut Vec<Case>, case: Case) {
    if case.when.is_false() {
        return;
    }
    match out.iter_mut().find(|c| c.target == case.target) {
        Some(known) => known.when = or(known.when, case.when),
        None => out.push(case),
    }
}

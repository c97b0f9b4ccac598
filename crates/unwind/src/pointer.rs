//! Where pointers point.
//!
//! An address is a number. The objects that it may lie in are found by how it is computed: constants are
//! addresses of objects, choices are between them, sums move inside of them, and a pointer that came from
//! outside leads to an object of its own.

use crate::guard::{and, or};
use crate::objects::{Kind, OUTSIDE_OFFSET, OUTSIDE_SIZE, ObjectId, Objects};
use logic::{Op, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    /// An object and the offset in it, which may be out of bounds.
    Object(ObjectId, Term),
    /// No object lies there.
    Nowhere,
    /// A pointer from outside that leads nowhere: that it does not is what is assumed of those that are
    /// followed.
    Environment,
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
    /// By the name of such an object: those of earlier pointers from the same source, which the pointer may
    /// lead to as well.
    kin: FxHashMap<String, Vec<String>>,
    /// By source: the objects of its pointers, so far.
    sources: FxHashMap<String, Vec<String>>,
    /// Of these, what lies in variables and new memory that nobody has set: numbers as much as pointers.
    uninitialised: FxHashSet<Term>,
    cases: FxHashMap<Term, Rc<[Case]>>,
    /// Terms in which a pointer occurs in a way that is followed.
    carries: FxHashSet<Term>,
    /// Terms in which none does, as long as there are so many objects.
    carries_none: FxHashSet<Term>,
    objects: usize,
}

/// Earlier pointers from the same source that a pointer may be equal to.
const MOST_KIN: usize = 6;
/// The source of the entry's parameters.
pub const PARAMETERS: &str = "param";
/// More cases than this are not distinguished.
const MOST_CASES: usize = 512;

impl Pointers {
    /// A term that came from outside as a pointer; `name` says which.
    pub fn outside_pointer(&mut self, term: Term, name: impl FnOnce() -> String) {
        if !term.is_const() && !self.outside.contains_key(&term) {
            self.cases.remove(&term);
            self.outside.insert(term, name());
            self.carries.insert(term);
            self.carries_none.clear();
        }
    }

    /// The same for one of several pointers from the same source: it may be equal to an earlier one. (It need
    /// not be equal to a later one, since the later one may be equal to it.)
    pub fn sourced_pointer(&mut self, term: Term, name: String, source: &str) {
        let earlier = self.sources.entry(source.to_owned()).or_default();
        let kin: Vec<String> = earlier.iter().rev().take(MOST_KIN).cloned().collect();
        earlier.push(name.clone());
        self.kin.insert(name.clone(), kin);
        self.outside_pointer(term, || name);
    }

    /// The same for a pointer that lies in memory from outside. A caller may pass what leads back to itself.
    pub fn found_outside(&mut self, term: Term, name: String) {
        if self.sources.contains_key(PARAMETERS) {
            self.sourced_pointer(term, name, PARAMETERS);
        } else {
            self.outside_pointer(term, || name);
        }
    }

    pub fn kin(&self, name: &str) -> &[String] {
        self.kin.get(name).map_or(&[], |list| list)
    }

    pub fn set_kin(&mut self, name: &str, kin: &[String]) {
        self.kin.insert(name.to_owned(), kin.to_vec());
    }

    /// Bytes as large as a pointer that the program has not set.
    pub fn uninitialised(&mut self, term: Term, name: String) {
        self.uninitialised.insert(term);
        self.outside_pointer(term, || name);
    }

    /// `term` is another name for `of`.
    pub fn alias(&mut self, term: Term, of: Term) {
        if let Some(name) = self.outside.get(&of).cloned() {
            self.outside_pointer(term, || name);
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
        // What carries none now may do so once more objects exist: constants are looked up anew.
        if self.objects != objects.len() {
            self.objects = objects.len();
            self.carries_none.clear();
        }
        if self.carries.contains(&term) {
            return true;
        }
        if self.carries_none.contains(&term) {
            return false;
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
        if result {
            self.carries.insert(term);
        } else {
            self.carries_none.insert(term);
        }
        result
    }

    /// The same for pointers that were set.
    fn is_set(&self, objects: &Objects, term: Term, seen: &mut FxHashSet<Term>) -> bool {
        if !seen.insert(term) {
            return false;
        }
        match (term.op(), term.args()) {
            (Op::Bv(bits), _) => u64::try_from(*bits).is_ok_and(|at| objects.at(at).is_some()),
            _ if self.outside.contains_key(&term) => !self.uninitialised.contains(&term),
            (Op::Ite, [_, a, b]) => self.is_set(objects, *a, seen) || self.is_set(objects, *b, seen),
            (Op::BvAdd, args) => args.iter().any(|a| self.is_set(objects, *a, seen)),
            _ => false,
        }
    }

    /// Where a pointer may point. The cases exclude each other, and one of them holds.
    pub fn cases(&mut self, objects: &mut Objects, pointer: Term) -> Rc<[Case]> {
        if let Some(known) = self.cases.get(&pointer) {
            return known.clone();
        }
        let found: Rc<[Case]> = self.collect(objects, pointer).into();
        // Objects that are made later may lie where now nothing is.
        if !pointer.is_const() {
            self.cases.insert(pointer, found.clone());
        }
        found
    }

    fn collect(&mut self, objects: &mut Objects, t: Term) -> Vec<Case> {
        let always = Term::bool(true);
        if let Some(name) = self.outside.get(&t) {
            return self.outside_cases(objects, t, name);
        }
        match (t.op(), t.args()) {
            (Op::Bv(bits), _) => {
                let target = match u64::try_from(*bits).ok().and_then(|at| objects.at(at)) {
                    Some(id) => {
                        let base = Term::bv(u128::from(objects.get(id).base), t.width());
                        Target::Object(id, t.sub(base))
                    }
                    None => Target::Nowhere,
                };
                vec![Case { when: always, target }]
            }
            (Op::Ite, [c, a, b]) => {
                let (c, a, b) = (*c, *a, *b);
                let mut out = Vec::new();
                for (condition, part) in [(c, a), (c.not(), b)] {
                    for case in self.cases(objects, part).iter() {
                        add(&mut out, Case { when: and(condition, case.when), target: case.target });
                    }
                }
                if out.len() > MOST_CASES {
                    return vec![Case { when: always, target: Target::Unknown }];
                }
                out
            }
            (Op::BvAdd, args) => {
                let mut carriers: Vec<usize> =
                    (0..args.len()).filter(|i| self.carries(objects, args[*i])).collect();
                // Beside a pointer, what may be uninitialised is an index.
                if carriers.len() > 1 {
                    carriers.retain(|i| self.is_set(objects, args[*i], &mut FxHashSet::default()));
                }
                let multiplied = args.iter().any(|a| {
                    *a.op() == Op::BvMul && a.args().iter().any(|part| self.carries(objects, *part))
                });
                let [which] = carriers[..] else {
                    return vec![Case { when: always, target: Target::Unknown }];
                };
                // What is taken away from a sum of addresses, or added to it many times, is followed in
                // differences only.
                if multiplied {
                    return vec![Case { when: always, target: Target::Unknown }];
                }
                let others = args.iter().enumerate().filter(|(i, _)| *i != which).map(|(_, a)| *a);
                let rest = others.reduce(|a, b| a.add(b)).unwrap_or(Term::bv(0, t.width()));
                let distance = args.iter().enumerate().find(|(i, a)| *i != which && a.is_const());
                let distance = distance.and_then(|(_, a)| a.as_bv()).unwrap_or(0);
                let low = t.ult(Term::bv(u128::from(objects.lowest()), t.width()));
                let mut out = Vec::new();
                for case in self.cases(objects, args[which]).iter() {
                    let mut when = case.when;
                    let target = match case.target {
                        // As far as the distance between objects: it may be one.
                        Target::Object(..) if objects.are_apart(distance) => Target::Unknown,
                        Target::Object(id, offset) => Target::Object(id, offset.add(rest)),
                        // Null plus an index is nowhere; plus something else that was computed, it may be the
                        // other way round.
                        Target::Nowhere if !rest.is_const() => {
                            add(&mut out, Case { when: and(when, low), target: Target::Nowhere });
                            when = and(when, low.not());
                            Target::Unknown
                        }
                        other => other,
                    };
                    add(&mut out, Case { when, target });
                }
                out
            }
            _ => vec![Case { when: always, target: Target::Unknown }],
        }
    }

    fn outside_cases(&self, objects: &mut Objects, t: Term, name: &String) -> Vec<Case> {
        let offset = Term::bv(u128::from(OUTSIDE_OFFSET), t.width());
        let size = Term::bv(u128::from(OUTSIDE_SIZE), t.width());
        let mut out = Vec::new();
        let mut rest = Term::bool(true);
        for name in std::iter::once(name).chain(self.kin(name)) {
            let Some(id) = objects.make(name.clone(), Kind::Outside, size, OUTSIDE_SIZE, 0) else {
                out.push(Case { when: rest, target: Target::Unknown });
                return out;
            };
            let base = u128::from(objects.get(id).base + OUTSIDE_OFFSET);
            let there = t.equals(Term::bv(base, t.width()));
            out.push(Case { when: there, target: Target::Object(id, offset) });
            rest = and(rest, there.not());
        }
        out.push(Case { when: rest, target: Target::Environment });
        out
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

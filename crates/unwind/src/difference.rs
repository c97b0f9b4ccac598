//! Pointers that are subtracted from each other.
//!
//! The distance of two pointers into one object is that of their offsets. As a difference of addresses it
//! would carry both objects' places along, and what is added to it could no longer be told from a pointer: in
//! `b + (p - a)` the place of `b` would look like a distance in the object that `p` leads to.

use crate::exec::Exec;
use crate::guard::{and, or};
use crate::objects::ObjectId;
use crate::pointer::Target;
use logic::Term;

/// One of the objects that a pointer leads to: when, and where in it.
struct Part {
    object: ObjectId,
    when: Term,
    offset: Term,
}

impl Exec<'_> {
    /// `x - y`, if both are pointers. Between different objects it is anything.
    pub(crate) fn difference(&mut self, x: Term, y: Term) -> Option<Term> {
        let pointers = x.width() == self.pointer_width()
            && self.pointers.carries(&self.objects, x)
            && self.pointers.carries(&self.objects, y);
        if !pointers {
            return None;
        }
        if x == y {
            return Some(Term::bv(0, x.width()));
        }
        let (from, to) = (self.parts(x), self.parts(y));
        let pairs = from.iter().filter_map(|a| Some((a, to.iter().find(|b| a.object == b.object)?)));
        let shared: Vec<(Term, Term)> =
            pairs.map(|(a, b)| (and(a.when, b.when), a.offset.sub(b.offset))).collect();
        if let [(when, distance)] = shared[..]
            && when.is_true()
        {
            return Some(distance);
        }
        // Null is as far from null as any pointer from itself.
        let apart = self.anything(x.sort());
        let otherwise = x.equals(y).ite(Term::bv(0, x.width()), apart);
        Some(shared.into_iter().rev().fold(otherwise, |rest, (when, distance)| when.ite(distance, rest)))
    }

    fn parts(&mut self, pointer: Term) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for case in self.pointers.cases(&mut self.objects, pointer).iter() {
            let Target::Object(object, offset) = case.target else { continue };
            match parts.iter_mut().find(|part| part.object == object) {
                Some(part) => {
                    part.offset = case.when.ite(offset, part.offset);
                    part.when = or(part.when, case.when);
                }
                None => parts.push(Part { object, when: case.when, offset }),
            }
        }
        parts
    }
}

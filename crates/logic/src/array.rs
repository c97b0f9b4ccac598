//! Arrays: reads pass over writes to other places.

use crate::number::Linear;
use crate::sort::Sort;
use crate::term::{Op, Term};
use dashu_int::IBig;

impl Term {
    pub fn select(self, index: Term) -> Term {
        let mut array = self;
        loop {
            match array.op() {
                Op::Store => match same_place(array.args()[1], index) {
                    Some(true) => return array.args()[2],
                    Some(false) => array = array.args()[0],
                    None => break,
                },
                Op::ConstArray => return array.args()[0],
                _ => break,
            }
        }
        let element = array.sort().element().unwrap_or(Sort::Int);
        Term::make(Op::Select, [array, index], element)
    }

    pub fn store(self, index: Term, value: Term) -> Term {
        // Writing back what is there changes nothing.
        if *value.op() == Op::Select && value.args()[0] == self && value.args()[1] == index {
            return self;
        }
        if *self.op() == Op::Store && same_place(self.args()[1], index) == Some(true) {
            return self.args()[0].store(index, value);
        }
        Term::make(Op::Store, [self, index, value], self.sort())
    }

    /// The array that holds `value` everywhere.
    pub fn const_array(index: Sort, value: Term) -> Term {
        Term::make(Op::ConstArray, [value], Sort::array(index, value.sort()))
    }
}

/// Are two indices the same, or different, whatever the variables are?
fn same_place(a: Term, b: Term) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if !a.sort().is_number() {
        return None;
    }
    let mut difference = Linear::of(a);
    difference.add_term(&IBig::NEG_ONE, b);
    difference.is_constant().then(|| difference.constant == IBig::ZERO)
}

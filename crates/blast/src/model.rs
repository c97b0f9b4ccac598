//! From the values of inputs back to values of variables.

use crate::array::Source;
use crate::blaster::{Blaster, width_of};
use logic::{Sort, Term, Value};
use rustc_hash::FxHashMap;
use sat::{Aig, Lit};

/// Values of variables, and of functions at the arguments that mattered.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: FxHashMap<Term, Value>,
}

impl Model {
    /// Of a variable, or of an uninterpreted function applied to constants. What the formulas did not depend
    /// on is zero.
    pub fn get(&self, term: Term) -> Value {
        self.values.get(&term).cloned().unwrap_or_else(|| Value::zero(term.sort()))
    }

    /// What the formula means under this model; see [`logic::eval`] for when there is no answer.
    pub fn eval(&self, term: Term) -> Option<Value> {
        logic::eval(term, &|t| Some(self.get(t)))
    }

    /// Every value that is known, in the order of the terms.
    pub fn values(&self) -> Vec<(Term, &Value)> {
        let mut values: Vec<(Term, &Value)> =
            self.values.iter().map(|(term, value)| (*term, value)).collect();
        values.sort_by_key(|(term, _)| *term);
        values
    }
}

impl Blaster {
    /// The values of all variables when the inputs have these values (by label), under which the constraints
    /// hold.
    pub fn model(&self, aig: &Aig, mut input: impl FnMut(u32) -> bool) -> Model {
        let mut roots: Vec<Lit> = Vec::new();
        for (_, word) in self.inputs() {
            roots.extend(word);
        }
        for (place, word) in self.tables.iter().flat_map(|(_, table)| table.entries()) {
            roots.extend(place);
            roots.extend(word);
        }
        let values = aig.evaluate(&roots, |label| if input(label) { u64::MAX } else { 0 });
        let mut bits = values.into_iter().map(|value| value & 1 == 1);
        let mut model = Model::default();
        for (variable, _) in self.inputs() {
            model.values.insert(variable, take(&mut bits, variable.sort()));
        }
        for (source, table) in &self.tables {
            match source {
                Source::Variable(array) => {
                    let Sort::Array((index, element)) = array.sort() else { continue };
                    let entries: Vec<(Value, Value)> = table
                        .entries()
                        .map(|_| (take(&mut bits, *index), take(&mut bits, *element)))
                        .collect();
                    let value = Value::array(*index, Value::zero(*element), entries);
                    model.values.insert(*array, value);
                }
                Source::Function(name, sorts, result) => {
                    for _ in table.entries() {
                        let args: Vec<Term> = sorts.iter().map(|s| take(&mut bits, *s).to_term()).collect();
                        let value = take(&mut bits, *result);
                        model.values.insert(Term::apply(name, args, *result), value);
                    }
                }
                // No value that `eval` would use.
                Source::Unspecified(_, argument, result) => {
                    for _ in table.entries() {
                        take(&mut bits, *argument);
                        take(&mut bits, *result);
                    }
                }
            }
        }
        model
    }
}

/// The next bits as a value.
fn take(bits: &mut impl Iterator<Item = bool>, sort: Sort) -> Value {
    let width = width_of(sort).unwrap_or(0);
    let number = (0..width).fold(0u128, |number, i| number | u128::from(bits.next() == Some(true)) << i);
    match sort {
        Sort::Bv(width) => Value::bv(number, width),
        Sort::Float(..) => Value::float(number, sort),
        _ => Value::Bool(number == 1),
    }
}

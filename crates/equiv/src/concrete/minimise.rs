//! Making the input of a difference small: values towards zero, less memory, as long as the versions still
//! differ.

use super::input::{Byte, Input, Memory, Place, Value};
use super::runner::Comparer;
use super::search::Accept;
use super::{Compared, Difference, Post};
use base::Budget;
use ir::Type;

/// Tries to replace the input of a difference by smaller ones that `accept` holds of; `attempts` at most.
pub fn minimise(
    comparer: &mut Comparer,
    difference: Difference,
    accept: &Accept,
    post: Option<&Post>,
    attempts: u32,
    budget: &Budget,
) -> Difference {
    let mut shrink = Shrink { comparer, best: difference, accept, post, left: attempts, budget };
    loop {
        let before = cost(&shrink.best.input);
        shrink.arguments();
        shrink.memory();
        shrink.answers();
        if shrink.done() || cost(&shrink.best.input) >= before {
            return shrink.best;
        }
    }
}

struct Shrink<'s, 'p> {
    comparer: &'s mut Comparer<'p>,
    best: Difference,
    accept: &'s Accept<'s>,
    post: Option<&'s Post<'s>>,
    left: u32,
    budget: &'s Budget,
}

impl Shrink<'_, '_> {
    fn done(&self) -> bool {
        self.left == 0 || self.budget.check(0).is_err()
    }

    /// Is the changed input a smaller one with a difference?
    fn attempt(&mut self, change: impl FnOnce(&mut Input)) -> bool {
        if self.done() {
            return false;
        }
        let mut input = self.best.input.clone();
        change(&mut input);
        if cost(&input) >= cost(&self.best.input) || !(self.accept)(&mut input) {
            return false;
        }
        self.left -= 1;
        let Compared::Differs(found) = self.comparer.compare(&input, self.post, self.budget) else {
            return false;
        };
        let mut explicit = found.input.clone();
        let smaller = cost(&found.input) < cost(&self.best.input);
        if !smaller || !(self.accept)(&mut explicit) || explicit != found.input {
            return false;
        }
        self.best = *found;
        true
    }

    fn arguments(&mut self) {
        let Some(functions) = self.comparer.functions() else { return };
        let types = functions.map(|f| f.param_types().collect::<Vec<Type>>());
        let count = self.best.input.args[0].len().max(self.best.input.args[1].len());
        for i in 0..count {
            let [old, new] = &self.best.input.args;
            if old.get(i) == new.get(i) {
                self.argument(&types, &[0, 1], i);
            } else {
                self.argument(&types, &[0], i);
                self.argument(&types, &[1], i);
            }
        }
    }

    fn argument(&mut self, types: &[Vec<Type>; 2], sides: &[usize], i: usize) {
        let Some(&ty) = sides.first().and_then(|side| types[*side].get(i)) else { return };
        loop {
            let Some(value) = self.best.input.args[sides[0]].get(i).cloned() else { return };
            let improved = smaller(ty, &value).into_iter().any(|value| {
                self.attempt(|input| {
                    for side in sides {
                        if let Some(slot) = input.args[*side].get_mut(i) {
                            *slot = value.clone();
                        }
                    }
                })
            });
            if !improved {
                return;
            }
        }
    }

    /// Forgets stretches of memory, ever shorter ones.
    fn memory(&mut self) {
        for place in self.best.input.memory.places().cloned().collect::<Vec<Place>>() {
            let mut len = usize::MAX;
            while len > 0 {
                let known = nonzero(&self.best.input.memory, &place);
                len = len.min(known.len());
                for chunk in known.chunks(len.max(1)) {
                    self.attempt(|input| chunk.iter().for_each(|at| input.memory.remove(&place, *at)));
                }
                len /= 2;
            }
            for at in nonzero(&self.best.input.memory, &place) {
                if let Some(Byte::Number(byte)) = self.best.input.memory.byte(&place, at) {
                    let change = |to: u8| {
                        let place = place.clone();
                        move |input: &mut Input| input.memory.set_byte(&place, at, Byte::Number(to))
                    };
                    let _ = self.attempt(change(1)) || self.attempt(change(byte / 2));
                }
            }
        }
    }

    /// What functions without a body and input functions return.
    fn answers(&mut self) {
        for key in self.best.input.returns.keys().cloned().collect::<Vec<_>>() {
            for value in [0, 1] {
                let key = key.clone();
                self.attempt(|input| {
                    input.returns.insert(key, Value::Bits(value));
                });
            }
        }
        for key in self.best.input.inputs.keys().cloned().collect::<Vec<_>>() {
            for value in [0, 1] {
                let key = key.clone();
                self.attempt(|input| {
                    input.inputs.insert(key, Value::Bits(value));
                });
            }
        }
    }
}

fn nonzero(memory: &Memory, place: &Place) -> Vec<u64> {
    memory.bytes(place).into_iter().filter(|(_, b)| *b != Byte::Number(0)).map(|(at, _)| at).collect()
}

/// Values to try instead of this one, smallest first.
fn smaller(ty: Type, value: &Value) -> Vec<Value> {
    match (value, ty) {
        (Value::Pointer(p), _) => {
            vec![Value::NULL, Value::Pointer(super::Pointer { offset: 0, ..p.clone() })]
        }
        (Value::Bits(bits), Type::Int(int)) => {
            let v = int.value(*bits);
            let towards = if v < 0 { v.wrapping_add(1) } else { v.wrapping_sub(1) };
            [0, 1, v.wrapping_neg(), v / 16, v / 2, v - v / 4, towards]
                .map(|v| Value::Bits(int.wrap(v)))
                .to_vec()
        }
        (Value::Bits(_), Type::Float(f)) => {
            let of = |x: f64| interp::float::convert(ir::FloatType::F64, f, u128::from(x.to_bits()));
            [0.0, 1.0, -1.0, 2.0, 0.5].map(|x| Value::Bits(of(x))).to_vec()
        }
        _ => vec![Value::NULL],
    }
}

/// How large an input is.
fn cost(input: &Input) -> u64 {
    // Negative numbers of any width count by their magnitude, and a little for the sign.
    let number = |bits: u128| {
        let widths = [32, 64, 8, 16, 128];
        let size = |width: u32| {
            let shift = 128 - width;
            if bits << shift >> shift != bits {
                return u64::MAX;
            }
            let signed = (bits << shift) as i128 >> shift;
            match signed.unsigned_abs() {
                few @ 0..64 => few as u64 + u64::from(signed < 0),
                many => 64 + u64::from(many.ilog2()) * 8,
            }
        };
        widths.into_iter().map(size).min().unwrap_or(0)
    };
    let value = |value: &Value| match value {
        Value::Bits(bits) => number(*bits),
        Value::Pointer(pointer) => 8 + number(pointer.offset.unsigned_abs().into()),
    };
    let memory: u64 = input
        .memory
        .places()
        .flat_map(|place| input.memory.bytes(place))
        .map(|(_, byte)| match byte {
            Byte::Number(byte) => number(byte.into()) + u64::from(byte != 0) * 4,
            Byte::Part(..) => 4,
        })
        .sum();
    let args: u64 = input.args.iter().flatten().map(value).sum();
    args + memory + input.returns.values().chain(input.inputs.values()).map(value).sum::<u64>()
}

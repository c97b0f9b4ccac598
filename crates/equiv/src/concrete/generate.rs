//! Inputs to try, numbered: first all combinations of small numbers, then everything else at random.

use super::choose::{Constants, Random, value};
use super::input::{Input, Rest, Value};
use ir::{FloatType, Function, Type};
use std::sync::Arc;

/// Small numbers in the order in which they are tried.
const SMALL: [i128; 15] = [0, 1, 2, -1, 3, 4, 5, 6, 7, -2, 8, 9, 10, 11, 12];
/// How many of them to combine, by the number of parameters that are numbers.
const COMBINED: [usize; 6] = [0, 15, 15, 7, 4, 3];

pub struct Generator {
    types: [Vec<Type>; 2],
    constants: Arc<Constants>,
    objects: Vec<u64>,
    independent: bool,
}

impl Generator {
    pub fn new(
        functions: [&Function; 2],
        constants: Arc<Constants>,
        size: u64,
        independent: bool,
    ) -> Generator {
        let types = functions.map(|f| f.param_types().collect::<Vec<Type>>());
        let pointers = types.iter().map(|list| list.iter().filter(|ty| **ty == Type::Ptr).count()).max();
        let objects = vec![size; (pointers.unwrap_or(0) + 4).clamp(8, 64)];
        Generator { types, constants, objects, independent }
    }

    /// How many inputs combine small numbers.
    pub fn small(&self) -> u64 {
        let slots = self.slots();
        let numbers = slots.iter().filter(|(ty, _)| *ty != Type::Ptr).count();
        COMBINED.get(numbers).map_or(0, |n| (*n as u64).pow(numbers as u32))
    }

    pub fn input(&self, n: u64) -> Input {
        let mut random = Random::for_question(n, &[9]);
        let small = self.small();
        let slots = self.slots();
        let numbers = slots.iter().filter(|(ty, _)| *ty != Type::Ptr).count();
        let radix = COMBINED.get(numbers).copied().unwrap_or(0) as u64;
        let mut rest = n;
        let mut given: Vec<Value> = Vec::new();
        for &(ty, pointer) in &slots {
            let chosen = if ty == Type::Ptr {
                self.pointer(&mut random, pointer, n < small)
            } else if n < small {
                let digit = (rest % radix) as usize;
                rest /= radix;
                number(ty, SMALL[digit])
            } else {
                value(&self.constants, n, &mut random, ty, self.objects.len())
            };
            given.push(chosen);
        }
        let (old, new) = self.distribute(given);
        Input { args: [old, new], rest: Rest::Seed(n), ..Input::new(Vec::new(), self.objects.clone()) }
    }

    /// The values to choose: a type, and for pointers which one it is. Parameters pair up by position.
    fn slots(&self) -> Vec<(Type, usize)> {
        let [old, new] = &self.types;
        let extra = if self.independent { &new[..] } else { new.get(old.len()..).unwrap_or(&[]) };
        let mut pointers = 0;
        let slot = |ty: &Type| {
            pointers += usize::from(*ty == Type::Ptr);
            (*ty, pointers.max(1) - 1)
        };
        old.iter().chain(extra).map(slot).collect()
    }

    fn distribute(&self, given: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
        let [old, new] = &self.types;
        let (first, extra) = given.split_at(old.len());
        if self.independent {
            return (first.to_vec(), extra.to_vec());
        }
        let paired = first.iter().zip(old.iter().zip(new)).map(|(value, (t, u))| convert(value, *t, *u));
        (first.to_vec(), paired.chain(extra.iter().cloned()).collect())
    }

    /// Mostly each pointer has an object to itself.
    fn pointer(&self, random: &mut Random, number: usize, simple: bool) -> Value {
        let own = number.min(self.objects.len().max(1) - 1);
        if self.objects.is_empty() {
            return Value::NULL;
        }
        match if simple { 0 } else { random.below(20) } {
            0..=14 => Value::object(own, 0),
            15 => Value::object(own, [4, 8, 16][random.below(3)]),
            16 => Value::object(random.below(own + 1), 0),
            17 => Value::object(random.below(own + 1), [4, 8, 1, 2][random.below(4)]),
            18 => Value::NULL,
            _ => value(&self.constants, 0, random, Type::Ptr, self.objects.len()),
        }
    }
}

fn number(ty: Type, n: i128) -> Value {
    Value::Bits(match ty {
        Type::Int(int) => int.wrap(n),
        Type::Float(f) => interp::float::convert(FloatType::F64, f, u128::from((n as f64).to_bits())),
        _ => n as u128 & 1,
    })
}

/// The same value as another type.
fn convert(value: &Value, from: Type, to: Type) -> Value {
    match (value, from, to) {
        (Value::Bits(bits), Type::Int(f), Type::Int(t)) => Value::Bits(t.wrap(f.value(*bits))),
        (Value::Bits(bits), Type::Float(f), Type::Float(t)) if f != t => {
            Value::Bits(interp::float::convert(f, t, *bits))
        }
        _ => value.clone(),
    }
}

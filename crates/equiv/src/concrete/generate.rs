//! Inputs to try, numbered: first all combinations of small numbers, then of borders and of the constants
//! that occur in the code, then everything at random.

use super::choose::{Constants, Random, text, value};
use super::input::{Input, Rest, Value};
use super::machine::{MOST_ARGUMENTS, start_main};
use super::padding::pointee_align;
use ir::{FloatType, Function, Target, Type};
use std::sync::Arc;

/// Small numbers in the order in which they are tried.
const SMALL: [i128; 15] = [0, 1, 2, -1, 3, 4, 5, 6, 7, -2, 8, 9, 10, 11, 12];
/// How many of them to combine, by the number of parameters that are numbers.
const SMALL_COMBINED: [usize; 6] = [0, 15, 15, 7, 4, 3];
/// The same for borders of types, and for constants.
const BORDERS_COMBINED: [usize; 4] = [0, 20, 9, 4];
const CONSTANTS_COMBINED: [usize; 4] = [0, 60, 11, 5];

pub struct Generator {
    types: [Vec<Type>; 2],
    /// The alignment of what pointer parameters point to, as far as the type says.
    aligns: [Vec<i64>; 2],
    constants: Arc<Constants>,
    /// Constants and their neighbours.
    near: Vec<i128>,
    objects: Vec<u64>,
    independent: bool,
    /// The function is a `main` with arguments: the size of a pointer.
    main: Option<u64>,
}

/// What a stage of the enumeration combines.
struct Stage {
    /// The values for one parameter.
    radix: usize,
    value: fn(&Generator, Type, usize) -> Value,
}

impl Generator {
    pub fn new(
        functions: [&Function; 2],
        target: &Target,
        constants: Arc<Constants>,
        size: u64,
        independent: bool,
    ) -> Generator {
        let main = functions.iter().any(|f| {
            let mut types = f.param_types();
            &*f.name == "main" && types.next().is_some_and(Type::is_int) && types.next() == Some(Type::Ptr)
        });
        let main = main.then(|| u64::from(target.pointer_bits / 8));
        let types = functions.map(|f| f.param_types().collect::<Vec<Type>>());
        let aligns = functions.map(|f| {
            f.locals.iter().take(f.params as usize).map(|l| pointee_align(&l.c_type)).collect::<Vec<i64>>()
        });
        let pointers = types.iter().map(|list| list.iter().filter(|ty| **ty == Type::Ptr).count()).max();
        let objects = vec![size; (pointers.unwrap_or(0) + 4).clamp(8, 64)];
        let mut near: Vec<i128> = Vec::new();
        for c in constants.ints.iter().flat_map(|c| [*c, c.wrapping_sub(1), c.wrapping_add(1)]) {
            if !near.contains(&c) && near.len() < 200 {
                near.push(c);
            }
        }
        Generator { types, aligns, constants, near, objects, independent, main }
    }

    pub fn input(&self, n: u64) -> Input {
        let mut random = Random::for_question(n, &[9]);
        let slots = self.slots();
        let numbers = slots.iter().filter(|slot| slot.ty != Type::Ptr).count();
        let mut digits = n;
        let stage = self.stages(numbers).into_iter().find(|stage| {
            let count = if numbers == 0 { 0 } else { (stage.radix as u64).saturating_pow(numbers as u32) };
            let here = digits < count;
            digits -= if here { 0 } else { count };
            here
        });
        let mut given: Vec<Value> = Vec::new();
        for slot in &slots {
            let chosen = if slot.ty == Type::Ptr {
                self.pointer(&mut random, slot, stage.is_some() && n % 4 != 3)
            } else if let Some(Stage { radix, value }) = stage {
                let digit = (digits % radix as u64) as usize;
                digits /= radix as u64;
                value(self, slot.ty, digit)
            } else {
                value(&self.constants, n, &mut random, slot.ty, self.objects.len())
            };
            given.push(chosen);
        }
        let (old, new) = self.distribute(given);
        let mut input =
            Input { args: [old, new], rest: Rest::Seed(n), ..Input::new(Vec::new(), self.objects.clone()) };
        if let Some(word) = self.main {
            // Few arguments, or as many as the code may be waiting for.
            let wanted = input.args[0].first().and_then(Value::bits).map(|bits| bits as u64);
            let wanted = wanted.filter(|count| (1..=MOST_ARGUMENTS).contains(count) && n % 2 == 1);
            let count = wanted.unwrap_or([2, 1, 3, 2, 4, 3, 5, 0][random.below(8)]);
            let strings: Vec<Vec<u8>> =
                (0..count.min(8)).map(|_| text(&self.constants, &mut random)).collect();
            start_main(&mut input, count, &strings, word);
        }
        input
    }

    fn stages(&self, numbers: usize) -> [Stage; 3] {
        let of = |table: &[usize]| table.get(numbers).copied().unwrap_or(0);
        [
            Stage { radix: of(&SMALL_COMBINED), value: |_, ty, n| number(ty, SMALL[n]) },
            Stage { radix: of(&BORDERS_COMBINED), value: |_, ty, n| border(ty, n) },
            Stage {
                radix: of(&CONSTANTS_COMBINED).min(self.near.len()),
                value: |g, ty, n| number(ty, g.near.get(n).copied().unwrap_or(0)),
            },
        ]
    }

    /// The values to choose. Parameters pair up by position.
    fn slots(&self) -> Vec<Slot> {
        let [old, new] = &self.types;
        let all = |side: usize| self.types[side].iter().zip(&self.aligns[side]);
        let extra = if self.independent { 0 } else { old.len().min(new.len()) };
        let mut pointers = 0;
        let slot = |(ty, align): (&Type, &i64)| {
            pointers += usize::from(*ty == Type::Ptr);
            Slot { ty: *ty, align: *align, pointer: pointers.max(1) - 1 }
        };
        all(0).chain(all(1).skip(extra)).map(slot).collect()
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
    fn pointer(&self, random: &mut Random, slot: &Slot, simple: bool) -> Value {
        let own = slot.pointer.min(self.objects.len().max(1) - 1);
        if self.objects.is_empty() {
            return Value::NULL;
        }
        let offset = |random: &mut Random| slot.align * [1, 2, 3, 4][random.below(4)];
        match if simple { 0 } else { random.below(20) } {
            0..=13 => Value::object(own, 0),
            14 => Value::object(own, offset(random)),
            15 | 16 => Value::object(random.below(own + 1), 0),
            17 => Value::object(random.below(own + 1), offset(random)),
            18 => Value::NULL,
            _ => value(&self.constants, 0, random, Type::Ptr, self.objects.len()),
        }
    }
}

/// A value to choose: its type, the alignment it needs if it is a pointer, and which of the pointers it is.
struct Slot {
    ty: Type,
    align: i64,
    pointer: usize,
}

fn border(ty: Type, n: usize) -> Value {
    const FLOATS: [f64; 20] = [
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        -1.0,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::MIN,
        0.5,
        -0.5,
        1.5,
        0.1,
        1e10,
        2_147_483_648.0,
        16_777_217.0,
        f64::EPSILON,
        -2_147_483_649.0,
        1e-310,
        1e300,
    ];
    match ty {
        Type::Int(int) => {
            let (least, most) = (int.min_bits() as i128, int.max_bits() as i128);
            let list = [
                least,
                most,
                0,
                -1,
                1,
                least.wrapping_add(1),
                most.wrapping_sub(1),
                46_341,
                65_536,
                most / 2,
                most / 2 + 1,
                46_340,
                65_535,
                65_537,
                100_000,
                1_000_000,
                255,
                256,
                127,
                1000,
            ];
            number(ty, list[n % list.len()])
        }
        Type::Float(f) => {
            let bits = FLOATS[n % FLOATS.len()].to_bits();
            Value::Bits(interp::float::convert(FloatType::F64, f, u128::from(bits)))
        }
        _ => number(ty, n as i128),
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

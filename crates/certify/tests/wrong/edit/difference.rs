//! Inputs of two versions: other arguments, objects, bytes, answers.

use crate::versions::Versions;
use certify::format::{Bytes, Content, Difference, Value};
use ir::{Body, Type};
use testing::Random;

pub fn edit(difference: &mut Difference, versions: &Versions, random: &mut Random) {
    let types: Vec<Type> = versions.programs[0].function(versions.functions[0]).param_types().collect();
    match random.below(10) {
        0..=3 => {
            let args: Vec<Value> = types.iter().map(|ty| value(*ty, versions, random)).collect();
            difference.args = [args.clone(), args];
        }
        4 => {
            let side = random.below(2);
            let list = &mut difference.args[side];
            let at = random.below(list.len());
            if let Some(arg) = list.get_mut(at) {
                *arg = any(versions, random);
            }
        }
        5 => match random.below(3) {
            0 => drop(difference.objects.pop()),
            1 => difference.objects.push(random.pick(&[0, 1, 4, 12, 1 << 20, 1 << 40, u64::MAX])),
            _ => difference.objects = vec![random.pick(&[4, 8, 16, 33]); 1 + random.below(4)],
        },
        6 | 7 => {
            let global = pick(&versions.programs[0].globals, random).map(|g| g.name.to_string());
            let object = random.below(4);
            let (object, global) = match random.below(8) {
                0..=3 => (Some(object), None),
                4..=6 => (None, global),
                _ => (Some(object), global),
            };
            let content = match random.below(3) {
                0 => Content::Pointer(any(versions, random)),
                _ => {
                    Content::Bytes((0..random.below(9)).map(|_| random.pick(&[0, 1, 2, 255, 128])).collect())
                }
            };
            let offset = random.pick(&[0, 0, 0, 8, 4, 1, 1000, u64::MAX]);
            difference.memory.push(Bytes { object, global, offset, content });
        }
        8 => {
            let name = random.pick(&["__VERIFIER_nondet_int", "__VERIFIER_nondet_bool", "", "in"]).to_owned();
            difference.inputs.push((name, random.below(4) as u32, any(versions, random)));
        }
        _ => {
            let functions = versions.programs[0].functions.iter();
            let outside: Vec<_> = functions.filter(|f| matches!(f.body, Body::Extern)).collect();
            let name = pick(&outside, random).map_or_else(String::new, |f| f.name.to_string());
            let args = (0..random.below(2)).map(|_| any(versions, random)).collect();
            difference.returns.push((name, args, random.below(3) as u32, any(versions, random)));
        }
    }
}

fn pick<'a, T>(list: &'a [T], random: &mut Random) -> Option<&'a T> {
    list.get(random.below(list.len()))
}

fn value(ty: Type, versions: &Versions, random: &mut Random) -> Value {
    match ty {
        Type::Ptr if !random.rarely(8) => pointer(versions, random),
        _ => bits(random),
    }
}

fn any(versions: &Versions, random: &mut Random) -> Value {
    if random.rarely(2) { pointer(versions, random) } else { bits(random) }
}

/// Of more bits than a type may have, too.
fn bits(random: &mut Random) -> Value {
    let small = random.below(8).to_string();
    let list = ["2", "255", "256", "4294967295", "4294967297", "18446744073709551615", "-1", "x", "", &small];
    let wide = u128::MAX.to_string();
    let text = match random.below(12) {
        0 => &wide,
        n => list.get(n).copied().unwrap_or(&small),
    };
    Value::Bits(text.to_owned())
}

fn pointer(versions: &Versions, random: &mut Random) -> Value {
    let offset = random.pick(&[0, 0, 0, 1, 2, 3, 4, 8, 12, 16, -1, 64, 1 << 20, i64::MAX, i64::MIN]);
    match random.below(12) {
        0 => Value::Bits("0".to_owned()),
        1 => Value::Nothing,
        2 => Value::Function("f".to_owned()),
        3 | 4 => match pick(&versions.programs[0].globals, random) {
            Some(global) => Value::Global(global.name.to_string(), offset),
            None => Value::Nothing,
        },
        _ => Value::Object(random.below(3), offset),
    }
}

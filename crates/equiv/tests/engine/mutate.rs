//! Random changes of random functions: some keep what a function does, some do not, and nobody knows which
//! beforehand.

use crate::random_c::{Dice, Function, OPERATORS, Step, Unit, Value, Written};

pub fn mutate(unit: &Unit, dice: &mut Dice) -> Unit {
    let mut new = unit.clone();
    for _ in 0..1 + dice.below(3) {
        let f = dice.below(new.functions.len());
        let function = &mut new.functions[f];
        match dice.below(7) {
            0 | 1 => change_value(function, dice),
            2..=4 => change_steps(function, dice),
            5 => extract(&mut new, f, dice),
            _ => new.letter = 'w',
        }
    }
    new
}

fn values_of(step: &mut Step) -> Vec<&mut Value> {
    match step {
        Step::Set(_, v) | Step::SetGlobal(_, v) | Step::Report(v) | Step::Return(v) => vec![v],
        Step::SetCell(_, a, v) => vec![a, v],
        Step::If(c, _, _) => vec![c],
        // The bound of a loop keeps its shape, so that loops end.
        Step::Loop(..) | Step::Break => Vec::new(),
    }
}

fn each_value(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    change(value);
    match value {
        Value::Cell(_, a) | Value::Cast(_, a) => each_value(a, change),
        Value::Binary(_, a, b) => {
            each_value(a, change);
            each_value(b, change);
        }
        Value::Call(_, args) => args.iter_mut().for_each(|a| each_value(a, change)),
        _ => {}
    }
}

fn each_step(steps: &mut [Step], change: &mut dyn FnMut(&mut Step)) {
    for step in steps {
        change(step);
        match step {
            Step::If(_, a, b) => {
                each_step(a, change);
                each_step(b, change);
            }
            Step::Loop(_, _, _, body, _) => each_step(body, change),
            _ => {}
        }
    }
}

fn change_value(function: &mut Function, dice: &mut Dice) {
    let mut count = 0;
    each_step(&mut function.body, &mut |s| {
        values_of(s).into_iter().for_each(|v| each_value(v, &mut |_| count += 1));
    });
    let chosen = dice.below(count);
    let mut index = 0;
    each_step(&mut function.body, &mut |s| {
        for v in values_of(s) {
            each_value(v, &mut |v| {
                if index == chosen {
                    *v = changed(v, dice);
                }
                index += 1;
            });
        }
    });
}

fn changed(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::Number(n) => Value::Number(dice.of(&[n + 1, n - 1, n + 1, 2 * n, 0])),
        Value::Binary(op @ ("+" | "*" | "&" | "|" | "^" | "==" | "!="), a, b) if dice.one_in(2) => {
            Value::Binary(op, b.clone(), a.clone())
        }
        Value::Binary("-", a, b) if dice.one_in(2) => {
            let negated = Value::binary("-", Value::Number(0), (**b).clone());
            Value::binary("+", (**a).clone(), negated)
        }
        Value::Binary("<", a, b) if dice.one_in(2) => {
            let less = Value::binary("<", (**b).clone(), (**a).clone());
            Value::binary("==", less, Value::binary("==", (**a).clone(), (**b).clone()))
        }
        Value::Binary("<", a, b) if dice.one_in(2) => Value::Binary(">", b.clone(), a.clone()),
        Value::Binary("*", a, b) if **b == Value::Number(2) => Value::Binary("+", a.clone(), a.clone()),
        // The right operand of a shift, and what keeps arguments small, stay as they are.
        Value::Binary("<<" | ">>" | "&", _, _) => value.clone(),
        Value::Binary(_, a, b) if dice.one_in(3) => {
            let plain = &OPERATORS[..OPERATORS.len() - 2];
            Value::Binary(dice.of(plain), a.clone(), b.clone())
        }
        Value::Binary(op, a, b) => Value::Binary(op, b.clone(), a.clone()),
        Value::Cell(p, at) => Value::Cell(1 - p, at.clone()),
        Value::Global(g) => Value::Global(1 - g),
        other => match dice.below(4) {
            0 => Value::binary("+", other.clone(), Value::Number(0)),
            1 => Value::binary("+", other.clone(), Value::Number(1)),
            2 => Value::Cast("int", Box::new(other.clone())),
            _ => Value::Cast("unsigned char", Box::new(other.clone())),
        },
    }
}

/// One of the lists of steps in a function, by number.
fn nth_list<'s>(steps: &'s mut Vec<Step>, n: &mut usize) -> Option<&'s mut Vec<Step>> {
    if *n == 0 {
        return Some(steps);
    }
    *n -= 1;
    for step in steps {
        match step {
            Step::If(_, a, b) => {
                if let Some(found) = nth_list(a, n) {
                    return Some(found);
                }
                if let Some(found) = nth_list(b, n) {
                    return Some(found);
                }
            }
            Step::Loop(_, _, _, body, _) => {
                if let Some(found) = nth_list(body, n) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

fn breaks(steps: &[Step]) -> bool {
    steps.iter().any(|s| match s {
        Step::Break => true,
        Step::If(_, a, b) => breaks(a) || breaks(b),
        _ => false,
    })
}

fn change_steps(function: &mut Function, dice: &mut Dice) {
    let mut lists = 1;
    each_step(&mut function.body, &mut |s| {
        lists += match s {
            Step::If(..) => 2,
            Step::Loop(..) => 1,
            _ => 0,
        }
    });
    let mut n = dice.below(lists);
    let Some(list) = nth_list(&mut function.body, &mut n) else { return };
    if list.is_empty() {
        return;
    }
    let at = dice.below(list.len());
    match list[at].clone() {
        Step::If(c, a, b) if dice.one_in(2) => {
            list[at] = Step::If(Value::binary("==", c, Value::Number(0)), b, a);
        }
        Step::Loop(v, from, bound, body, _) => match dice.below(6) {
            0 => list[at] = Step::Loop(v, from, bound, body, Written::While),
            1 => list[at] = Step::Loop(v, from, bound, body, Written::DoWhile),
            2 => list[at] = Step::Loop(v, from, bound, body, Written::Goto),
            3 => list[at] = Step::Loop(v, 1 - from, bound, body, Written::For),
            4 if !breaks(&body) => {
                // Two iterations at once.
                let next = Step::Set(v, Value::binary("+", Value::Variable(v), Value::Number(1)));
                let test = Value::binary("<", Value::Variable(v), bound.clone());
                let back = Step::Set(v, Value::binary("-", Value::Variable(v), Value::Number(1)));
                let mut twice = body.clone();
                twice.push(next);
                // The loop's own step comes last, whether the second half ran or not.
                twice.push(Step::If(test, body, vec![back]));
                list[at] = Step::Loop(v, from, bound, twice, Written::While);
            }
            _ => {
                let Step::Loop(_, _, bound, _, _) = &mut list[at] else { return };
                *bound = Value::binary("+", bound.clone(), Value::Number(1));
            }
        },
        Step::Return(_) => {}
        _ if dice.one_in(3) => {
            list.remove(at);
        }
        _ if at + 1 < list.len() && !matches!(list[at + 1], Step::Return(_)) => list.swap(at, at + 1),
        step if dice.one_in(2) => list.insert(at, step),
        _ => {}
    }
}

/// A value becomes a call of a new function of the variables.
fn extract(unit: &mut Unit, f: usize, dice: &mut Dice) {
    if unit.functions.iter().any(|f| f.name == "x") {
        return;
    }
    let mut function = unit.functions[f].clone();
    let types = function.types.clone();
    let mut candidates = 0;
    each_step(&mut function.body, &mut |s| candidates += values_of(s).len());
    let (chosen, mut index, mut taken) = (dice.below(candidates), 0, None);
    each_step(&mut function.body, &mut |s| {
        for v in values_of(s) {
            if index == chosen {
                let args = (0..types.len()).map(Value::Variable).collect();
                taken = Some(std::mem::replace(v, Value::Call("x".to_owned(), args)));
            }
            index += 1;
        }
    });
    let Some(mut value) = taken else { return };
    // What calls the function itself would have to be declared before.
    let mut recursive = false;
    each_value(&mut value, &mut |v| recursive |= matches!(v, Value::Call(name, _) if *name == function.name));
    if !recursive {
        let params = types.len();
        unit.functions[f] = function;
        let body = vec![Step::Return(value)];
        unit.functions.insert(f, Function { name: "x".to_owned(), types, params, body });
    }
}

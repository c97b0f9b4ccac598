//! Random small C functions: integers of several types, loops with small bounds, an array behind a pointer,
//! globals, helper functions, recursion with a decreasing argument, a function without a body. Everything
//! they do is defined, except that divisions can trap.

use std::fmt::Write;

/// Numbers that look random (xorshift), the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % n.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Number(i64),
    Variable(usize),
    Global(usize),
    /// `p[(index) & 7]` of the array behind one of the pointers.
    Cell(usize, Box<Value>),
    Binary(&'static str, Box<Value>, Box<Value>),
    Cast(&'static str, Box<Value>),
    Call(String, Vec<Value>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Set(usize, Value),
    SetGlobal(usize, Value),
    SetCell(usize, Value, Value),
    If(Value, Vec<Step>, Vec<Step>),
    /// The counter, where it starts, the bound, the body, how it is written.
    Loop(usize, i64, Value, Vec<Step>, Written),
    Break,
    Report(Value),
    Return(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    For,
    While,
    DoWhile,
    Goto,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: String,
    /// Types of all variables, parameters first.
    pub types: Vec<&'static str>,
    pub params: usize,
    pub body: Vec<Step>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    pub functions: Vec<Function>,
    /// Variables are called so.
    pub letter: char,
}

const TYPES: [&str; 8] = ["int", "int", "int", "int", "unsigned", "unsigned char", "signed char", "short"];
pub const OPERATORS: [&str; 18] =
    ["+", "-", "+", "-", "*", "&", "|", "^", "/", "%", "<", "<=", ">", ">=", "==", "!=", "<<", ">>"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

impl Value {
    pub fn binary(op: &'static str, a: Value, b: Value) -> Value {
        Value::Binary(op, Box::new(a), Box::new(b))
    }
}

struct Maker<'d> {
    dice: &'d mut Dice,
    /// Variables in use, counters of loops around first hidden from assignments.
    variables: usize,
    counters: Vec<usize>,
    callable: Vec<(String, usize)>,
    types: Vec<&'static str>,
    in_loop: bool,
}

pub fn unit(dice: &mut Dice) -> Unit {
    let mut functions: Vec<Function> = Vec::new();
    for name in ["h", "k"] {
        if dice.one_in(2) {
            let callable = functions.iter().map(|f| (f.name.clone(), f.params)).collect();
            functions.push(function(dice, name, callable));
        }
    }
    let callable = functions.iter().map(|f| (f.name.clone(), f.params)).collect();
    functions.push(function(dice, "f", callable));
    Unit { functions, letter: 'v' }
}

fn function(dice: &mut Dice, name: &str, callable: Vec<(String, usize)>) -> Function {
    let params = 1 + dice.below(3);
    let locals = 1 + dice.below(3);
    let mut types: Vec<&'static str> = (0..params + locals).map(|_| dice.of(&TYPES)).collect();
    let recursive = name != "f" && dice.one_in(3);
    if recursive {
        types[0] = "int";
    }
    let mut maker =
        Maker { dice, variables: params + locals, counters: Vec::new(), callable, types, in_loop: false };
    let mut body: Vec<Step> = Vec::new();
    if recursive {
        let end = Step::Return(maker.value(1));
        body.push(Step::If(Value::binary("<=", Value::Variable(0), Value::Number(0)), vec![end], vec![]));
    }
    for local in params..params + locals {
        body.push(Step::Set(local, maker.value(1)));
    }
    if recursive {
        maker.counters.push(0);
    }
    body.extend(maker.steps(2));
    let mut last = maker.value(2);
    if recursive {
        let mut args = vec![Value::binary("-", Value::Variable(0), Value::Number(1))];
        args.extend((1..params).map(|_| maker.value(1)));
        last = Value::binary("+", Value::Call(name.to_owned(), args), maker.value(1));
    }
    body.push(Step::Return(last));
    Function { name: name.to_owned(), types: maker.types, params, body }
}

impl Maker<'_> {
    fn steps(&mut self, depth: usize) -> Vec<Step> {
        let count = 1 + self.dice.below(3);
        (0..count).map(|_| self.step(depth)).collect()
    }

    fn target(&mut self) -> Option<usize> {
        let free: Vec<usize> = (0..self.variables).filter(|v| !self.counters.contains(v)).collect();
        (!free.is_empty()).then(|| self.dice.of(&free))
    }

    fn step(&mut self, depth: usize) -> Step {
        match self.dice.below(if depth == 0 { 5 } else { 9 }) {
            0 => Step::SetGlobal(self.dice.below(2), self.value(2)),
            1 => Step::SetCell(self.dice.below(2), self.value(1), self.value(2)),
            2 if self.in_loop && self.dice.one_in(2) => {
                Step::If(self.condition(), vec![Step::Break], Vec::new())
            }
            3 if self.dice.one_in(3) => Step::Report(self.value(1)),
            5 | 6 => {
                let condition = self.condition();
                let then = self.steps(depth - 1);
                let otherwise = if self.dice.one_in(2) { self.steps(depth - 1) } else { Vec::new() };
                Step::If(condition, then, otherwise)
            }
            7 | 8 => self.repeat(depth),
            _ => match self.target() {
                Some(target) => Step::Set(target, self.value(2)),
                None => Step::SetGlobal(0, self.value(2)),
            },
        }
    }

    fn repeat(&mut self, depth: usize) -> Step {
        let counter = self.variables;
        self.variables += 1;
        self.types.push("int");
        let bound = match self.dice.below(4) {
            0 => Value::Number(self.dice.below(6) as i64),
            1 => Value::binary("&", self.value(1), Value::Number(7)),
            _ => Value::Variable(self.dice.below(counter.min(3))),
        };
        self.counters.push(counter);
        if let Value::Variable(v) = bound {
            self.counters.push(v);
        }
        let outer = std::mem::replace(&mut self.in_loop, true);
        let body = self.steps(depth - 1);
        self.in_loop = outer;
        if let Value::Variable(_) = bound {
            self.counters.pop();
        }
        // A counter stays what it is after its loop.
        Step::Loop(counter, self.dice.below(2) as i64, bound, body, Written::For)
    }

    fn condition(&mut self) -> Value {
        let op = self.dice.of(&COMPARISONS);
        Value::binary(op, self.value(1), self.value(1))
    }

    fn value(&mut self, depth: usize) -> Value {
        if depth == 0 || self.dice.one_in(4) {
            return match self.dice.below(6) {
                0 => Value::Number(self.dice.of(&[0, 1, 2, 3, 5, 7, 10, 100, 255, -1])),
                1 => Value::Global(self.dice.below(2)),
                _ => Value::Variable(self.dice.below(self.known())),
            };
        }
        match self.dice.below(12) {
            0 | 1 => Value::Cell(self.dice.below(2), Box::new(self.value(depth - 1))),
            2 => Value::Cast(self.dice.of(&TYPES), Box::new(self.value(depth - 1))),
            3 | 4 if !self.callable.is_empty() => {
                let (name, params) = self.callable[self.dice.below(self.callable.len())].clone();
                // Small first arguments: they may be how often a function calls itself.
                let first = Value::binary("&", self.value(0), Value::Number(15));
                let rest: Vec<Value> = (1..params).map(|_| self.value(0)).collect();
                Value::Call(name, std::iter::once(first).chain(rest).collect())
            }
            _ => {
                let op = self.dice.of(&OPERATORS);
                let (a, b) = (self.value(depth - 1), self.value(depth - 1));
                match op {
                    "<<" | ">>" => Value::binary(op, a, Value::binary("&", b, Value::Number(7))),
                    _ => Value::binary(op, a, b),
                }
            }
        }
    }

    fn known(&self) -> usize {
        self.variables
    }
}

const HEAD: &str = "int report(int);\nint g0;\nint g1;\n";

/// As C. Functions take the two pointers, too.
pub fn text(unit: &Unit) -> String {
    let mut out = HEAD.to_owned();
    for f in &unit.functions {
        let letter = unit.letter;
        let params: Vec<String> = (0..f.params).map(|i| format!("{} {letter}{i}", f.types[i])).collect();
        let linkage = if f.name == "f" { "" } else { "static " };
        let _ = writeln!(out, "{linkage}int {}({}, int *p0, int *p1) {{", f.name, params.join(", "));
        for i in f.params..f.types.len() {
            let _ = writeln!(out, "  {} {letter}{i} = 0;", f.types[i]);
        }
        let mut writer = Writer { out: &mut out, letter, labels: 0 };
        writer.steps(&f.body, 1);
        out.push_str("}\n");
    }
    out
}

struct Writer<'o> {
    out: &'o mut String,
    letter: char,
    labels: usize,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 2);
    }

    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            self.step(step, depth);
        }
    }

    fn step(&mut self, step: &Step, depth: usize) {
        let letter = self.letter;
        match step {
            Step::Set(v, value) => self.line(depth, &format!("{letter}{v} = {};", self.value(value))),
            Step::SetGlobal(g, value) => self.line(depth, &format!("g{g} = {};", self.value(value))),
            Step::SetCell(p, at, value) => {
                self.line(depth, &format!("p{p}[({}) & 7] = {};", self.value(at), self.value(value)));
            }
            Step::If(condition, then, otherwise) => {
                self.line(depth, &format!("if ({}) {{", self.value(condition)));
                self.steps(then, depth + 1);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.steps(otherwise, depth + 1);
                }
                self.line(depth, "}");
            }
            Step::Loop(v, from, bound, body, written) => {
                let test = format!("{letter}{v} < {}", self.value(bound));
                let (start, next) = (format!("{letter}{v} = {from};"), format!("{letter}{v}++;"));
                match written {
                    Written::For => {
                        self.line(depth, &format!("for ({start} {test}; {letter}{v}++) {{"));
                        self.steps(body, depth + 1);
                        self.line(depth, "}");
                    }
                    Written::While => {
                        self.line(depth, &format!("{start} while ({test}) {{"));
                        self.steps(body, depth + 1);
                        self.line(depth, &format!("{next} }}"));
                    }
                    Written::DoWhile => {
                        self.line(depth, &format!("{start} if ({test}) do {{"));
                        self.steps(body, depth + 1);
                        self.line(depth, &format!("{next} }} while ({test});"));
                    }
                    Written::Goto => {
                        // `break` needs something around it; this leaves a loop that never repeats by itself.
                        self.labels += 1;
                        let label = format!("again{}", self.labels);
                        self.line(depth, &format!("{start} {label}: while ({test}) {{"));
                        self.steps(body, depth + 1);
                        self.line(depth, &format!("{next} goto {label}; }}"));
                    }
                }
            }
            Step::Break => self.line(depth, "break;"),
            Step::Report(value) => self.line(depth, &format!("report({});", self.value(value))),
            Step::Return(value) => self.line(depth, &format!("return {};", self.value(value))),
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Number(n) => format!("{n}"),
            Value::Variable(v) => format!("{}{v}", self.letter),
            Value::Global(g) => format!("g{g}"),
            Value::Cell(p, at) => format!("p{p}[({}) & 7]", self.value(at)),
            Value::Binary(op, a, b) => format!("({} {op} {})", self.value(a), self.value(b)),
            Value::Cast(ty, a) => format!("({ty})({})", self.value(a)),
            Value::Call(name, args) => {
                let args: Vec<String> = args.iter().map(|a| self.value(a)).collect();
                format!("{name}({}, p0, p1)", args.join(", "))
            }
        }
    }
}

//! Random C programs as trees that can be printed, edited and cut down.
//!
//! Any tree prints to a program that compiles. Values are small and loops short, so that other engines see
//! all executions. Names of locals are a property of a function that edits may change, and so may be those of
//! globals: then the local hides the global, and the program is another one. A function calls only those of
//! lower rank.

use std::fmt::Write;
use testing::{Random, source, tree};

#[derive(Clone, Debug)]
pub enum Expr {
    Num(i64),
    Var(Place),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<[Expr; 3]>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The first two are parameters.
    Local(usize),
    Global(usize),
    /// Of an array of two: at a constant, or at a local.
    At(usize),
    AtLocal(usize),
    /// What the pointer `p` leads to.
    Pointed,
}

pub type Stmt = tree::Stmt<Kind>;

#[derive(Clone, Debug)]
pub enum Kind {
    Assign(Place, Expr),
    Input(Place, i64),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Counted; with the condition at the end.
    Loop(Expr, Vec<Stmt>, bool),
    Call(Place, String, [Expr; 2], Option<Place>),
    /// A static variable with the name of this local, in a block of its own.
    Static(usize, Expr),
    /// A comparison with a limit.
    Assert(Expr, &'static str, i64),
    Assume(Expr),
    Break(Expr),
    Continue(Expr),
    Return(Expr),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub rank: u32,
    pub locals: [&'static str; LOCALS],
    /// The second parameter comes first.
    pub swapped: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Source {
    pub globals: [(&'static str, i64); GLOBALS],
    pub functions: Vec<Function>,
    pub next: u32,
}

pub const LOCALS: usize = 4;
pub const GLOBALS: usize = 3;
const GLOBAL_NAMES: [&str; GLOBALS] = ["g", "h", "k"];
pub const NAMES: [&str; 7] = ["a", "b", "x", "y", "n", "g", "h"];
pub const TYPES: [&str; 5] = ["int", "int", "unsigned char", "short", "unsigned"];
pub const BINARY: [&str; 12] = ["+", "-", "+", "-", "<", "<=", "==", "!=", ">", "&&", "||", "&"];
const LIMITS: [i64; 9] = [0, 1, 2, 3, 4, 5, 7, 10, -1];

impl Source {
    pub fn random(random: &mut Random) -> Source {
        let mut source = Source { globals: [("int", 0); GLOBALS], functions: Vec::new(), next: 0 };
        for global in &mut source.globals {
            *global = (random.pick(&TYPES), random.below(3) as i64);
        }
        for _ in 0..1 + random.below(3) {
            source.add_function(random);
        }
        let mut main = source.function(random, "main".to_owned(), u32::MAX);
        let mut names: Vec<String> = source.functions.iter().map(|f| f.name.clone()).collect();
        names.retain(|_| !random.rarely(4));
        for name in names {
            let call = source.call(random, &name);
            let at = random.below(main.body.len() + 1);
            main.body.insert(at, call);
        }
        for place in [Place::Local(0), Place::Local(1), Place::Global(0)] {
            let mask = random.pick(&[1, 3, 7, 255, -1]);
            let input = source.stmt(Kind::Input(place, mask));
            main.body.insert(0, input);
        }
        let assert = source.assert(random);
        main.body.push(assert);
        source.functions.push(main);
        source
    }

    pub fn add_function(&mut self, random: &mut Random) -> String {
        self.next += 1;
        let name = format!("f{}", self.next);
        let function = self.function(random, name.clone(), self.next);
        let at = random.below(self.functions.len() + 1);
        self.functions.insert(at, function);
        name
    }

    fn function(&mut self, random: &mut Random, name: String, rank: u32) -> Function {
        let body = self.block(random, rank, 2, 2);
        Function { name, rank, locals: ["x", "y", "a", "b"], swapped: random.rarely(3), body }
    }

    pub fn stmt(&mut self, kind: Kind) -> Stmt {
        self.next += 1;
        Stmt { id: self.next, kind }
    }

    fn block(&mut self, random: &mut Random, rank: u32, least: usize, depth: usize) -> Vec<Stmt> {
        (0..least + random.below(3)).map(|_| self.random_stmt(random, rank, depth, depth < 2)).collect()
    }

    pub fn assert(&mut self, random: &mut Random) -> Stmt {
        let value = self.expr(random, 1);
        let kind = Kind::Assert(value, random.pick(&["<=", ">=", "!=", "=="]), random.pick(&LIMITS));
        self.stmt(kind)
    }

    pub fn call(&mut self, random: &mut Random, name: &str) -> Stmt {
        let args = [self.expr(random, 1), self.expr(random, 1)];
        let pointer = if random.rarely(3) { Some(self.in_memory(random)) } else { None };
        let kind = Kind::Call(self.place(random), name.to_owned(), args, pointer);
        self.stmt(kind)
    }

    /// Something that a function of this rank may do.
    pub fn random_stmt(&mut self, random: &mut Random, rank: u32, depth: usize, nested: bool) -> Stmt {
        let kind = match random.below(if depth == 0 { 13 } else { 18 }) {
            0 => return self.assert(random),
            1 => Kind::Input(self.place(random), random.pick(&[1, 3, 7, -1])),
            2..=4 => match self.some_callee(random, rank) {
                Some(name) => return self.call(random, &name),
                None => Kind::Assign(self.place(random), self.expr(random, 2)),
            },
            5 => match random.below(5) {
                0 => Kind::Assume(Expr::binary("<", self.expr(random, 1), Expr::Num(5))),
                1 => Kind::Return(self.expr(random, 1)),
                2 if nested => Kind::Break(self.expr(random, 1)),
                3 if nested => Kind::Continue(self.expr(random, 1)),
                _ => Kind::Static(random.below(LOCALS), self.expr(random, 1)),
            },
            6..=12 => Kind::Assign(self.place(random), self.expr(random, 2)),
            13 | 14 => {
                let cond = self.expr(random, 2);
                let other =
                    if random.rarely(2) { Vec::new() } else { self.block(random, rank, 1, depth - 1) };
                Kind::If(cond, self.block(random, rank, 1, depth - 1), other)
            }
            _ => {
                let bound = match random.below(3) {
                    0 => Expr::binary("&", self.expr(random, 1), Expr::Num(3)),
                    _ => Expr::Num(1 + random.below(4) as i64),
                };
                Kind::Loop(bound, self.block(random, rank, 1, depth - 1), random.rarely(3))
            }
        };
        self.stmt(kind)
    }

    pub fn some_callee(&self, random: &mut Random, rank: u32) -> Option<String> {
        let names: Vec<&String> = self.functions.iter().filter(|f| f.rank < rank).map(|f| &f.name).collect();
        if names.is_empty() { None } else { Some(names[random.below(names.len())].clone()) }
    }

    pub fn place(&mut self, random: &mut Random) -> Place {
        match random.below(12) {
            0 => self.in_memory(random),
            1 => Place::Pointed,
            2..=5 => Place::Global(random.below(GLOBALS)),
            _ => Place::Local(random.below(LOCALS)),
        }
    }

    fn in_memory(&mut self, random: &mut Random) -> Place {
        if random.rarely(2) { Place::At(random.below(2)) } else { Place::AtLocal(random.below(LOCALS)) }
    }

    pub fn expr(&mut self, random: &mut Random, depth: usize) -> Expr {
        if depth == 0 || random.rarely(3) {
            return if random.rarely(3) {
                Expr::Num(random.pick(&LIMITS))
            } else {
                Expr::Var(self.place(random))
            };
        }
        let mut some = |source: &mut Source| source.expr(random, depth - 1);
        let (x, y, z) = (some(self), some(self), some(self));
        match random.below(8) {
            0 => Expr::Choice(Box::new([x, y, z])),
            1 => Expr::binary("&", x, Expr::Num(random.pick(&[1, 3, 7]))),
            2 | 3 => Expr::binary("+", x, Expr::Num(random.pick(&LIMITS))),
            _ => Expr::binary(random.pick(&BINARY), x, y),
        }
    }
}

impl tree::Kind for Kind {
    fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            Kind::If(_, yes, no) => vec![yes, no],
            Kind::Loop(_, body, _) => vec![body],
            _ => Vec::new(),
        }
    }

    fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Kind::If(_, yes, no) => vec![yes, no],
            Kind::Loop(_, body, _) => vec![body],
            _ => Vec::new(),
        }
    }
}

impl source::Source for Source {
    type Kind = Kind;

    fn print(&self) -> String {
        print(self)
    }

    fn bodies(&self) -> Vec<(&str, &[Stmt])> {
        self.functions.iter().map(|f| (f.name.as_str(), f.body.as_slice())).collect()
    }

    fn bodies_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        self.functions.iter_mut().map(|f| &mut f.body).collect()
    }

    fn without_function(&self, name: &str) -> Source {
        let functions = self.functions.iter().filter(|f| f.name != name).cloned().collect();
        Source { functions, ..self.clone() }
    }

    fn is_assert(kind: &Kind) -> bool {
        matches!(kind, Kind::Assert(..))
    }

    /// An assertion that says a little less.
    fn weaker(&self, id: u32) -> Source {
        let mut source = self.clone();
        let mut see = |stmt: &mut Stmt| {
            if stmt.id == id
                && let Kind::Assert(_, op, limit) = &mut stmt.kind
            {
                match *op {
                    "<=" => *limit += 1 + limit.abs() / 2,
                    ">=" => *limit -= 1 + limit.abs() / 2,
                    "==" => *op = "<=",
                    _ => *limit += 1,
                }
            }
        };
        source.functions.iter_mut().for_each(|f| tree::walk_mut(&mut f.body, &mut see));
        source
    }
}

impl Expr {
    pub fn binary(op: &'static str, x: Expr, y: Expr) -> Expr {
        Expr::Binary(op, Box::new(x), Box::new(y))
    }
}

fn head(function: &Function) -> String {
    let [x, y, ..] = function.locals;
    match (function.name.as_str(), function.swapped) {
        ("main", _) => "int main(void)".to_owned(),
        (name, false) => format!("int {name}(int {x}, int {y}, int *p)"),
        (name, true) => format!("int {name}(int {y}, int {x}, int *p)"),
    }
}

fn place(place: Place, inside: &Function) -> String {
    match place {
        Place::Local(i) => inside.locals[i].to_owned(),
        Place::Global(i) => GLOBAL_NAMES[i].to_owned(),
        Place::At(i) => format!("t[{i}]"),
        Place::AtLocal(i) => format!("t[{} & 1]", inside.locals[i]),
        Place::Pointed => "*p".to_owned(),
    }
}

fn expr(e: &Expr, inside: &Function) -> String {
    match e {
        Expr::Num(n) if *n < 0 => format!("({n})"),
        Expr::Num(n) => n.to_string(),
        Expr::Var(p) => place(*p, inside),
        Expr::Binary(op, x, y) => format!("({} {op} {})", expr(x, inside), expr(y, inside)),
        Expr::Choice(parts) => {
            let [x, y, z] = &**parts;
            format!("({} ? {} : {})", expr(x, inside), expr(y, inside), expr(z, inside))
        }
    }
}

fn print(source: &Source) -> String {
    let mut out = "int t[2];\n".to_owned();
    for ((ty, init), name) in source.globals.iter().zip(GLOBAL_NAMES) {
        let _ = writeln!(out, "{ty} {name} = {init};");
    }
    for function in source.functions.iter().filter(|f| f.name != "main") {
        let _ = writeln!(out, "{};", head(function));
    }
    for function in &source.functions {
        let [x, y, a, b] = function.locals;
        let _ = writeln!(out, "{} {{", head(function));
        let own = if function.name == "main" {
            format!("int {x} = 0, {y} = 0, own = 0, *p = &own; ")
        } else {
            String::new()
        };
        let _ = writeln!(out, "    {own}int {a} = {x}, {b} = 0;");
        print_block(source, &mut out, function, &function.body, 1, false);
        let _ = writeln!(out, "    return {a};\n}}");
    }
    out
}

fn print_block(
    source: &Source,
    out: &mut String,
    inside: &Function,
    block: &[Stmt],
    depth: usize,
    in_loop: bool,
) {
    let text = |e: &Expr| expr(e, inside);
    let name = |p: &Place| place(*p, inside);
    let pad = "    ".repeat(depth);
    for stmt in block {
        let _ = match &stmt.kind {
            Kind::Assign(to, value) => writeln!(out, "{pad}{} = {};", name(to), text(value)),
            Kind::Input(to, -1) => writeln!(out, "{pad}{} = __VERIFIER_nondet_int();", name(to)),
            Kind::Input(to, mask) => {
                writeln!(out, "{pad}{} = __VERIFIER_nondet_int() & {mask};", name(to))
            }
            Kind::If(cond, yes, no) => {
                let _ = writeln!(out, "{pad}if ({}) {{", text(cond));
                print_block(source, out, inside, yes, depth + 1, in_loop);
                let _ = writeln!(out, "{pad}}} else {{");
                print_block(source, out, inside, no, depth + 1, in_loop);
                writeln!(out, "{pad}}}")
            }
            Kind::Loop(bound, body, at_end) => {
                let i = format!("i{}", stmt.id);
                let _ = match at_end {
                    false => writeln!(out, "{pad}for (int {i} = 0; {i} < {}; {i}++) {{", text(bound)),
                    true => writeln!(out, "{pad}int {i} = 0; do {{ {i}++;"),
                };
                print_block(source, out, inside, body, depth + 1, true);
                match at_end {
                    false => writeln!(out, "{pad}}}"),
                    true => writeln!(out, "{pad}}} while ({i} < {});", text(bound)),
                }
            }
            Kind::Call(to, callee, [x, y], pointer) => {
                match source.functions.iter().find(|f| f.name == *callee && f.rank < inside.rank) {
                    Some(f) => {
                        let (x, y) = if f.swapped { (y, x) } else { (x, y) };
                        let p = pointer.map_or("p".to_owned(), |p| format!("&{}", place(p, inside)));
                        writeln!(out, "{pad}{} = {callee}({}, {}, {p});", name(to), text(x), text(y))
                    }
                    None => Ok(()),
                }
            }
            Kind::Static(local, value) => {
                let s = inside.locals[*local];
                let value = text(value);
                writeln!(
                    out,
                    "{pad}{{ int tmp = {value}; static int {s}; {s} = {s} < 5 ? {s} + 1 : tmp & 3; t[1] = {s}; }}"
                )
            }
            Kind::Assert(value, op, limit) => {
                writeln!(out, "{pad}__VERIFIER_assert({} {op} {limit});", text(value))
            }
            Kind::Assume(cond) => writeln!(out, "{pad}__VERIFIER_assume({});", text(cond)),
            Kind::Break(cond) if in_loop => writeln!(out, "{pad}if ({}) break;", text(cond)),
            Kind::Continue(cond) if in_loop => writeln!(out, "{pad}if ({}) continue;", text(cond)),
            Kind::Break(cond) | Kind::Continue(cond) => writeln!(out, "{pad}if ({}) g++;", text(cond)),
            Kind::Return(value) => writeln!(out, "{pad}if ({}) return {};", text(value), text(value)),
        };
    }
}

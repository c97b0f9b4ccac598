//! Random C programs with everything that unwinding has to know: memory of all kinds, pointers that are kept,
//! calls through pointers, recursion, floats, code from outside. For edits and cutting down they are trees.
//!
//! Any tree prints to a program that compiles, whatever was edited: variables that a function uses and does
//! not have are declared there, calls take as many arguments as the callee wants, calls of functions that are
//! gone disappear. Values are mostly small and loops short, so that random runs see a good part of all
//! executions. A function calls only those of lower rank, and itself for a value that shrinks.

pub mod edit;
mod print;

use crate::{Random, source, tree};

#[derive(Clone, Debug)]
pub enum Expr {
    Num(i64),
    Var(&'static str),
    /// An array of four, at an index that is cut to fit.
    At(&'static str, Box<Expr>),
    /// A member of one of two structs.
    Field(Box<Expr>, &'static str),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<[Expr; 3]>),
}

pub type Stmt = tree::Stmt<Kind>;

#[derive(Clone, Debug)]
pub enum Kind {
    Assign(Expr, Expr),
    Input(&'static str, i64),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For(Expr, Vec<Stmt>),
    Call(Option<Expr>, String, Vec<Expr>),
    /// One of two functions, through a pointer.
    Pick(Expr, [String; 2], Vec<Expr>),
    Recurse(Vec<Expr>),
    Heap(Expr, Expr),
    /// A pointer is kept.
    Aim(&'static str, &'static str),
    /// The float takes part.
    Float(&'static str, Expr),
    Fill(&'static str, Expr),
    Copy(&'static str, &'static str, Expr),
    Assert(Expr),
    Assume(Expr),
    Break(Expr),
    Return(Expr),
    Exit,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Calls go to functions of lower rank.
    pub rank: u32,
    pub ret: &'static str,
    pub params: Vec<&'static str>,
    /// Has `int *p` as its first parameter.
    pub pointer: bool,
    /// `t` has no initial value.
    pub open: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Source {
    /// Types and initial values of the globals.
    pub globals: [(&'static str, i64); 4],
    pub functions: Vec<Function>,
    pub next: u32,
    /// Loops end when an input says so.
    pub endless: bool,
}

const GLOBALS: [&str; 4] = ["g0", "g1", "g2", "g3"];
const PARAMS: [&str; 3] = ["x0", "x1", "x2"];
pub const TYPES: [&str; 7] = ["int", "int", "unsigned", "unsigned char", "signed char", "short", "long long"];
const SCALARS: [&str; 16] =
    ["a", "a", "a", "b", "b", "b", "c", "c", "g0", "g1", "g2", "g3", "x0", "x1", "x2", "*p"];
/// What is read besides: through pointers that are kept, and of a float.
const READS: [&str; 7] = ["*gp", "*s[a & 1].q", "*s[0].q", "gp[0]", "(gf < 3)", "(gf > c)", "outside(b)"];
/// Pointers that are kept, and what they may lead to: nothing that ends.
const POINTERS: [&str; 4] = ["gp", "s[0].q", "s[1].q", "s[b & 1].q"];
const AIMS: [&str; 8] = [
    "gp",
    "s[a & 1].q",
    "s[1].q",
    "&ga[a & 3]",
    "ga + 2",
    "&s[c & 1].x",
    "malloc(4)",
    "(c ? gp : &ga[b & 3])",
];
const ARRAYS: [&str; 3] = ["t", "ga", "gb"];
pub const BINARY: [&str; 20] = [
    "+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", ">", ">=", "&&", "||", "<<", ">>", "/", "%", "+",
    "-",
];

impl Source {
    pub fn random(random: &mut Random) -> Source {
        let mut source = Source { globals: [("int", 0); 4], functions: Vec::new(), next: 0, endless: false };
        for global in &mut source.globals {
            *global = (random.pick(&TYPES), random.below(5) as i64);
        }
        for _ in 0..1 + random.below(4) {
            source.add_function(random);
        }
        let mut main = source.function(random, "main".to_owned(), u32::MAX);
        (main.ret, main.params, main.pointer) = ("int", Vec::new(), false);
        let mut names: Vec<String> = source.functions.iter().map(|f| f.name.clone()).collect();
        names.retain(|_| !random.rarely(4));
        for name in names {
            let args = (0..3).map(|_| source.expr(random, 1)).collect();
            let to = source.place(random);
            let call = source.stmt(Kind::Call(Some(to), name, args));
            let at = random.below(main.body.len() + 1);
            main.body.insert(at, call);
        }
        for name in ["a", "b", "g0"] {
            let mask = random.pick(&[3, 7, 15, 31, 255, -1]);
            let input = source.stmt(Kind::Input(name, mask));
            main.body.insert(0, input);
        }
        let assert = source.assert(random);
        main.body.push(assert);
        source.functions.push(main);
        source
    }

    pub fn add_function(&mut self, random: &mut Random) {
        self.next += 1;
        let rank = self.next;
        let function = self.function(random, format!("f{rank}"), rank);
        let at = random.below(self.functions.len() + 1);
        self.functions.insert(at, function);
    }

    fn function(&mut self, random: &mut Random, name: String, rank: u32) -> Function {
        let params = (0..1 + random.below(2)).map(|_| random.pick(&TYPES)).collect();
        let (ret, pointer, open) = (random.pick(&TYPES), random.rarely(3), random.rarely(4));
        let body = self.block(random, rank, 2, 2);
        Function { name, rank, ret, params, pointer, open, body }
    }

    pub fn stmt(&mut self, kind: Kind) -> Stmt {
        self.next += 1;
        Stmt { id: self.next, kind }
    }

    fn block(&mut self, random: &mut Random, rank: u32, least: usize, depth: usize) -> Vec<Stmt> {
        (0..least + random.below(3)).map(|_| self.random_stmt(random, rank, depth)).collect()
    }

    fn assert(&mut self, random: &mut Random) -> Stmt {
        let value = self.expr(random, 3);
        let limit = random.pick(&[0, 1, 2, 3, 5, 7, 8, 10, 15, 20, 50, 255]);
        let cond = match random.below(4) {
            0 => binary("!=", value, Expr::Num(limit)),
            1 => binary(">=", value, Expr::Num(-limit)),
            2 => binary("||", binary("<", value, Expr::Num(limit)), self.expr(random, 1)),
            _ => binary("<=", value, Expr::Num(limit)),
        };
        self.stmt(Kind::Assert(cond))
    }

    /// Something that a function of this rank may do.
    pub fn random_stmt(&mut self, random: &mut Random, rank: u32, depth: usize) -> Stmt {
        let kind = match random.below(if depth == 0 { 18 } else { 22 }) {
            0 | 20 | 21 => return self.assert(random),
            1 => Kind::Input(random.pick(&["a", "b", "c", "g0"]), random.pick(&[1, 3, 7, 15, 255, -1])),
            2..=5 => match self.some_callee(random, rank) {
                Some(name) => {
                    let to = if random.rarely(4) { None } else { Some(self.place(random)) };
                    Kind::Call(to, name, (0..3).map(|_| self.expr(random, 1)).collect())
                }
                None => Kind::Assign(self.place(random), self.expr(random, 2)),
            },
            6 => match (self.some_callee(random, rank), self.some_callee(random, rank)) {
                (Some(f), Some(g)) => {
                    Kind::Pick(self.expr(random, 1), [f, g], (0..3).map(|_| self.expr(random, 1)).collect())
                }
                _ => Kind::Input("b", 7),
            },
            7 if rank != u32::MAX && random.rarely(2) => {
                Kind::Recurse((0..3).map(|_| self.expr(random, 1)).collect())
            }
            7 if random.rarely(5) => Kind::Float(random.pick(&["+", "-", "/"]), self.expr(random, 0)),
            7 => Kind::Aim(random.pick(&POINTERS), random.pick(&AIMS)),
            8 => Kind::Heap(self.expr(random, 1), self.expr(random, 1)),
            9 if random.rarely(2) => Kind::Fill(random.pick(&ARRAYS), self.expr(random, 0)),
            9 => Kind::Copy(random.pick(&ARRAYS), random.pick(&ARRAYS), self.expr(random, 0)),
            10 => match random.below(6) {
                0 => Kind::Assume(binary("<", self.expr(random, 1), Expr::Num(50))),
                1 => Kind::Exit,
                2 => Kind::Return(self.expr(random, 1)),
                _ => Kind::Assign(self.place(random), self.expr(random, 1)),
            },
            11..=15 => Kind::Assign(self.place(random), self.expr(random, 2)),
            16 | 17 if depth > 0 => {
                let cond = self.expr(random, 2);
                let other =
                    if random.rarely(2) { Vec::new() } else { self.block(random, rank, 1, depth - 1) };
                Kind::If(cond, self.block(random, rank, 1, depth - 1), other)
            }
            16 | 17 => return self.assert(random),
            _ => {
                let bound = match random.below(3) {
                    0 => binary("&", self.expr(random, 1), Expr::Num(3)),
                    _ => Expr::Num(1 + random.below(3) as i64),
                };
                let mut body = self.block(random, rank, 1, 0);
                if random.rarely(4) {
                    let cond = self.expr(random, 1);
                    body.push(self.stmt(Kind::Break(cond)));
                }
                Kind::For(bound, body)
            }
        };
        self.stmt(kind)
    }

    fn some_callee(&self, random: &mut Random, rank: u32) -> Option<String> {
        let names: Vec<&String> = self.functions.iter().filter(|f| f.rank < rank).map(|f| &f.name).collect();
        if names.is_empty() { None } else { Some(names[random.below(names.len())].clone()) }
    }

    fn place(&mut self, random: &mut Random) -> Expr {
        match random.below(9) {
            8 => Expr::Var(random.pick(&READS[..4])),
            0 => Expr::At(random.pick(&ARRAYS), Box::new(self.expr(random, 1))),
            1 => Expr::Field(Box::new(self.expr(random, 0)), random.pick(&["k", "x", "y"])),
            _ => Expr::Var(random.pick(&SCALARS)),
        }
    }

    pub fn expr(&mut self, random: &mut Random, depth: usize) -> Expr {
        if depth == 0 || random.rarely(3) {
            return match random.below(4) {
                0 => Expr::Num(random.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 10, 100, -1])),
                1 if random.rarely(3) => Expr::Var(random.pick(&READS)),
                _ => Expr::Var(random.pick(&SCALARS)),
            };
        }
        let mut some = |source: &mut Source| source.expr(random, depth - 1);
        let (x, y, z) = (some(self), some(self), some(self));
        match random.below(12) {
            0 => Expr::At(random.pick(&ARRAYS), Box::new(x)),
            1 => Expr::Field(Box::new(x), random.pick(&["k", "x", "y"])),
            2 => Expr::Unary(
                random.pick(&["-", "~", "!", "(unsigned char)", "(unsigned)", "(short)"]),
                Box::new(x),
            ),
            3 => Expr::Choice(Box::new([x, y, z])),
            4 | 5 => binary("&", x, Expr::Num(random.pick(&[1, 3, 7, 15]))),
            _ => binary(random.pick(&BINARY), x, y),
        }
    }
}

pub fn binary(op: &'static str, x: Expr, y: Expr) -> Expr {
    Expr::Binary(op, Box::new(x), Box::new(y))
}

impl tree::Kind for Kind {
    fn blocks(&self) -> Vec<&[Stmt]> {
        match self {
            Kind::If(_, yes, no) => vec![yes, no],
            Kind::For(_, body) => vec![body],
            _ => Vec::new(),
        }
    }

    fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Kind::If(_, yes, no) => vec![yes, no],
            Kind::For(_, body) => vec![body],
            _ => Vec::new(),
        }
    }
}

impl source::Source for Source {
    type Kind = Kind;

    fn print(&self) -> String {
        print::program(self)
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
        matches!(kind, Kind::Assert(_))
    }

    /// Without it, where there is no weaker one.
    fn weaker(&self, id: u32) -> Source {
        let mut source = self.clone();
        let mut found = false;
        for function in &mut source.functions {
            tree::walk_mut(&mut function.body, &mut |stmt| {
                if let Kind::Assert(Expr::Binary(op, _, limit)) = &mut stmt.kind
                    && let Expr::Num(n) = &mut **limit
                    && stmt.id == id
                    && n.abs() < 1 << 28
                {
                    *n = match *op {
                        "<=" => *n * 2 + 1,
                        ">=" => *n * 2 - 1,
                        _ => *n * 2 + 37,
                    };
                    found = true;
                }
            });
        }
        if found { source } else { self.without(id) }
    }
}

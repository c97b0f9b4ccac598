//! Random C programs as trees that can be printed, edited and cut down.
//!
//! Any tree prints to a program that compiles, whatever was edited: variables that a function uses and does
//! not have are declared there, calls take as many arguments as the callee wants, calls of functions that are
//! gone disappear. Values are mostly small and loops short, so that random runs see a good part of all
//! executions. A function calls only those of lower rank, and itself for a value that shrinks.

use std::fmt::Write;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// One time in `n`.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

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

#[derive(Clone, Debug)]
pub struct Stmt {
    /// The same in all versions of a program.
    pub id: u32,
    pub kind: Kind,
}

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

    pub fn print(&self) -> String {
        let mut out = "\
int ga[4] = { 1, 2 };
struct pair { signed char k; int x; short y; int *q; } s[2] = { { 1, 2, 3, ga }, { 4, 5, 6, ga + 1 } };
unsigned char gb[4];
int *gp = ga + 3;
float gf = 1;
extern int outside(int);
"
        .to_owned();
        for ((ty, init), name) in self.globals.iter().zip(GLOBALS) {
            let _ = writeln!(out, "{ty} {name} = {init};");
        }
        for function in self.functions.iter().filter(|f| f.name != "main") {
            let _ = writeln!(out, "{};", head(function));
        }
        for function in &self.functions {
            let _ = writeln!(out, "{} {{", head(function));
            let mut locals = String::new();
            for name in PARAMS.iter().skip(function.params.len()) {
                let _ = write!(locals, "int {name} = g{}; ", &name[1..]);
            }
            if !function.pointer {
                locals.push_str("int own = g2; int *p = &own; ");
            }
            // Only this decides about recursion, and nobody changes it.
            locals.push_str("int n = x0, a = x0, b = x1; unsigned char c = *p; int t[4]");
            locals.push_str(if function.open { ";" } else { " = { 4, 3, 2 };" });
            let _ = writeln!(out, "    {locals}");
            self.print_block(&mut out, function, &function.body, false);
            let _ = writeln!(out, "    return a + c;\n}}");
        }
        out
    }

    fn print_block(&self, out: &mut String, inside: &Function, block: &[Stmt], in_loop: bool) {
        for stmt in block {
            match &stmt.kind {
                Kind::Assign(to, value) => line(out, &format!("{} = {};", text(to), text(value))),
                Kind::Input(name, -1) => line(out, &format!("{name} = __VERIFIER_nondet_int();")),
                Kind::Input(name, mask) => line(out, &format!("{name} = __VERIFIER_nondet_int() & {mask};")),
                Kind::If(cond, yes, no) => {
                    line(out, &format!("if ({}) {{", text(cond)));
                    self.print_block(out, inside, yes, in_loop);
                    line(out, "} else {");
                    self.print_block(out, inside, no, in_loop);
                    line(out, "}");
                }
                Kind::For(bound, body) => {
                    let i = format!("i{}", stmt.id);
                    let until = if self.endless {
                        "(outside(a) & 7) != 3".to_owned()
                    } else {
                        format!("{i} < {}", text(bound))
                    };
                    line(out, &format!("for (int {i} = 0; {until}; {i}++) {{"));
                    self.print_block(out, inside, body, true);
                    line(out, "}");
                }
                Kind::Call(to, name, args) => {
                    if let Some(callee) =
                        self.functions.iter().find(|f| f.name == *name && f.rank < inside.rank)
                    {
                        let to = to.as_ref().map_or(String::new(), |to| format!("{} = ", text(to)));
                        line(out, &format!("{to}{name}({});", arguments(callee, args)));
                    }
                }
                Kind::Pick(cond, names, args) => {
                    let find = |name: &String| {
                        self.functions.iter().find(|f| f.name == *name && f.rank < inside.rank)
                    };
                    if let (Some(f), Some(g)) = (find(&names[0]), find(&names[1]))
                        && (f.ret, &f.params, f.pointer) == (g.ret, &g.params, g.pointer)
                    {
                        let args = arguments(f, args);
                        line(out, &format!("b = ({} ? {} : {})({args});", text(cond), f.name, g.name));
                    }
                }
                Kind::Recurse(args) if inside.params.first() == Some(&"int") => {
                    let mut args = args.clone();
                    args[0] = Expr::Var("(n & 3) - 1");
                    line(
                        out,
                        &format!("if ((n & 3) > 0) b = {}({});", inside.name, arguments(inside, &args)),
                    );
                }
                Kind::Recurse(_) => {}
                Kind::Heap(value, index) => {
                    let (value, index) = (text(value), text(index));
                    let q = format!("q{}", stmt.id);
                    line(
                        out,
                        &format!(
                            "{{ int *{q} = malloc(8); if ({q}) {{ {q}[1] = {value}; b = {q}[{index} & 1]; }} }}"
                        ),
                    );
                }
                Kind::Aim(pointer, at) => line(out, &format!("{pointer} = {at};")),
                Kind::Float(op, value) => line(out, &format!("gf = gf {op} (({} & 7) + 1);", text(value))),
                Kind::Fill(array, value) => line(out, &format!("memset({array}, {}, 3);", text(value))),
                Kind::Copy(to, from, len) => {
                    line(out, &format!("memmove({to}, {from}, ({}) & 3);", text(len)))
                }
                Kind::Assert(cond) => line(out, &format!("__VERIFIER_assert({});", text(cond))),
                Kind::Assume(cond) => line(out, &format!("__VERIFIER_assume({});", text(cond))),
                Kind::Break(cond) if in_loop => line(out, &format!("if ({}) break;", text(cond))),
                Kind::Break(_) => {}
                Kind::Return(value) => line(out, &format!("if (b == 3) return {};", text(value))),
                Kind::Exit => line(out, "if (a == 5) exit(1);"),
            }
        }
    }

    /// With a weaker assertion in the place of this one, or without it.
    pub fn weaker(&self, id: u32) -> Source {
        let mut source = self.clone();
        let mut found = false;
        for function in &mut source.functions {
            walk_mut(&mut function.body, &mut |stmt| {
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

    /// Without the statement of this id, wherever it is.
    pub fn without(&self, id: u32) -> Source {
        let mut source = self.clone();
        for function in &mut source.functions {
            remove(&mut function.body, id);
        }
        source
    }

    pub fn ids(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        for function in &self.functions {
            walk(&function.body, &mut |stmt| ids.push(stmt.id));
        }
        ids
    }

    /// The ids of the assertions, as they are printed.
    pub fn asserts(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        let mut see = |stmt: &Stmt| {
            if matches!(stmt.kind, Kind::Assert(_)) {
                ids.push(stmt.id);
            }
        };
        self.functions.iter().for_each(|f| walk(&f.body, &mut see));
        ids
    }
}

pub fn binary(op: &'static str, x: Expr, y: Expr) -> Expr {
    Expr::Binary(op, Box::new(x), Box::new(y))
}

fn head(function: &Function) -> String {
    let pointer = function.pointer.then(|| "int *p".to_owned());
    let params = function.params.iter().zip(PARAMS).map(|(ty, name)| format!("{ty} {name}"));
    let params: Vec<String> = pointer.into_iter().chain(params).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    format!("{} {}({params})", function.ret, function.name)
}

fn arguments(callee: &Function, args: &[Expr]) -> String {
    // Where the pointer leads is decided by the last argument, which is there for nothing else where there is
    // a pointer.
    let pointer = callee.pointer.then(|| match args.last() {
        Some(Expr::Num(n)) if n % 2 == 0 => "&a".to_owned(),
        Some(Expr::Num(_)) => "p".to_owned(),
        Some(Expr::Var("a" | "b")) => "&b".to_owned(),
        Some(Expr::Var(_)) => "(b & 1 ? &a : p)".to_owned(),
        Some(other) => format!("&ga[({}) & 3]", text(other)),
        None => "&s[1].x".to_owned(),
    });
    let zero = Expr::Num(0);
    let plain = (0..callee.params.len()).map(|i| text(args.get(i).unwrap_or(&zero)));
    pointer.into_iter().chain(plain).collect::<Vec<_>>().join(", ")
}

fn text(e: &Expr) -> String {
    match e {
        Expr::Num(n) if *n < 0 => format!("({n})"),
        Expr::Num(n) => n.to_string(),
        Expr::Var(name) => (*name).to_owned(),
        Expr::At(array, i) => format!("{array}[{} & 3]", text(i)),
        Expr::Field(i, name) => format!("s[{} & 1].{name}", text(i)),
        Expr::Unary(op, x) => format!("({op} {})", text(x)),
        Expr::Binary(op @ ("<<" | ">>"), x, y) => format!("({} {op} ({} & 7))", text(x), text(y)),
        Expr::Binary(op @ ("/" | "%"), x, y) => format!("({} {op} (({} & 7) + 1))", text(x), text(y)),
        Expr::Binary(op, x, y) => format!("({} {op} {})", text(x), text(y)),
        Expr::Choice(parts) => format!("({} ? {} : {})", text(&parts[0]), text(&parts[1]), text(&parts[2])),
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str("    ");
    out.push_str(text);
    out.push('\n');
}

pub fn walk(block: &[Stmt], see: &mut impl FnMut(&Stmt)) {
    for stmt in block {
        see(stmt);
        match &stmt.kind {
            Kind::If(_, yes, no) => {
                walk(yes, see);
                walk(no, see);
            }
            Kind::For(_, body) => walk(body, see),
            _ => {}
        }
    }
}

fn walk_mut(block: &mut [Stmt], see: &mut impl FnMut(&mut Stmt)) {
    for stmt in block {
        see(stmt);
        match &mut stmt.kind {
            Kind::If(_, yes, no) => {
                walk_mut(yes, see);
                walk_mut(no, see);
            }
            Kind::For(_, body) => walk_mut(body, see),
            _ => {}
        }
    }
}

fn remove(block: &mut Vec<Stmt>, id: u32) {
    block.retain(|stmt| stmt.id != id);
    for stmt in block {
        match &mut stmt.kind {
            Kind::If(_, yes, no) => {
                remove(yes, id);
                remove(no, id);
            }
            Kind::For(_, body) => remove(body, id),
            _ => {}
        }
    }
}

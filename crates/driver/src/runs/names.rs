//! Names for what a run asks for, so that another version of the program can be told what its counterpart was
//! told.
//!
//! A place is known by its function, by what is asked there, and by how many places before it ask the same.
//! Memory is known in two ways: by object and offset, and by the place that reads it first. The second still
//! fits where structs got other fields, since the shape of an operation leaves out its constants.

use interp::ObjectKind;
use ir::{
    BinOp, Callee, Edge, EdgeId, Expr, ExprKind, FuncId, Function, GlobalId, HavocKind, LocalId, Op, Program,
    Var,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Where something is asked.
#[derive(Serialize, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Clone, Debug)]
pub(super) enum Place {
    /// The function, what is asked, and how many edges before it ask the same.
    Edge(String, String, u32),
    Entry(String, String),
    Param(u32),
    ExternGlobal(String),
    /// A global after a call at such an edge.
    Changed(String, String, u32, String),
}

impl Place {
    /// A global after what happens here.
    pub fn of(self, global: String) -> Option<Place> {
        match self {
            Place::Edge(function, what, nth) => Some(Place::Changed(function, what, nth, global)),
            _ => None,
        }
    }
}

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    Global(String),
    Local(String, String),
    VarArgs,
    Heap,
    Stack,
    Outside,
}

/// Which edges are named, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum By {
    /// Those that ask for a value, by what for.
    Question,
    /// Those that read memory, by their shape.
    Shape,
}

type Edges = FxHashMap<(String, u32), EdgeId>;

/// From what a program has to names.
pub(super) struct Namer<'p> {
    program: &'p Program,
    edges: FxHashMap<(FuncId, By), FxHashMap<EdgeId, (String, u32)>>,
}

impl<'p> Namer<'p> {
    pub fn new(program: &'p Program) -> Namer<'p> {
        Namer { program, edges: FxHashMap::default() }
    }

    pub fn edge(&mut self, by: By, f: FuncId, edge: EdgeId) -> Option<Place> {
        let program = self.program;
        let all = || named(program, f, by).into_iter().map(|(name, edge)| (edge, name)).collect();
        let (what, nth) = self.edges.entry((f, by)).or_insert_with(all).get(&edge)?.clone();
        Some(Place::Edge(self.function(f), what, nth))
    }

    pub fn object(&self, kind: ObjectKind) -> Object {
        match kind {
            ObjectKind::Global(g) => Object::Global(self.global(g)),
            ObjectKind::Local(f, l) => Object::Local(self.function(f), self.local(f, l)),
            ObjectKind::VarArgs => Object::VarArgs,
            ObjectKind::Heap => Object::Heap,
            ObjectKind::Stack => Object::Stack,
            ObjectKind::Outside | ObjectKind::Changed => Object::Outside,
        }
    }

    pub fn function(&self, f: FuncId) -> String {
        self.program.function(f).name.to_string()
    }

    pub fn local(&self, f: FuncId, l: LocalId) -> String {
        self.program.function(f).local(l).name.to_string()
    }

    pub fn global(&self, g: GlobalId) -> String {
        self.program.global(g).name.to_string()
    }
}

/// From names to what has them now.
pub(super) struct Finder<'p> {
    program: &'p Program,
    functions: FxHashMap<&'p str, FuncId>,
    globals: FxHashMap<&'p str, GlobalId>,
    edges: FxHashMap<(FuncId, By), Edges>,
}

impl<'p> Finder<'p> {
    pub fn new(program: &'p Program) -> Finder<'p> {
        let functions = program.function_ids().map(|f| (&*program.function(f).name, f)).collect();
        let globals = program.globals.iter().zip(0..).map(|(g, i)| (&*g.name, GlobalId(i))).collect();
        Finder { program, functions, globals, edges: FxHashMap::default() }
    }

    pub fn edge(&mut self, by: By, function: &str, what: &str, nth: u32) -> Option<(FuncId, EdgeId)> {
        let f = *self.functions.get(function)?;
        let program = self.program;
        let edges = self.edges.entry((f, by)).or_insert_with(|| named(program, f, by).into_iter().collect());
        Some((f, *edges.get(&(what.to_owned(), nth))?))
    }

    pub fn object(&self, object: &Object) -> Option<ObjectKind> {
        Some(match object {
            Object::Global(name) => ObjectKind::Global(self.global(name)?),
            Object::Local(function, name) => {
                let (f, l) = self.local(function, name)?;
                ObjectKind::Local(f, l)
            }
            Object::VarArgs => ObjectKind::VarArgs,
            Object::Heap => ObjectKind::Heap,
            Object::Stack => ObjectKind::Stack,
            Object::Outside => ObjectKind::Outside,
        })
    }

    pub fn local(&self, function: &str, name: &str) -> Option<(FuncId, LocalId)> {
        let f = *self.functions.get(function)?;
        let l = self.program.function(f).locals.iter().position(|l| &*l.name == name)?;
        Some((f, LocalId(l as u32)))
    }

    pub fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.get(name).copied()
    }
}

/// The edges of a function that have a name: what they do, and how many before them do the same.
fn named(program: &Program, f: FuncId, by: By) -> Vec<((String, u32), EdgeId)> {
    let function = program.function(f);
    let Some(cfa) = function.cfa() else { return Vec::new() };
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut list = Vec::new();
    for (edge, i) in cfa.edges().iter().zip(0..) {
        let what = match by {
            By::Question => question(program, function, edge),
            By::Shape => shape(program, function, edge),
        };
        let Some(what) = what else { continue };
        let nth = seen.entry(what.clone()).or_default();
        list.push(((what, *nth), EdgeId(i)));
        *nth += 1;
    }
    list
}

fn question(program: &Program, function: &Function, edge: &Edge) -> Option<String> {
    Some(match &edge.op {
        Op::Havoc { kind: HavocKind::Input(name), .. } => format!("input {name}"),
        Op::Havoc { var: Var::Local(l), .. } => format!("value of {}", function.local(*l).name),
        Op::Havoc { var: Var::Global(g), .. } => format!("value of {}", program.global(*g).name),
        Op::Call { callee: Callee::Direct(g), .. } => format!("call of {}", program.function(*g).name),
        Op::Call { .. } => "call".to_owned(),
        _ => return None,
    })
}

/// What an operation that reads memory looks like without its constants, and without the numbers of temporary
/// variables.
fn shape(program: &Program, function: &Function, edge: &Edge) -> Option<String> {
    let exprs = edge.op.exprs();
    let mut reads = matches!(edge.op, Op::Call { .. } | Op::Copy { .. });
    exprs.iter().for_each(|e| e.walk(&mut |part| reads |= matches!(part.kind, ExprKind::Load(_))));
    let mut text = String::new();
    exprs.into_iter().for_each(|e| outline(program, function, e, &mut text));
    reads.then_some(text)
}

fn outline(program: &Program, function: &Function, e: &Expr, text: &mut String) {
    match &e.kind {
        // A field; the first one is where its struct is.
        ExprKind::Binary(BinOp::PtrAdd, base, by) if by.as_const().is_some() => {
            return outline(program, function, base, text);
        }
        ExprKind::Const(_) => *text += "#",
        ExprKind::Local(l) | ExprKind::AddrLocal(l) => *text += bare(&function.local(*l).name),
        ExprKind::Global(g) | ExprKind::AddrGlobal(g) => *text += &program.global(*g).name,
        ExprKind::AddrFunc(f) => *text += &program.function(*f).name,
        ExprKind::VarArgs => *text += "...",
        ExprKind::Load(_) => *text += "*",
        ExprKind::Unary(op, _) => *text += &format!("{op:?}"),
        ExprKind::Binary(op, ..) => *text += &format!("{op:?}"),
        ExprKind::Cast(_) => *text += "cast",
        ExprKind::Ite(_) => *text += "?",
        ExprKind::Valid { .. } => *text += "valid",
        ExprKind::Freeable(_) => *text += "freeable",
        ExprKind::ObjectSize(_) => *text += "size",
        ExprKind::HeapKept { rule, .. } => *text += rule.name(),
    }
    text.push(' ');
    e.children().for_each(|child| outline(program, function, child, text));
}

fn bare(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

//! What is kept of a call: the context it was analysed in, what it gives back, and its summary.
//!
//! A [`Record`] stands for itself, without the program: it names globals and objects, and its values are
//! constants, interface variables, or choices and sums of these that say where a pointer points. A summary
//! holds of every call in a context that matches: the constants are the same, the pointers lead to the same
//! objects; the variables may be anything.

use crate::content::{Content, Start};
use crate::cut::{Interface, Pair};
use crate::exec::{CallId, Exec};
use crate::objects::{Kind, ObjectId};
use interp::ObjectKind;
use logic::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use sat::{Aig, Lit};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A value that crosses the border of a call.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Value {
    Bool(bool),
    Bv(u128, u32),
    Float(u128, u32, u32),
    /// An import, by number.
    In(u32),
    /// An export.
    Out(u32),
    /// Read as a float of this format.
    AsFloat(Box<Value>, u32, u32),
    Ite(Box<[Value; 3]>),
    Add(Vec<Value>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Shape {
    Bool,
    Bv(u32),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectRecord {
    pub name: String,
    pub size: Value,
    pub kind: u8,
    pub constant: bool,
    /// What it started with.
    pub start: u8,
    pub alive: Value,
    /// Offset, size, value.
    pub cells: Vec<(u64, u64, Value)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    pub args: Vec<Value>,
    pub globals: Vec<(String, Value)>,
    pub objects: Vec<ObjectRecord>,
    /// Object, offset, size, value.
    pub unwritten: Vec<(String, u64, u64, Value)>,
    pub imports: Vec<Shape>,
    pub exports: Vec<Shape>,
    /// Imports and exports that are pointers from outside, with the objects they lead to, the first one
    /// first.
    pub outside: Vec<(Value, String, Vec<String>)>,
    pub result: Option<Value>,
    pub changed_globals: Vec<(String, Value)>,
    /// Object, offset, size, value.
    pub changed: Vec<(String, u64, u64, Value)>,
    /// Objects that hold anything now where no cell says otherwise.
    pub wild: Vec<String>,
    /// Objects that are left behind, and what became of those that were there.
    pub made: Vec<ObjectRecord>,
    pub alive: Vec<(String, Value)>,
    pub returns: Option<Value>,
    pub error: Option<Value>,
    pub gap: Option<Value>,
    /// The summary, as the bytes of its circuit; empty: nothing is known.
    pub summary: Vec<u8>,
}

/// Names of the interface variables of one call.
pub struct Names(FxHashMap<Term, Value>);

impl Names {
    pub fn of(interface: &Interface) -> Names {
        let mut names = FxHashMap::default();
        for (k, pair) in interface.imports.iter().enumerate() {
            names.insert(pair.inner, Value::In(k as u32));
        }
        for (k, pair) in interface.exports.iter().enumerate() {
            names.insert(pair.outer, Value::Out(k as u32));
        }
        Names(names)
    }

    /// None for what is none of the forms that cross borders.
    pub fn value(&self, term: Term) -> Option<Value> {
        if let Some(known) = self.0.get(&term) {
            return Some(known.clone());
        }
        let parts = || term.args().iter().map(|a| self.value(*a)).collect::<Option<Vec<Value>>>();
        Some(match (term.op(), term.sort()) {
            (Op::True, _) => Value::Bool(true),
            (Op::False, _) => Value::Bool(false),
            (Op::Bv(bits), Sort::Bv(width)) => Value::Bv(*bits, width),
            (Op::Float(bits), Sort::Float(e, s)) => Value::Float(*bits, e, s),
            (Op::FpFromBits, Sort::Float(e, s)) => {
                Value::AsFloat(Box::new(self.value(term.args()[0])?), e, s)
            }
            (Op::Ite, _) => Value::Ite(Box::new(parts()?.try_into().ok()?)),
            (Op::BvAdd, _) => Value::Add(parts()?),
            _ => return None,
        })
    }
}

impl Value {
    /// The term, with these for the imports and exports.
    pub fn term(&self, imports: &[Term], exports: &[Term]) -> Option<Term> {
        let part = |v: &Value| v.term(imports, exports);
        Some(match self {
            Value::Bool(value) => Term::bool(*value),
            Value::Bv(bits, width) => Term::bv(*bits, *width),
            Value::Float(bits, e, s) => Term::float(*bits, Sort::Float(*e, *s)),
            Value::In(k) => *imports.get(*k as usize)?,
            Value::Out(k) => *exports.get(*k as usize)?,
            Value::AsFloat(v, e, s) => {
                let bits = part(v)?;
                let fits = bits.sort() == Sort::Bv(e + s);
                return fits.then(|| Term::fp_from(Op::FpFromBits, bits, Sort::Float(*e, *s)));
            }
            Value::Ite(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (part(c)?, part(a)?, part(b)?);
                return (c.sort() == Sort::Bool && a.sort() == b.sort()).then(|| c.ite(a, b));
            }
            Value::Add(list) => {
                let terms = list.iter().map(part).collect::<Option<Vec<Term>>>()?;
                let first = *terms.first()?;
                let same = terms.iter().all(|t| t.sort() == first.sort() && matches!(t.sort(), Sort::Bv(_)));
                return same.then(|| terms.into_iter().reduce(Term::add).unwrap_or(first));
            }
        })
    }
}

impl Shape {
    pub fn of(sort: Sort) -> Option<Shape> {
        match sort {
            Sort::Bool => Some(Shape::Bool),
            Sort::Bv(width) => Some(Shape::Bv(width)),
            _ => None,
        }
    }

    pub fn sort(self) -> Sort {
        match self {
            Shape::Bool => Sort::Bool,
            Shape::Bv(width) => Sort::Bv(width.clamp(1, 128)),
        }
    }
}

/// What is to be kept of a call that was executed; None if something crosses its border that has no form for
/// it.
pub fn record(exec: &Exec, call: CallId) -> Option<Record> {
    let interface = exec.calls.get(call.0 as usize)?.interface.as_ref()?;
    let names = Names::of(interface);
    let outer = |pair: Pair| names.value(pair.outer);
    let inner = |pair: Pair| names.value(pair.inner);
    let shape = |terms: Vec<Term>| terms.iter().map(|t| Shape::of(t.sort())).collect::<Option<Vec<Shape>>>();
    let object_name = |id: ObjectId| exec.objects.get(id).name.clone();
    let global_name = |id: &ir::GlobalId| exec.names.get(id.0 as usize).cloned();
    let mut record = Record {
        args: interface.args.iter().map(|p| inner(*p)).collect::<Option<_>>()?,
        imports: shape(interface.imports.iter().map(|p| p.inner).collect())?,
        exports: shape(interface.exports.iter().map(|p| p.outer).collect())?,
        result: match interface.result {
            Some(pair) => Some(outer(pair)?),
            None => None,
        },
        returns: Some(outer(interface.returns?)?),
        error: Some(outer(interface.error?)?),
        gap: Some(outer(interface.gap?)?),
        ..Record::default()
    };
    for (id, pair) in &interface.globals {
        record.globals.push((global_name(id)?, inner(*pair)?));
    }
    for (id, (_, content)) in &interface.objects {
        record.objects.push(object(exec, &names, *id, content, interface)?);
    }
    for ((id, at, size), pair) in &interface.unwritten {
        record.unwritten.push((object_name(*id), *at, *size, inner(*pair)?));
    }
    for (id, pair) in &interface.changed_globals {
        record.changed_globals.push((global_name(id)?, outer(*pair)?));
    }
    for changed in &interface.changed {
        let value = outer(changed.value)?;
        record.changed.push((object_name(changed.object), changed.offset, changed.size, value));
    }
    record.wild = interface.wild.iter().map(|id| object_name(*id)).collect();
    for (id, pair) in &interface.alive {
        let known = interface.objects.contains_key(id);
        if known {
            record.alive.push((object_name(*id), outer(*pair)?));
        } else {
            let object = exec.objects.get(*id);
            record.made.push(ObjectRecord {
                name: object.name.clone(),
                size: names.value(interface.sizes.get(id).copied().unwrap_or(object.size))?,
                kind: kind_number(object.kind)?,
                constant: object.constant,
                start: start_number(&Start::Unwritten),
                alive: outer(*pair)?,
                cells: Vec::new(),
            });
        }
    }
    let imports = interface.imports.iter().map(|p| p.inner);
    let exports = interface.exports.iter().map(|p| p.outer);
    for term in imports.chain(exports) {
        if let Some(name) = exec.pointers.outside_name(term) {
            let kin = exec.pointers.kin(name).to_vec();
            record.outside.push((names.value(term)?, name.to_owned(), kin));
        }
    }
    Some(record)
}

fn object(
    exec: &Exec,
    names: &Names,
    id: ObjectId,
    content: &Rc<Content>,
    interface: &Interface,
) -> Option<ObjectRecord> {
    let object = exec.objects.get(id);
    let size = interface.sizes_in.get(&id).copied().unwrap_or(object.size);
    // A size that the call never looked at may be anything.
    let size = names.value(size).unwrap_or(Value::Bool(false));
    Some(ObjectRecord {
        name: object.name.clone(),
        size,
        kind: kind_number(object.kind)?,
        constant: object.constant,
        start: start_number(&content.start),
        alive: names.value(content.alive)?,
        cells: content
            .cells()
            .map(|(at, cell)| Some((at, cell.size, names.value(cell.value)?)))
            .collect::<Option<Vec<_>>>()?,
    })
}

pub fn start_number(start: &Start) -> u8 {
    match start {
        Start::Zero => 0,
        Start::Unwritten => 1,
        // Nobody cuts calls where memory is changed from outside.
        Start::Wild | Start::Of(..) | Start::Either(_) => 2,
    }
}

pub fn start_of(number: u8) -> Start {
    match number {
        0 => Start::Zero,
        1 => Start::Unwritten,
        _ => Start::Wild,
    }
}

pub fn kind_number(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Global(_) => 0,
        Kind::Made(ObjectKind::Heap) => 1,
        Kind::Made(ObjectKind::Local(..)) => 2,
        Kind::Made(ObjectKind::VarArgs) => 3,
        Kind::Made(ObjectKind::Stack) => 4,
        Kind::Outside => 5,
        Kind::Function(_) => 6,
        Kind::Made(_) | Kind::Changed { .. } => return None,
    })
}

/// A kind that behaves like the one of this number, for objects of other calls.
pub fn kind_like(number: u8) -> Kind {
    Kind::Made(match number {
        1 => ObjectKind::Heap,
        3 => ObjectKind::VarArgs,
        5 => return Kind::Outside,
        _ => ObjectKind::Stack,
    })
}

impl Record {
    pub fn circuit(&self) -> Option<(Aig, Lit)> {
        let (aig, roots) = Aig::from_bytes(&self.summary).ok()?;
        Some((aig, *roots.first()?))
    }
}

//! Addresses of variables and functions.
//!
//! An address is a variable named after its object, without a side: corresponding objects of two versions
//! have the same address. Constant objects correspond if their content does, whatever they are called (string
//! literals are numbered): two versions that pass different texts to an unknown function must not look the
//! same.

use super::Encoder;
use crate::mode::{IntMode, Unsupported};
use crate::names;
use crate::regions::RegionId;
use ir::{Expr, ExprDisplay, ExprKind, Global, InitValue, Program, Storage};
use logic::{IBig, Interval, Linear, Op, Term};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The function from a number and a size to the address of a new object.
pub(crate) const ALLOC: Op = Op::Apply("alloc");

#[derive(Default)]
pub struct Objects {
    /// What was mentioned so far, by name.
    known: FxHashMap<String, Term>,
    placed: Vec<Placed>,
    /// Of the variables in memory, by their addresses.
    sizes: FxHashMap<Term, u64>,
    functions: Vec<Term>,
    /// Of all globals, once one is needed.
    names: Vec<String>,
    /// All objects are of one execution: those that lie in different regions have different addresses, too.
    pub(crate) one_program: bool,
}

enum Object {
    /// Its address.
    Variable(Term),
    /// By the number of objects allocated before.
    Allocated(Term),
}

/// A variable in memory.
#[derive(Clone)]
struct Placed {
    regions: Vec<RegionId>,
    address: Term,
    size: u64,
    /// Two of them may be one: string literals.
    constant: bool,
}

/// So many objects that have nothing to do with each other are compared with each other.
const MOST_COMPARED: usize = 40;

impl Encoder<'_> {
    /// The address that an `AddrLocal`, `AddrGlobal`, `AddrFunc` or `VarArgs` stands for.
    pub(crate) fn address(&mut self, e: &Expr) -> Result<Term, Unsupported> {
        let function = self.program.function(self.function);
        let (name, storage) = match &e.kind {
            ExprKind::AddrGlobal(id) => {
                if self.objects.names.is_empty() {
                    self.objects.names = global_names(self.program);
                }
                let name = self.objects.names.get(id.0 as usize).cloned().unwrap_or_default();
                (name, self.program.global(*id).storage)
            }
            ExprKind::AddrLocal(id) => {
                let local = function.local(*id);
                (names::address_of_local(&function.name, &local.name), local.storage)
            }
            ExprKind::AddrFunc(id) => {
                return Ok(self.function_address(&self.program.function(*id).name));
            }
            _ => {
                let address = self.address_variable(names::address_of_arguments(&function.name)).0;
                return Ok(address);
            }
        };
        let (address, new) = self.address_variable(name);
        if new && let Storage::Memory { size, align } = storage {
            let mut regions = self.regions.around(self.index, self.function, e);
            // Nothing is written to a constant region, so overlaps would change nothing.
            regions.retain(|r| self.regions.list.get(r.0 as usize).is_some_and(|r| !r.constant));
            let constant = matches!(e.kind, ExprKind::AddrGlobal(id) if self.program.global(id).constant);
            self.place(Placed { regions, address, size, constant }, align);
        }
        Ok(address)
    }

    fn function_address(&mut self, name: &str) -> Term {
        let (address, new) = self.address_variable(names::address_of_function(name));
        if new {
            for other in self.objects.functions.clone() {
                self.fact(address.differs(other));
            }
            self.objects.functions.push(address);
        }
        address
    }

    /// The variable of this name, and whether it is new here. It is not null.
    fn address_variable(&mut self, name: String) -> (Term, bool) {
        if let Some(found) = self.objects.known.get(&name) {
            return (*found, false);
        }
        let address = Term::var(&name, self.mode.pointer(self.target()));
        self.objects.known.insert(name, address);
        self.outside(ir::Type::Ptr, address);
        self.not_null(address);
        (address, true)
    }

    pub(crate) fn not_null(&mut self, address: Term) {
        let null = Term::number(address.sort(), 0);
        self.fact(address.differs(null));
    }

    /// There is room for the object, it is aligned, and it overlaps no other one that was mentioned.
    fn place(&mut self, new: Placed, align: u64) {
        let Placed { address, size, .. } = new;
        let mask = u128::MAX >> (128 - u32::from(self.target().pointer_bits));
        let Some(last) = mask.checked_sub(u128::from(size)) else { return };
        match self.mode {
            IntMode::Bv => {
                self.fact(address.ule(Term::bv(last, address.width())));
                let zeros = align.trailing_zeros().min(address.width());
                if align.is_power_of_two() && zeros > 0 {
                    self.fact(address.extract(zeros - 1, 0).equals(Term::bv(0, zeros)));
                }
            }
            IntMode::Wrap => {
                let bounds = Interval::new(1, last);
                self.intervals.learn(address, &bounds);
                self.fact(address.int_le(Term::int(last)));
                if align > 1 {
                    self.fact(address.modulo(Term::int(align)).equals(Term::int(0)));
                }
            }
            IntMode::Unbounded => {}
        }
        for other in self.objects.placed.clone() {
            if other.regions.iter().any(|r| new.regions.contains(r)) {
                let before = self.ends_before(address, size, other.address);
                let behind = self.ends_before(other.address, other.size, address);
                self.fact(before.or(behind));
            } else if self.objects.one_program
                && self.objects.placed.len() < MOST_COMPARED
                && !(new.constant || other.constant)
                && size > 0
                && other.size > 0
            {
                self.fact(address.differs(other.address));
            }
        }
        self.objects.sizes.insert(address, size);
        self.objects.placed.push(new);
    }

    /// Are these different addresses, whatever the variables are, since their distance is known or they are
    /// in different objects? Then writes to one do not touch the other.
    pub(crate) fn apart(&mut self, a: Term, b: Term) -> bool {
        if self.mode == IntMode::Wrap && self.differ_modulo(u32::from(self.target().pointer_bits), a, b) {
            return true;
        }
        match (self.object(a), self.object(b)) {
            (Some(Object::Variable(x)), Some(Object::Variable(y))) => x != y,
            // An address that was given back is not given out again while somebody may still use it.
            (Some(Object::Allocated(x)), Some(Object::Allocated(y))) => {
                x.sub(y).as_int().is_some_and(|distance| *distance != IBig::ZERO)
            }
            (Some(_), Some(_)) => true,
            _ => false,
        }
    }

    /// The object that an address points into, if that can be seen.
    fn object(&mut self, address: Term) -> Option<Object> {
        let mut offset = Linear::of(address);
        let is_base = |t: &Term| self.objects.sizes.contains_key(t) || *t.op() == ALLOC;
        let mut bases = offset.terms.iter().filter(|(t, c)| **c == IBig::ONE && is_base(t)).map(|(t, _)| *t);
        let (Some(base), None) = (bases.next(), bases.next()) else { return None };
        let (object, size) = match self.objects.sizes.get(&base) {
            Some(size) => (Object::Variable(base), IBig::from(*size)),
            None => (Object::Allocated(base.args()[0]), base.args()[1].as_int()?.clone()),
        };
        offset.terms.remove(&base);
        let inside = if offset.is_constant() {
            IBig::ZERO <= offset.constant && offset.constant < size
        } else {
            let bounds = self.intervals.of(offset.to_term());
            bounds.is_some_and(|i| i.low >= IBig::ZERO && i.high < size)
        };
        inside.then_some(object)
    }

    /// Neither side wraps: there is room for every object.
    fn ends_before(&self, a: Term, size: u64, b: Term) -> Term {
        let end = a.add(Term::number(a.sort(), size));
        if self.mode == IntMode::Bv { end.ule(b) } else { end.int_le(b) }
    }
}

/// For every global `&name`; constant objects are named by their content, and numbered if a program has
/// several of one content.
fn global_names(program: &Program) -> Vec<String> {
    let mut seen: FxHashMap<String, u64> = FxHashMap::default();
    let name = |global: &Global| match content(program, global, MAX_DEPTH) {
        None => names::address(&global.name),
        Some(content) => {
            let count = seen.entry(content.clone()).or_default();
            *count += 1;
            names::address(&ir::names::numbered(&content, *count))
        }
    };
    program.globals.iter().map(name).collect()
}

/// Constant objects that point to others more than this deep are taken to depend on all constants of the
/// program.
const MAX_DEPTH: u32 = 4;

/// What a constant object holds, in short; None if it is not constant or defined elsewhere.
fn content(program: &Program, global: &Global, depth: u32) -> Option<String> {
    let (true, Some(init), Storage::Memory { size, align }) = (global.constant, &global.init, global.storage)
    else {
        return None;
    };
    let mut text = format!("{size},{align}");
    for item in &init.items {
        let _ = write!(text, ",{}:", item.offset);
        match &item.value {
            InitValue::Bytes(bytes) => {
                for b in bytes {
                    if b.is_ascii_alphanumeric() {
                        text.push(char::from(*b));
                    } else {
                        let _ = write!(text, "%{b:02x}");
                    }
                }
            }
            InitValue::Scalar(e) => write_scalar(program, e, depth, &mut text),
        }
    }
    Some(if text.len() > 60 { blake3::hash(text.as_bytes()).to_hex().to_string() } else { text })
}

fn write_scalar(program: &Program, e: &Expr, depth: u32, text: &mut String) {
    let _ = write!(text, "{}", ExprDisplay { program, function: None, expr: e });
    e.walk(&mut |part| {
        if let ExprKind::AddrGlobal(id) = part.kind {
            let pointee = match depth.checked_sub(1) {
                Some(depth) => content(program, program.global(id), depth),
                None => Some(all_constants(program)),
            };
            // A literal's number says nothing.
            if let Some(pointee) = pointee {
                let name = format!("{}", ExprDisplay { program, function: None, expr: part });
                *text = text.replace(&name, "");
                let _ = write!(text, "[{pointee}]");
            }
        }
    });
}

fn all_constants(program: &Program) -> String {
    let mut hasher = blake3::Hasher::new();
    for global in program.globals.iter().filter(|g| g.constant) {
        hasher.update(format!("{}{:?}", global.name, global.init).as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

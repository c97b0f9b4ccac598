//! A concrete world for encoded programs: values for everything that the encoding leaves open, the same that
//! the interpreter is given.
//!
//! Objects lie at addresses of our choice, so programs must not depend on where they lie. Memory that was
//! never written is zero. The n-th input and the result of the n-th call of an unknown function come from one
//! list.

use encode::memory::memory_sort;
use encode::{Encoder, IntMode, Regions, State};
use interp::{InputKind, InputRequest, Inputs};
use ir::{FuncId, Function, GlobalId, Init, InitValue, Program, Storage, Type};
use logic::{Op, Sort, Term, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;

pub struct World<'p> {
    pub program: &'p Program,
    pub mode: IntMode,
    pub regions: &'p Regions,
    pub inputs: Vec<u128>,
    /// Variables of the first state.
    values: BTreeMap<Term, Value>,
    addresses: RefCell<BTreeMap<String, u64>>,
}

impl<'p> World<'p> {
    /// With the state in which `f` starts.
    pub fn new(
        program: &'p Program,
        mode: IntMode,
        regions: &'p Regions,
        f: &Function,
        args: &[u128],
        inputs: &[u128],
    ) -> (World<'p>, State) {
        let mut world = World {
            program,
            mode,
            regions,
            inputs: inputs.to_vec(),
            values: BTreeMap::new(),
            addresses: RefCell::default(),
        };
        let mut locals = vec![None; f.locals.len()];
        for (i, (ty, bits)) in f.param_types().zip(args).enumerate() {
            locals[i] = Some(world.variable(&format!("p{i}"), ty, *bits));
        }
        let globals = program.globals.iter().map(|g| match g.storage {
            Storage::Register(ty) => Some(world.variable(&g.name, ty, initial(g.init.as_ref()))),
            Storage::Memory { .. } => None,
        });
        let globals = globals.collect();
        let token = |world: &mut World, name: &str| {
            let token = Term::var(name, Sort::Int);
            world.values.insert(token, Value::int(0));
            token
        };
        let memory = regions.list.iter().enumerate().map(|(k, region)| {
            let sort = memory_sort(mode, &program.target, region.layout).unwrap();
            let array = Term::var(&format!("memory{k}"), sort);
            world.values.insert(array, Value::zero(sort));
            array
        });
        let memory = memory.collect();
        let state = State {
            locals,
            globals,
            memory,
            world: token(&mut world, "world"),
            allocations: token(&mut world, "allocations"),
            inputs: token(&mut world, "inputs"),
        };
        (world, state)
    }

    fn variable(&mut self, name: &str, ty: Type, bits: u128) -> Term {
        let var = Term::var(name, self.mode.sort(ty, &self.program.target).unwrap());
        self.values.insert(var, crate::support::value(self.mode, &self.program.target, ty, bits));
        var
    }

    pub fn encoder(&self, function: FuncId) -> Encoder<'p> {
        Encoder::new(self.program, 0, function, self.mode, self.regions, "")
    }

    /// Puts an object where the interpreter has it.
    pub fn place(&mut self, name: &str, address: u64) {
        self.addresses.borrow_mut().insert(name.to_owned(), address);
    }

    /// A new variable with the value that a term has; None if it has none.
    pub fn named(&mut self, name: &str, term: Term) -> Option<Term> {
        let value = self.value(term)?;
        let var = Term::var(name, term.sort());
        self.values.insert(var, value);
        Some(var)
    }

    /// The first state, as equations.
    pub fn equations(&self) -> Vec<Term> {
        self.values.iter().map(|(var, value)| var.equals(value.to_term())).collect()
    }

    pub fn value(&self, term: Term) -> Option<Value> {
        logic::eval(term, &|t| self.known(t))
    }

    pub fn holds(&self, term: Term) -> bool {
        self.value(term).and_then(|v| v.as_bool()).unwrap_or_else(|| panic!("no value: {term}"))
    }

    fn known(&self, term: Term) -> Option<Value> {
        if let Some(value) = self.values.get(&term) {
            return Some(value.clone());
        }
        let pointer = |address: u64| Some(Value::number(term.sort(), &address.into()));
        match term.op() {
            Op::Var(name) if name.starts_with('&') => {
                let mut addresses = self.addresses.borrow_mut();
                let next = 0x1_0000 * (addresses.len() as u64 + 1);
                pointer(*addresses.entry((*name).to_owned()).or_insert(next))
            }
            // Neither an uninitialised variable nor anything else has another value.
            Op::Var(_) => Some(Value::zero(term.sort())),
            Op::Apply(name) => {
                let number = |t: Term| usize::try_from(t.as_int()?.clone()).ok();
                let (first, last) = (*term.args().first()?, *term.args().last()?);
                match name.strip_prefix("extern.") {
                    Some(part) if part.ends_with(".world") => Some(Value::int(number(last)? as u64 + 1)),
                    // Unknown functions leave memory and globals alone.
                    Some(part) if part.contains(".memory.") || part.contains(".global.") => {
                        self.unchanged(part, term)
                    }
                    Some(_) => self.input(number(last)?, term.sort()),
                    None if name.starts_with("input.") => self.input(number(first)?, term.sort()),
                    None if *name == "alloc" => pointer(0x100_0000 + 0x1_0000 * number(first)? as u64),
                    None => None,
                }
            }
            _ => None,
        }
    }

    fn unchanged(&self, part: &str, term: Term) -> Option<Value> {
        let index = part.rsplit('.').next()?.parse::<usize>().ok();
        let escaping = |k: usize| self.regions.list[k].escapes && !self.regions.list[k].constant;
        match index.filter(|_| part.contains(".memory.")) {
            Some(k) => {
                let position = (0..k).filter(|k| escaping(*k)).count();
                Value::of(*term.args().iter().filter(|a| a.sort().is_array()).nth(position)?)
            }
            // Programs here have at most one register global; it comes before the world.
            None => Value::of(*term.args().iter().rev().nth(1)?),
        }
    }

    /// The n-th input, cut to the sort.
    fn input(&self, n: usize, sort: Sort) -> Option<Value> {
        let bits = self.inputs.get(n).copied().unwrap_or(0);
        Some(match sort {
            // Inputs are of type i32 here.
            Sort::Int => Value::int(bits as u32 as i32),
            _ => Value::bv(bits, sort.width()?),
        })
    }
}

fn initial(init: Option<&Init>) -> u128 {
    let item = init.and_then(|init| init.items.first());
    match item.map(|item| &item.value) {
        Some(InitValue::Scalar(e)) => e.as_const().unwrap(),
        Some(InitValue::Bytes(bytes)) => bytes.iter().rev().fold(0, |bits, b| bits << 8 | u128::from(*b)),
        None => 0,
    }
}

/// The same inputs for the interpreter.
pub struct Answers<'a> {
    pub list: &'a [u128],
    pub inputs: usize,
    pub calls: usize,
}

impl Inputs for Answers<'_> {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let answer = |n: usize| self.list.get(n).copied().unwrap_or(0);
        Some(match request.kind {
            InputKind::Input(_) => {
                self.inputs += 1;
                answer(self.inputs - 1)
            }
            InputKind::ExternReturn(_) => answer(self.calls - 1),
            _ => 0,
        })
    }

    fn calling(&mut self, _function: FuncId, _args: &[(Type, u128)]) -> Option<u128> {
        self.calls += 1;
        None
    }
}

/// The value that a register global has at the end, as the interpreter shows it.
pub fn register_globals(program: &Program) -> impl Iterator<Item = (GlobalId, Type)> + '_ {
    program.globals.iter().enumerate().filter_map(|(i, g)| match g.storage {
        Storage::Register(ty) => Some((GlobalId(i as u32), ty)),
        Storage::Memory { .. } => None,
    })
}

//! Regions of memory: what can overlap is in one region.
//!
//! One analysis covers one program, or two that are compared, so that both are divided alike. `collect` and
//! `operations` turn the programs into a points-to graph (`points_to`, over expressions as `eval` walks them
//! and offsets as `residue` knows them), and `divide` turns its cells into regions. The heads of `points_to`
//! and `divide` say how, and what is assumed of unknown code.
//!
//! What holds of every execution that starts in a root: two accesses that touch a common byte of an object
//! are in the same region. Assumed, as for all objects: addresses are not guessed, and pointer arithmetic
//! stays in its object.

mod collect;
mod divide;
mod effects;
mod eval;
mod operations;
mod points_to;
mod residue;
mod result;

use ir::names::qualified;
use ir::{EdgeId, Expr, FuncId, GlobalId, LocalId, Program, Type};
use std::collections::BTreeSet;

/// An index into [`Regions::list`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegionId(pub u32);

/// How the content of a region is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// All accesses are of this type's size, and two of them coincide or are disjoint, so the array holds a
    /// whole value at its address.
    Cells(Type),
    /// One byte at each address.
    Bytes,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    pub layout: Layout,
    /// Can functions without a body, and the caller of the compared function, reach it?
    pub escapes: bool,
    /// Holds only constant objects and is never written.
    pub constant: bool,
    /// Some operation of the programs writes it.
    pub written: bool,
    /// Unique; for messages, too: a variable that lies in it or points into it.
    pub name: String,
}

impl Region {
    /// May unknown code write to it?
    pub fn is_shared(&self) -> bool {
        self.escapes && !self.constant
    }
}

/// What lies in a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ObjectKind {
    Global(GlobalId),
    Local(FuncId, LocalId),
    /// What an `Alloc` edge makes.
    Site(FuncId, EdgeId),
    /// The extra arguments of activations of a function.
    VarArgs(FuncId),
    Function(FuncId),
    /// The arguments of `main`.
    Arguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory that comes from unknown code has types: accesses of different types through its pointers do not
    /// overlap.
    pub assume_types: bool,
}

/// The division of the memory of one or two programs. The default one divides nothing: for those who have a
/// memory of their own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Regions {
    /// At least one.
    pub list: Vec<Region>,
    /// Regions are apart only because memory from outside has types.
    pub assumes_types: bool,
    frozen: result::Frozen,
    effects: effects::Effects,
    calls_outside: Vec<(usize, FuncId)>,
    objects: Vec<Vec<(usize, ObjectKind)>>,
}

impl Default for Options {
    fn default() -> Self {
        Options { assume_types: true }
    }
}

impl Regions {
    /// Regions for programs that are compared (or one that is verified): `roots[i]` are functions of
    /// `programs[i]` that unknown code calls, in any state; `main` is only called at the start. Without
    /// roots, all functions are. Roots at the same place of both lists are versions of one function, whatever
    /// their names are.
    pub fn analyse(programs: &[&Program], roots: &[Vec<FuncId>]) -> Regions {
        Regions::analyse_with(programs, roots, &Options::default())
    }

    pub fn analyse_with(programs: &[&Program], roots: &[Vec<FuncId>], options: &Options) -> Regions {
        let mut all = collect::collect(programs, roots);
        let division = divide::divide(programs, &mut all, options);
        result::freeze(programs, &mut all, &division)
    }

    /// The region that an address expression of a function points into. If no access in the programs goes
    /// there, the first region of the object; if there is none, any region.
    pub fn of(&self, program: usize, function: FuncId, address: &Expr) -> RegionId {
        self.frozen.region(program, function, address).unwrap_or(RegionId(0))
    }

    /// All regions of the objects that an address expression points into, ascending; an object with fields of
    /// different types has several.
    pub fn around(&self, program: usize, function: FuncId, address: &Expr) -> Vec<RegionId> {
        self.frozen.around(program, function, address)
    }

    /// The functions of a program in which a call through a pointer may run unknown code.
    pub fn calls_outside(&self, program: usize) -> Vec<FuncId> {
        self.calls_outside.iter().filter(|(index, _)| *index == program).map(|(_, id)| *id).collect()
    }

    /// What a function, with all it calls, can write. Functions without a body write everything that escapes.
    pub fn written_by(&self, program: usize, function: FuncId) -> BTreeSet<RegionId> {
        self.effects.written(program, function, &self.list)
    }

    pub fn read_by(&self, program: usize, function: FuncId) -> BTreeSet<RegionId> {
        self.effects.read(program, function, &self.list)
    }

    /// The objects that lie in a region, at least in part, with the program that has them.
    pub fn objects(&self, region: RegionId) -> &[(usize, ObjectKind)] {
        self.objects.get(region.0 as usize).map_or(&[], |list| list)
    }
}

impl ObjectKind {
    /// The declared type.
    fn c_type(self, program: &Program) -> Option<&str> {
        match self {
            ObjectKind::Global(id) => program.globals.get(id.0 as usize).map(|g| &*g.c_type),
            ObjectKind::Local(f, id) => {
                let function = program.functions.get(f.0 as usize)?;
                function.locals.get(id.0 as usize).map(|l| &*l.c_type)
            }
            _ => None,
        }
    }

    fn is_constant(self, program: &Program) -> bool {
        match self {
            ObjectKind::Global(id) => program.globals.get(id.0 as usize).is_some_and(|g| g.constant),
            ObjectKind::Function(_) => true,
            _ => false,
        }
    }

    fn name(self, program: &Program) -> Option<String> {
        let function = |id: FuncId| program.functions.get(id.0 as usize);
        Some(match self {
            ObjectKind::Global(id) => program.globals.get(id.0 as usize)?.name.to_string(),
            ObjectKind::Local(f, id) => {
                let function = function(f)?;
                qualified(&function.name, &function.locals.get(id.0 as usize)?.name)
            }
            ObjectKind::VarArgs(f) => qualified(&function(f)?.name, "..."),
            ObjectKind::Function(f) => function(f)?.name.to_string(),
            ObjectKind::Arguments => "argv".to_owned(),
            ObjectKind::Site(..) => return None,
        })
    }
}

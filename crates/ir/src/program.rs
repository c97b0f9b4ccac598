//! Programs: globals, functions and their variables.

use crate::cfa::Cfa;
use crate::expr::{Expr, ExprKind};
use crate::types::{Target, Type};
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalId(pub u32);
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LocalId(pub u32);

/// A register variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    Local(LocalId),
    Global(GlobalId),
}

/// A place in the user's source: an index into [`Program::files`], line and column from 1; all 0 if unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Pos {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub target: Target,
    pub files: Vec<Arc<str>>,
    /// Shared with copies of the program, as functions are: most copies change a few functions.
    pub globals: Arc<Vec<Global>>,
    pub functions: Vec<Arc<Function>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A scalar whose address is never taken.
    Register(Type),
    /// A memory object.
    Memory { size: u64, align: u64 },
}

impl Storage {
    /// The type of what a register holds.
    pub fn register(self) -> Option<Type> {
        match self {
            Storage::Register(ty) => Some(ty),
            Storage::Memory { .. } => None,
        }
    }

    /// In bytes, as in memory.
    pub fn size(self, target: &Target) -> u64 {
        match self {
            Storage::Register(ty) => ty.access_size(target),
            Storage::Memory { size, .. } => size,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Unique in the program. Static locals are `function::name`, file-static variables that clash
    /// `file::name`, string literals `.str.N`.
    pub name: Arc<str>,
    pub storage: Storage,
    /// None: defined elsewhere, so its initial value is arbitrary.
    pub init: Option<Init>,
    /// Never written after initialisation (`const`, string literals).
    pub constant: bool,
    /// Visible to other translation units, or volatile: others may change it.
    pub external: bool,
    /// The type as the user wrote it, for messages.
    pub c_type: Arc<str>,
    pub pos: Pos,
}

/// Everything not named by an item is zero. Items ascend and do not overlap. A register has at most one item,
/// a constant expression of its type at offset 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Init {
    pub items: Vec<InitItem>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitItem {
    pub offset: u64,
    pub value: InitValue,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitValue {
    Bytes(Vec<u8>),
    /// A constant: `Const`, `AddrGlobal`, `AddrFunc`, or one of them plus a constant offset (`PtrAdd`),
    /// possibly cast.
    Scalar(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalOrigin {
    Param,
    /// Declared by the user (or a field of a split struct).
    User,
    /// Made by lowering.
    Temp,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Unique in the function. Fields of split structs are `s.f`; shadowed names get a suffix `#2`.
    pub name: Arc<str>,
    pub storage: Storage,
    pub origin: LocalOrigin,
    pub c_type: Arc<str>,
    pub pos: Pos,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Unique in the program; file-static functions that clash are `file::name`.
    pub name: Arc<str>,
    /// None for `void`.
    pub ret: Option<Type>,
    /// The first `params` locals are the parameters, all registers.
    pub params: u32,
    pub variadic: bool,
    pub locals: Vec<Local>,
    pub body: Body,
    /// Without a body: may change all that it can reach, besides returning a value. That is memory that its
    /// arguments lead to, globals of external linkage, what these lead to, and whatever an earlier call of
    /// such a function could reach. Constants stay, nothing is freed, and nothing of the program is called
    /// back.
    pub havocs: bool,
    /// The C type, for messages: `int (char *, int)`.
    pub c_type: Arc<str>,
    pub pos: Pos,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    Defined(Cfa),
    /// No definition in the program: returns any value of its type, and see [`Function::havocs`].
    Extern,
    /// Uses what the front end cannot handle; calling it makes the answer unknown.
    Poisoned {
        reason: Arc<str>,
        pos: Pos,
    },
}

impl Global {
    /// May code outside of the program change it? (The C library's streams are left alone.)
    pub fn is_shared(&self) -> bool {
        self.is_visible() && !self.constant
    }

    /// May code outside of the program read it, and follow the pointers in it?
    pub fn is_visible(&self) -> bool {
        self.external && !is_stream(&self.name)
    }

    /// What a register starts with; none if it is defined elsewhere, and of memory.
    pub fn initial_register(&self) -> Option<Expr> {
        let (Storage::Register(ty), Some(_)) = (self.storage, &self.init) else { return None };
        Some(self.initial_values().next().cloned().unwrap_or(Expr { ty, kind: ExprKind::Const(0) }))
    }

    /// The values in its initialiser, in order, without plain bytes.
    pub fn initial_values(&self) -> impl Iterator<Item = &Expr> {
        let items = self.init.iter().flat_map(|init| &init.items);
        items.filter_map(|item| match &item.value {
            InitValue::Scalar(e) => Some(e),
            InitValue::Bytes(_) => None,
        })
    }
}

/// The C library's streams: pointers that the program may pass on but not look into.
pub fn is_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

/// What was read from a volatile object is kept in a temporary whose type is this and the name of the object.
pub const VOLATILE_TYPE: &str = "volatile ";

/// What the front end says of a function as a whole, beyond what it does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// An order of evaluation matters that C leaves open.
    Unordered,
    /// It writes to volatile objects.
    WritesVolatile,
    /// It makes pointers to types that need a stricter alignment than what the pointers were made of.
    Realigns,
    /// It makes pointers of others by an offset, or compares or subtracts pointers.
    MovesPointers,
    /// It uses weak symbols: others may define them instead, or nobody.
    Weak,
    /// A function of the library whose answer C leaves open in part, of which this is one.
    OneAnswer,
    /// It ends the process without the library's clean-up (`_exit`), or by a trap.
    EndsAtOnce,
}

impl Mark {
    /// A function with the mark has a temporary of this type, which nobody uses.
    pub fn c_type(self) -> &'static str {
        match self {
            Mark::Unordered => "unordered",
            Mark::WritesVolatile => "writes volatile",
            Mark::Realigns => "realigns",
            Mark::MovesPointers => "moves pointers",
            Mark::Weak => "weak",
            Mark::OneAnswer => "one answer",
            Mark::EndsAtOnce => "ends at once",
        }
    }
}

/// The texts that `main` is given are objects of it: this and a number.
pub const ARGUMENT: &str = ".argument";

impl Function {
    /// Names of volatile objects that are read.
    pub fn volatile_reads(&self) -> impl Iterator<Item = &str> {
        let temps = self.locals.iter().filter(|local| local.origin == LocalOrigin::Temp);
        temps.filter_map(|local| local.c_type.strip_prefix(VOLATILE_TYPE))
    }

    pub fn is_marked(&self, mark: Mark) -> bool {
        let marks = |local: &Local| local.origin == LocalOrigin::Temp && &*local.c_type == mark.c_type();
        self.locals.iter().any(marks)
    }

    /// How many arguments `main` gets at most, and how many characters each has at most; none where there is
    /// no bound.
    pub fn arguments(&self) -> Option<(u64, u64)> {
        let texts = || self.locals.iter().filter(|local| local.name.starts_with(ARGUMENT));
        match texts().next()?.storage {
            Storage::Memory { size, .. } => Some((texts().count() as u64, size.saturating_sub(1))),
            Storage::Register(_) => None,
        }
    }

    pub fn cfa(&self) -> Option<&Cfa> {
        match &self.body {
            Body::Defined(cfa) => Some(cfa),
            _ => None,
        }
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    pub fn param_types(&self) -> impl Iterator<Item = Type> + '_ {
        self.locals[..self.params as usize].iter().filter_map(|l| l.storage.register())
    }
}

impl Program {
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn add_function(&mut self, function: Function) -> FuncId {
        self.functions.push(Arc::new(function));
        FuncId(self.functions.len() as u32 - 1)
    }

    /// To be changed in this program only.
    pub fn function_mut(&mut self, id: FuncId) -> &mut Function {
        Arc::make_mut(&mut self.functions[id.0 as usize])
    }

    /// To be changed in this program only.
    pub fn globals_mut(&mut self) -> &mut Vec<Global> {
        Arc::make_mut(&mut self.globals)
    }

    /// The values in all initialisers.
    pub fn initial_values(&self) -> impl Iterator<Item = &Expr> {
        self.globals.iter().flat_map(Global::initial_values)
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The type of a variable as `function` sees it, if there is such a variable and it is a register.
    pub fn register(&self, function: &Function, var: Var) -> Option<Type> {
        let storage = match var {
            Var::Local(id) => function.locals.get(id.0 as usize)?.storage,
            Var::Global(id) => self.globals.get(id.0 as usize)?.storage,
        };
        storage.register()
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len() as u32).map(FuncId)
    }

    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| &*f.name == name).map(|i| FuncId(i as u32))
    }

    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().position(|g| &*g.name == name).map(|i| GlobalId(i as u32))
    }
}

//! Programs as text. [`crate::parse`] reads the text back into an equal program.
//!
//! The text, by example:
//! ```text
//! target lp64
//! file "a.c"
//! global n: i32 "int" @1:5 = {0: 7i32}
//! static const .str.0: memory 3 align 1 "char [3]" = {0: b"hi\x00"}
//! func f(p: ptr "int *" @3:12, ...) -> i32 "int (int *, ...)" @3:5 {
//!   local x: i32 "int" @4:7
//!   nodes 4 entry 0 exit 3
//!   0 -> 1: x = i32[p + 4i64] @4:11
//!   1 -> 2: assume x < @n @5:3
//!   1 -> 3: ...
//! }
//! ```
//! - Locals are bare names, globals have an `@`; names that would not read back are quoted like strings.
//! - `@line:column`, or `@file:line:column` if the file is not the first, is a position.
//! - `i32[p]` is a load (or the target of a store), `i32(e)` a cast, `7i32` a constant,
//!   `f80#3fff8000000000000000` the bits of one that has no better spelling.
//! - Operators do not chain: everything below the topmost has parentheses. `+` and `-` after a pointer are
//!   `PtrAdd` and `PtrSub`; what else the text leaves out follows from the operands' types.
//!
//! Programs that [`crate::verify`] rejects print too, but need not read back.

use crate::cfa::{AllocKind, Callee, Cfa, Edge, HavocKind, Op};
use crate::expr::{Expr, ExprKind, Spelling};
use crate::lex::{is_bare, is_reserved};
use crate::program::{
    Body, FuncId, Function, Global, InitValue, Local, LocalId, LocalOrigin, Pos, Program, Storage, Var,
};
use crate::types::{FloatType, Type};
use std::fmt::{self, Display, Formatter, Write};

pub fn print(program: &Program) -> String {
    let mut out = format!("target {}\n", program.target.name);
    for file in &program.files {
        let _ = writeln!(out, "file {}", Quoted(file.as_bytes()));
    }
    for global in program.globals.iter() {
        let _ = writeln!(out, "{}", GlobalDisplay { program, global });
    }
    for function in &program.functions {
        let _ = write!(out, "\n{}", FunctionDisplay { program, function });
    }
    out
}

/// The text of one function; empty if there is none with this id.
pub fn print_function(program: &Program, id: FuncId) -> String {
    match program.functions.get(id.0 as usize) {
        Some(function) => FunctionDisplay { program, function }.to_string(),
        None => String::new(),
    }
}

/// An expression with the names that it has in `function` (none for initialisers).
pub struct ExprDisplay<'a> {
    pub program: &'a Program,
    pub function: Option<&'a Function>,
    pub expr: &'a Expr,
}

/// An operation, without its position.
pub struct OpDisplay<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub op: &'a Op,
}

impl Display for ExprDisplay<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        Names { program: self.program, function: self.function }.expr(f, self.expr, false)
    }
}

impl Display for OpDisplay<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        Names { program: self.program, function: Some(self.function) }.op(f, self.op)
    }
}

struct Names<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
}

impl Names<'_> {
    fn local(&self, f: &mut Formatter, id: LocalId) -> fmt::Result {
        match self.function.and_then(|function| function.locals.get(id.0 as usize)) {
            Some(local) => LocalName(&local.name).fmt(f),
            None => write!(f, "?local{}", id.0),
        }
    }

    fn global(&self, f: &mut Formatter, id: u32) -> fmt::Result {
        match self.program.globals.get(id as usize) {
            Some(global) => write!(f, "@{}", Name(&global.name)),
            None => write!(f, "?global{id}"),
        }
    }

    fn func(&self, f: &mut Formatter, id: FuncId) -> fmt::Result {
        match self.program.functions.get(id.0 as usize) {
            Some(function) => Name(&function.name).fmt(f),
            None => write!(f, "?func{}", id.0),
        }
    }

    fn var(&self, f: &mut Formatter, var: Var) -> fmt::Result {
        match var {
            Var::Local(id) => self.local(f, id),
            Var::Global(id) => self.global(f, id.0),
        }
    }

    /// `tight`: next to an operator, so that infix operators need parentheses.
    fn expr(&self, f: &mut Formatter, e: &Expr, tight: bool) -> fmt::Result {
        match &e.kind {
            ExprKind::Const(bits) => constant(f, e.ty, *bits),
            ExprKind::Local(id) => self.local(f, *id),
            ExprKind::Global(id) => self.global(f, id.0),
            ExprKind::AddrLocal(id) => {
                f.write_char('&')?;
                self.local(f, *id)
            }
            ExprKind::AddrGlobal(id) => {
                f.write_char('&')?;
                self.global(f, id.0)
            }
            ExprKind::AddrFunc(id) => {
                f.write_str("func ")?;
                self.func(f, *id)
            }
            ExprKind::VarArgs => f.write_str("varargs"),
            ExprKind::Load(addr) => {
                write!(f, "{}[", e.ty)?;
                self.expr(f, addr, false)?;
                f.write_char(']')
            }
            ExprKind::Cast(inner) => {
                write!(f, "{}(", e.ty)?;
                self.expr(f, inner, false)?;
                f.write_char(')')
            }
            ExprKind::Unary(op, a) => match op.spelling(e.ty) {
                Spelling::Name(name) => self.form(f, name, &[a]),
                Spelling::Sign(sign) => {
                    f.write_str(sign)?;
                    // A minus sign right before a number belongs to the number.
                    if matches!(a.kind, ExprKind::Const(_)) {
                        f.write_char('(')?;
                        self.expr(f, a, false)?;
                        f.write_char(')')
                    } else {
                        self.expr(f, a, true)
                    }
                }
            },
            ExprKind::Binary(op, a, b) => match op.spelling() {
                Spelling::Name(name) => self.form(f, name, &[a, b]),
                Spelling::Sign(sign) => {
                    f.write_str(if tight { "(" } else { "" })?;
                    self.expr(f, a, true)?;
                    write!(f, " {sign} ")?;
                    self.expr(f, b, true)?;
                    f.write_str(if tight { ")" } else { "" })
                }
            },
            ExprKind::Ite(list) => self.form(f, "ite", &[&list[0], &list[1], &list[2]]),
            ExprKind::Valid { ptr, size, write } => {
                self.form(f, if *write { "valid_write" } else { "valid_read" }, &[ptr, size])
            }
            ExprKind::Freeable(ptr) => self.form(f, "freeable", &[ptr]),
            ExprKind::ObjectSize(ptr) => self.form(f, "object_size", &[ptr]),
            ExprKind::HeapKept { rule, also } => {
                self.form(f, rule.name(), &also.as_deref().into_iter().collect::<Vec<_>>())
            }
        }
    }

    fn form(&self, f: &mut Formatter, name: &str, args: &[&Expr]) -> fmt::Result {
        write!(f, "{name}(")?;
        self.list(f, args)?;
        f.write_char(')')
    }

    fn list(&self, f: &mut Formatter, list: &[&Expr]) -> fmt::Result {
        for (i, e) in list.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            self.expr(f, e, false)?;
        }
        Ok(())
    }

    fn op(&self, f: &mut Formatter, op: &Op) -> fmt::Result {
        match op {
            Op::Skip => f.write_str("skip"),
            Op::Assume { cond, holds } => {
                f.write_str(if *holds { "assume " } else { "assume not " })?;
                self.expr(f, cond, false)
            }
            Op::Assign { var, value } => {
                self.var(f, *var)?;
                f.write_str(" = ")?;
                self.expr(f, value, false)
            }
            Op::Store { addr, value } => {
                write!(f, "{}[", value.ty)?;
                self.expr(f, addr, false)?;
                f.write_str("] = ")?;
                self.expr(f, value, false)
            }
            Op::Havoc { var, kind } => {
                self.var(f, *var)?;
                match kind {
                    HavocKind::Input(name) => write!(f, " = input {}", Quoted(name.as_bytes())),
                    HavocKind::Uninit => f.write_str(" = uninit"),
                    HavocKind::Asm => f.write_str(" = asm"),
                }
            }
            Op::Copy { dst, src, len } => {
                f.write_str("copy ")?;
                self.list(f, &[dst, src, len])
            }
            Op::Fill { dst, byte, len } => {
                f.write_str("fill ")?;
                self.list(f, &[dst, byte, len])
            }
            Op::Alloc { var, size, kind } => {
                self.var(f, *var)?;
                f.write_str(match kind {
                    AllocKind::Heap => " = alloc heap ",
                    AllocKind::Stack => " = alloc stack ",
                })?;
                self.expr(f, size, false)
            }
            Op::Free { ptr } => {
                f.write_str("free ")?;
                self.expr(f, ptr, false)
            }
            Op::Lifetime { ptr, begins } => {
                f.write_str(if *begins { "begin_life " } else { "end_life " })?;
                self.expr(f, ptr, false)
            }
            Op::Call { dst, callee, args } => {
                if let Some(dst) = dst {
                    self.var(f, *dst)?;
                    f.write_str(" = ")?;
                }
                f.write_str("call ")?;
                match callee {
                    Callee::Direct(id) => self.func(f, *id)?,
                    Callee::Indirect(e) => {
                        f.write_str("*(")?;
                        self.expr(f, e, false)?;
                        f.write_char(')')?;
                    }
                }
                self.form(f, "", &args.iter().collect::<Vec<_>>())
            }
            Op::Return(value) => self.optional(f, "return", value),
            Op::Halt(code) => self.optional(f, "halt", code),
            Op::Check { kind, cond, message } => {
                write!(f, "check {} ", kind.name())?;
                self.expr(f, cond, false)?;
                match message {
                    Some(text) => write!(f, " {}", Quoted(text.as_bytes())),
                    None => Ok(()),
                }
            }
        }
    }

    fn optional(&self, f: &mut Formatter, word: &str, e: &Option<Expr>) -> fmt::Result {
        f.write_str(word)?;
        match e {
            Some(e) => {
                f.write_char(' ')?;
                self.expr(f, e, false)
            }
            None => Ok(()),
        }
    }
}

fn constant(f: &mut Formatter, ty: Type, bits: u128) -> fmt::Result {
    match ty {
        Type::Bool if bits < 2 => f.write_str(if bits == 1 { "true" } else { "false" }),
        Type::Int(int) if bits <= int.mask() => match int.signed {
            true => write!(f, "{}{int}", int.value(bits)),
            false => write!(f, "{bits}{int}"),
        },
        Type::Ptr if bits == 0 => f.write_str("null"),
        Type::Ptr => write!(f, "{bits}ptr"),
        Type::Float(FloatType::F32) if bits >> 32 == 0 && f32::from_bits(bits as u32).is_finite() => {
            write!(f, "{:?}f32", f32::from_bits(bits as u32))
        }
        Type::Float(FloatType::F64) if bits >> 64 == 0 && f64::from_bits(bits as u64).is_finite() => {
            write!(f, "{:?}f64", f64::from_bits(bits as u64))
        }
        _ => write!(f, "{ty}#{bits:x}"),
    }
}

struct GlobalDisplay<'a> {
    program: &'a Program,
    global: &'a Global,
}

impl Display for GlobalDisplay<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Global { name, storage, init, constant, external, c_type, pos } = self.global;
        f.write_str(if *external { "" } else { "static " })?;
        f.write_str(if *constant { "const " } else { "global " })?;
        write!(f, "{}: {}{}{}", Name(name), StorageDisplay(*storage), CType(c_type), PosDisplay(*pos))?;
        let Some(init) = init else { return Ok(()) };
        f.write_str(" = {")?;
        for (i, item) in init.items.iter().enumerate() {
            write!(f, "{}{}: ", if i > 0 { ", " } else { "" }, item.offset)?;
            match &item.value {
                InitValue::Bytes(bytes) => write!(f, "b{}", Quoted(bytes))?,
                InitValue::Scalar(e) => {
                    Names { program: self.program, function: None }.expr(f, e, false)?;
                }
            }
        }
        f.write_char('}')
    }
}

struct FunctionDisplay<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Display for FunctionDisplay<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Function { name, ret, params, variadic, locals, body, havocs, c_type, pos } = self.function;
        let params = (*params as usize).min(locals.len());
        write!(f, "func {}(", Name(name))?;
        for (i, local) in locals[..params].iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            if local.origin != LocalOrigin::Param {
                write!(f, "{} ", origin_name(local.origin))?;
            }
            LocalDisplay(local).fmt(f)?;
        }
        if *variadic {
            f.write_str(if params > 0 { ", ..." } else { "..." })?;
        }
        f.write_char(')')?;
        if let Some(ret) = ret {
            write!(f, " -> {ret}")?;
        }
        write!(f, "{}{}", CType(c_type), PosDisplay(*pos))?;
        match body {
            Body::Defined(_) => {}
            Body::Extern => f.write_str(if *havocs { " extern havocs" } else { " extern" })?,
            Body::Poisoned { reason, pos } => {
                write!(f, " poisoned {}{}", Quoted(reason.as_bytes()), PosDisplay(*pos))?;
            }
        }
        let others = &locals[params..];
        if others.is_empty() && !matches!(body, Body::Defined(_)) {
            return f.write_char('\n');
        }
        f.write_str(" {\n")?;
        for local in others {
            writeln!(f, "  {} {}", origin_name(local.origin), LocalDisplay(local))?;
        }
        if let Body::Defined(cfa) = body {
            self.cfa(f, cfa)?;
        }
        f.write_str("}\n")
    }
}

impl FunctionDisplay<'_> {
    fn cfa(&self, f: &mut Formatter, cfa: &Cfa) -> fmt::Result {
        writeln!(f, "  nodes {} entry {} exit {}", cfa.node_count(), cfa.entry.0, cfa.exit.0)?;
        let names = Names { program: self.program, function: Some(self.function) };
        for Edge { from, to, op, pos } in cfa.edges() {
            write!(f, "  {} -> {}: ", from.0, to.0)?;
            names.op(f, op)?;
            writeln!(f, "{}", PosDisplay(*pos))?;
        }
        Ok(())
    }
}

struct LocalDisplay<'a>(&'a Local);

impl Display for LocalDisplay<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let Local { name, storage, origin: _, c_type, pos } = self.0;
        write!(f, "{}: {}{}{}", LocalName(name), StorageDisplay(*storage), CType(c_type), PosDisplay(*pos))
    }
}

pub(crate) fn origin_name(origin: LocalOrigin) -> &'static str {
    match origin {
        LocalOrigin::Param => "param",
        LocalOrigin::User => "local",
        LocalOrigin::Temp => "temp",
    }
}

struct StorageDisplay(Storage);

impl Display for StorageDisplay {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.0 {
            Storage::Register(ty) => ty.fmt(f),
            Storage::Memory { size, align } => write!(f, "memory {size} align {align}"),
        }
    }
}

/// With a space before it; nothing if empty.
struct CType<'a>(&'a str);

impl Display for CType<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " {}", Quoted(self.0.as_bytes())) }
    }
}

/// With a space before it; nothing if unknown.
struct PosDisplay(Pos);

impl Display for PosDisplay {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self.0 {
            Pos { file: 0, line: 0, column: 0 } => Ok(()),
            Pos { file: 0, line, column } => write!(f, " @{line}:{column}"),
            Pos { file, line, column } => write!(f, " @{file}:{line}:{column}"),
        }
    }
}

/// A name where only a name can stand.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if is_bare(self.0) { f.write_str(self.0) } else { Quoted(self.0.as_bytes()).fmt(f) }
    }
}

/// A name where keywords can stand too.
struct LocalName<'a>(&'a str);

impl Display for LocalName<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if is_reserved(self.0) { Quoted(self.0.as_bytes()).fmt(f) } else { Name(self.0).fmt(f) }
    }
}

/// A string literal. Text keeps its letters; bytes that are not UTF-8 are written as `\xNN`.
struct Quoted<'a>(&'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '"' => f.write_str("\\\"")?,
                    '\\' => f.write_str("\\\\")?,
                    '\n' => f.write_str("\\n")?,
                    '\t' => f.write_str("\\t")?,
                    c if c.is_ascii_control() => write!(f, "\\x{:02x}", c as u32)?,
                    // Line separators and marks that change the direction of text would garble a terminal.
                    c if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
                        write!(f, "\\u{{{:x}}}", c as u32)?;
                    }
                    c => f.write_char(c)?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        f.write_char('"')
    }
}

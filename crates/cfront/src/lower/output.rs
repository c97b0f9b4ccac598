//! `--check memory`: what functions of the library read, and do nothing with that the program could see, is
//! there.
//!
//! Texts are read to their end by a function of `models/output.c`, which also reads formats that are no literals;
//! stretches of bytes are one check.

use super::format::{self, Number, Piece};
use super::function::Lower;
use super::{fold, print};
use crate::hir::*;
use ir::{BinOp, CheckKind, Type};
use std::sync::Arc;

const READ_TEXT: &str = "__reprove_read_text";
const READ_LIST: &str = "__reprove_read_list";
const READ_ARGUMENTS: &str = "__reprove_read_arguments";
pub(super) const HELPERS: [&str; 3] = [READ_TEXT, READ_LIST, READ_ARGUMENTS];

/// What is read, by the positions of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reads {
    Text(usize),
    /// What stands for an open file.
    Stream(usize),
    /// Null stands for all of them.
    OptionalStream(usize),
    /// Null stands for no text.
    OptionalText(usize),
    Bytes {
        at: usize,
        length: usize,
    },
    Items {
        at: usize,
        size: usize,
        count: usize,
    },
}

fn reads(name: &str) -> &'static [Reads] {
    use Reads::*;
    match name.strip_suffix("_unlocked").unwrap_or(name) {
        "fputs" => &[Text(0), Stream(1)],
        "puts" | "remove" | "open" | "open64" | "creat" | "access" | "unlink" | "mkdir" | "rmdir"
        | "chdir" | "chmod" | "stat" | "lstat" | "getenv" | "secure_getenv" | "unsetenv" | "putenv" => {
            &[Text(0)]
        }
        "openat" | "fdopen" => &[Text(1)],
        "fopen" | "fopen64" | "popen" | "rename" | "setenv" => &[Text(0), Text(1)],
        "freopen" => &[OptionalText(0), Text(1), Stream(2)],
        "perror" | "system" => &[OptionalText(0)],
        "write" | "pwrite" | "send" | "sendto" => &[Bytes { at: 1, length: 2 }],
        "qsort" | "qsort_r" => &[Items { at: 0, size: 2, count: 1 }],
        "bsearch" => &[Items { at: 1, size: 3, count: 2 }],
        "fwrite" => &[Items { at: 0, size: 1, count: 2 }, Stream(3)],
        "fclose" | "pclose" | "fgetc" | "getc" | "_IO_getc" | "getw" | "fprintf" | "vfprintf" | "fscanf"
        | "vfscanf" | "__isoc99_fscanf" | "__isoc99_vfscanf" | "fseek" | "fseeko" | "ftell" | "ftello"
        | "rewind" | "feof" | "ferror" | "clearerr" | "fileno" | "setvbuf" | "setbuf" => &[Stream(0)],
        "fputc" | "putc" | "_IO_putc" | "ungetc" => &[Stream(1)],
        "fgets" | "getline" => &[Stream(2)],
        "fread" | "__fgets_chk" | "getdelim" | "__getdelim" => &[Stream(3)],
        "__fread_chk" => &[Stream(4)],
        "__fprintf_chk" => &[Stream(0)],
        "fflush" => &[OptionalStream(0)],
        _ => &[],
    }
}

/// Of a function that prints where the program does not see it.
struct Printer {
    /// Which argument is the format.
    format: usize,
    /// What it asks for is one list, behind the format.
    list: bool,
    /// Null stands for no text.
    optional: bool,
}

fn printer(name: &str) -> Option<Printer> {
    let (format, list, optional) = match name {
        "vprintf" => (0, true, false),
        "vfprintf" | "vdprintf" | "vsyslog" | "__vprintf_chk" => (1, true, false),
        "__vfprintf_chk" | "__vdprintf_chk" => (2, true, false),
        "syslog" => (1, false, false),
        "warn" | "warnx" => (0, false, true),
        "err" | "errx" => (1, false, true),
        "error" => (2, false, false),
        _ => (print::stream_format(name)?, false, false),
    };
    Some(Printer { format, list, optional })
}

/// Whether calls in this unit may need the functions that read texts.
pub(super) fn needs_helper(unit: &Unit, used: &[FuncId]) -> bool {
    used.iter().any(|id| {
        let name = &unit.functions[id.0 as usize].name;
        printer(name).is_some() || !reads(name).is_empty()
    })
}

impl<'a> Lower<'_, 'a> {
    /// Before a call of the library's function: what it will read.
    pub fn check_reads(&mut self, id: FuncId, args: &'a [Expr], values: &mut [ir::Expr]) {
        let function = self.hir_function(id);
        let own = self.is_own(id);
        if !self.checks(CheckKind::Memory) || own || self.in_model() || function.linkage != Linkage::External
        {
            return;
        }
        for read in reads(&function.name) {
            match *read {
                Reads::Text(at) | Reads::OptionalText(at) => {
                    self.check_text(args, values, at, None, matches!(read, Reads::OptionalText(_)));
                }
                Reads::Stream(at) | Reads::OptionalStream(at) => {
                    self.check_stream(values, at, matches!(read, Reads::OptionalStream(_)));
                }
                Reads::Bytes { at, length } => {
                    if let Some(length) = self.word(values, length) {
                        self.check_bytes(values, at, length);
                    }
                }
                Reads::Items { at, size, count } => {
                    if let (Some(size), Some(count)) = (self.word(values, size), self.word(values, count)) {
                        self.check_bytes(values, at, fold::binary(BinOp::Mul, size, count));
                    }
                }
            }
        }
        self.check_printed(&function.name, args, values);
    }

    /// The format, the arguments that it asks for, and the texts of `%s`.
    fn check_printed(&mut self, name: &Arc<str>, args: &'a [Expr], values: &mut [ir::Expr]) {
        let Some(Printer { format: position, list, optional }) = printer(name) else { return };
        let format = args.get(position).and_then(|arg| self.literal(arg));
        let Some(pieces) = format.and_then(format::printf).filter(|_| !list) else {
            self.check_format(values, position, if list { READ_LIST } else { READ_ARGUMENTS }, optional);
            return;
        };
        let mut next = position + 1;
        for piece in pieces {
            let Piece::Conversion(c) = piece else { continue };
            next += usize::from(c.width == Some(Number::Argument));
            let most = match c.precision {
                None => None,
                Some(Number::Known(n)) => Some(ir::Expr::int(self.target().intptr(false), i128::from(n))),
                Some(Number::Argument) => {
                    next += 1;
                    // A negative one is none, and as unsigned more than any text has.
                    self.word(values, next - 1)
                }
            };
            let empty = c.precision == Some(Number::Known(0));
            match args.get(next).map(|arg| self.types.ir_type(arg.ty.ty)) {
                Some(Some(Type::Ptr)) if c.kind == b's' => self.check_text(args, values, next, most, false),
                Some(ty) if ty != Some(Type::Ptr) && (c.kind == b'n' || c.kind == b's' && !empty) => {
                    let kind = char::from(c.kind);
                    let message = format!("'%{kind}' in the format asks for a pointer, and gets none");
                    self.check(CheckKind::Memory, ir::Expr::bool(false), Some(message.into()));
                }
                _ => {}
            }
            next += usize::from(c.kind != b'%' && c.kind != b'm');
        }
        if next > args.len() {
            let [asked, given] = [next, args.len()].map(|n| n - position - 1);
            let message = format!("the format asks for {asked} arguments, but there are {given}");
            self.check(CheckKind::Memory, ir::Expr::bool(false), Some(message.into()));
        }
    }

    /// A format that is read while the program runs.
    fn check_format(&mut self, values: &mut [ir::Expr], at: usize, helper: &str, optional: bool) {
        // What it reads stays what it is until the call.
        for value in values.iter_mut().skip(at) {
            *value = self.freeze(std::mem::replace(value, ir::Expr::null()));
        }
        let Some(format) = self.pointer(values, at) else { return };
        let (some, after) = (self.b.node(), self.b.node());
        if optional {
            self.b.branch(fold::truth(format), some, after);
            self.b.start(some);
        }
        self.helper(helper, values[at..].to_vec(), None);
        self.b.jump(after);
        self.b.start(after);
    }

    /// An integer argument as a size.
    fn word(&self, values: &[ir::Expr], at: usize) -> Option<ir::Expr> {
        let value = values.get(at).filter(|value| value.ty.is_int())?;
        Some(fold::cast(&self.target(), self.target().intptr(false), value.clone()))
    }

    fn check_bytes(&mut self, values: &mut [ir::Expr], at: usize, length: ir::Expr) {
        let Some(pointer) = self.pointer(values, at) else { return };
        let length = self.freeze(length);
        // Nothing is read of nothing, wherever it is.
        let (some, after) = (self.b.node(), self.b.node());
        self.b.branch(fold::truth(length.clone()), some, after);
        self.b.start(some);
        self.check_range(&pointer, length, false);
        self.b.jump(after);
        self.b.start(after);
    }

    fn check_stream(&mut self, values: &mut [ir::Expr], at: usize, optional: bool) {
        let Some(stream) = self.pointer(values, at) else { return };
        let (some, after) = (self.b.node(), self.b.node());
        if optional {
            self.b.branch(fold::truth(stream.clone()), some, after);
            self.b.start(some);
        }
        self.check_access(&stream, 1, false);
        self.b.jump(after);
        self.b.start(after);
    }

    fn check_text(
        &mut self,
        args: &'a [Expr],
        values: &mut [ir::Expr],
        at: usize,
        most: Option<ir::Expr>,
        optional: bool,
    ) {
        if args.get(at).is_none_or(|arg| self.literal(arg).is_some()) {
            return;
        }
        let Some(pointer) = self.pointer(values, at) else { return };
        let most = most.unwrap_or_else(|| ir::Expr::int(self.target().intptr(false), -1));
        let (some, after) = (self.b.node(), self.b.node());
        if optional {
            self.b.branch(fold::truth(pointer.clone()), some, after);
            self.b.start(some);
        }
        self.helper(READ_TEXT, vec![pointer, most], None);
        self.b.jump(after);
        self.b.start(after);
    }

    /// A pointer argument, which keeps its value from here to the call.
    fn pointer(&mut self, values: &mut [ir::Expr], at: usize) -> Option<ir::Expr> {
        let value = values.get_mut(at).filter(|value| value.ty == Type::Ptr)?;
        *value = self.freeze(std::mem::replace(value, ir::Expr::null()));
        Some(value.clone())
    }
}

//! The options that say how C files are read, in the spelling of compilers where they have one.

use crate::flags;
use cfront::Macro;
use clap::{ArgMatches, Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// How C files become a program.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Front end")]
pub struct FrontArgs {
    /// Take the compiler's flags for each file from the compilation database in this folder (or from this
    /// file). A file that is not in it gets those of the file that is nearest to it. Of two versions, both
    /// use the same one; given twice, the first one is for the old version.
    #[arg(short = 'p', long = "build", value_name = "BUILD")]
    pub builds: Vec<PathBuf>,
    /// The data model of the machine the program is for [default: what the database says, else lp64].
    #[arg(long, value_enum, conflicts_with = "bits")]
    pub target: Option<TargetArg>,
    /// The same, as compilers spell it: -m32 or -m64.
    #[arg(short = 'm', value_name = "BITS", value_enum)]
    pub bits: Option<Bits>,
    /// Search this folder for included files.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Search this folder for system headers, after those of -I. Also -isystem DIR.
    #[arg(long, value_name = "DIR")]
    pub isystem: Vec<PathBuf>,
    /// Include this file before each source. Also -include FILE.
    #[arg(long = "include", value_name = "FILE")]
    pub included: Vec<PathBuf>,
    /// The standard that the sources are written for, such as c99. Also -std=c99.
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// `-D` and `-U` in the order in which they were given.
    #[arg(skip)]
    pub macros: Vec<Macro>,
    /// All flags for the compiler but `-I`, `-D` and `-U`.
    #[arg(skip)]
    pub flags: Vec<String>,
    /// The command that preprocesses .c files.
    #[arg(long, value_name = "COMMAND", default_value = "cc")]
    pub cc: String,
    /// What to check besides assertions and error calls.
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub check: Vec<CheckArg>,
    /// The function where execution starts.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Functions whose call is the error, if a property names them.
    #[arg(skip)]
    pub error_functions: Option<Vec<String>>,
    /// What functions without a body may do; only `verify` asks.
    #[arg(skip)]
    pub unknown_functions: cfront::UnknownFunctions,
    /// An allocation may find no memory: `malloc` and its kind may return null.
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// How much of what surrounds the program has models, if that is not what `run` wants.
    #[arg(skip)]
    pub environment: Option<cfront::Environment>,
    /// Calls through pointers from outside are calls of functions without a body.
    #[arg(skip)]
    pub calls_outside: bool,
    /// `main` gets arguments, not any parameters.
    #[arg(skip)]
    pub arguments: bool,
}

/// What stands behind `--`. For `run` that are the arguments of the program.
#[derive(Args, Debug)]
#[command(next_help_heading = "Front end")]
pub struct CompilerArgs {
    /// Any other flags for the compiler that preprocesses .c files.
    #[arg(last = true, value_name = "FLAG")]
    pub flags: Vec<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bits {
    #[value(name = "32")]
    Ilp32,
    #[value(name = "64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetArg {
    /// 64-bit pointers and long.
    Lp64,
    /// 32-bit pointers and long.
    Ilp32,
}

impl FrontArgs {
    /// Makes one of what can be said in several ways.
    pub fn complete(&mut self, compiler: &CompilerArgs) {
        let path = |flag: &str, path: &PathBuf| [flag.to_owned(), path.display().to_string()];
        self.flags = self.isystem.iter().flat_map(|dir| path("-isystem", dir)).collect();
        self.flags.extend(self.std.iter().map(|std| format!("-std={std}")));
        self.flags.extend(self.included.iter().flat_map(|file| path("-include", file)));
        self.flags.extend(compiler.flags.iter().cloned());
        let bits = self.bits.map(|bits| match bits {
            Bits::Ilp32 => TargetArg::Ilp32,
            Bits::Lp64 => TargetArg::Lp64,
        });
        self.target = self.target.or(bits).or(flags::of_user(&self.flags).target);
    }

    /// Macros, in the order in which they were given.
    pub fn order(&mut self, given: &ArgMatches) {
        let at = |name: &str| given.indices_of(name).into_iter().flatten();
        let defines = at("define").zip(self.define.iter().cloned().map(Macro::Define));
        let undefines = at("undefine").zip(self.undefine.iter().cloned().map(Macro::Undefine));
        let mut all: Vec<(usize, Macro)> = defines.chain(undefines).collect();
        all.sort_by_key(|(index, _)| *index);
        self.macros = all.into_iter().map(|(_, change)| change).collect();
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckArg {
    /// Signed arithmetic leaves its type.
    Overflow,
    /// Invalid memory accesses and frees.
    Memory,
    /// Division by zero.
    Div,
    /// Shifts by a negative or too large count, and signed ones to the left that do not fit.
    Shift,
    /// __builtin_unreachable is reached.
    Unreachable,
    /// Memory is lost: it was not freed, and nothing leads to it when the program ends.
    Leak,
    /// Memory was not freed when the program ends.
    Cleanup,
}

/// Compilers have long options with one dash. Here they have two.
pub fn spelled(words: Vec<OsString>) -> Vec<OsString> {
    let mut ours = true;
    let spelled = |word: OsString| {
        ours &= word != "--";
        let Some(text) = word.to_str().filter(|_| ours) else { return word };
        for name in ["-isystem", "-include", "-std="] {
            match text.strip_prefix(name) {
                Some(rest) if rest.is_empty() || name.ends_with('=') => return format!("-{text}").into(),
                Some(value) => return format!("-{name}={value}").into(),
                None => {}
            }
        }
        word
    };
    words.into_iter().map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, parse_words};

    #[test]
    fn macros_keep_their_order() {
        let (define, undefine) = (|s: &str| Macro::Define(s.into()), |s: &str| Macro::Undefine(s.into()));
        let macros = front("verify -DA -UB x.c -D B=1 -UA").macros;
        assert_eq!(macros, [define("A"), undefine("B"), define("B=1"), undefine("A")]);
    }

    fn front(line: &str) -> FrontArgs {
        let words = ["reprove"].into_iter().chain(line.split(' ')).map(OsString::from);
        match parse_words(words.collect()).unwrap().command {
            Command::Verify(args) => args.front,
            Command::Run(args) => args.front,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_as_compilers_spell_them() {
        let check = |line: &str, flags: &str, target: Option<TargetArg>| {
            let front = front(line);
            assert_eq!((front.flags.join(" ").as_str(), front.target), (flags, target), "{line}");
        };
        let ilp32 = Some(TargetArg::Ilp32);
        check("verify x.c -std=c99", "-std=c99", None);
        check("verify --std c99 x.c", "-std=c99", None);
        check("verify x.c -isystem a -isystemb --isystem=c", "-isystem a -isystem b -isystem c", None);
        check("verify -include a.h x.c --include b.h", "-include a.h -include b.h", None);
        check("verify -m32 x.c", "", ilp32);
        check("verify --target ilp32 x.c", "", ilp32);
        check("verify x.c -- -m32 -std=c11 -fblocks", "-m32 -std=c11 -fblocks", ilp32);
        check("verify -m64 x.c -- -m32", "-m32", Some(TargetArg::Lp64));
        check("run x.c -- -std=c99", "", None);
    }
}

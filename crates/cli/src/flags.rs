//! The compiler's flags: which of them matter to the preprocessor, and to what a program means.
//!
//! A database has whole commands. Of those, only flags are kept that are known to matter here: where headers
//! are, which macros there are, which dialect it is. All else goes: the compiler, the source file however it
//! is spelled, outputs, dependencies, warnings (`-Werror` would make errors of them), linking, and whatever
//! makes the compiler run other programs, since nobody expects that of reading a file.

use crate::args::TargetArg;
use std::path::{Path, PathBuf};

/// What is left of a list of flags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// For the preprocessor; separate values are words of their own.
    pub words: Vec<String>,
    /// `-m32` and `-m64`: the target is that of the whole program.
    pub target: Option<TargetArg>,
    /// Those that would change the meaning of the language in ways that the front end does not know. They are
    /// left out.
    pub unknown_meaning: Vec<String>,
}

/// How a flag has its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// None.
    Alone,
    /// In the same word: `-std=c99`.
    Joined,
    /// In the same word or in the next one: `-DX`, `-D X`.
    Either,
    /// In the next word.
    Next,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The value is a path that says where files are found.
    Search,
    /// The value is a file that is read before the source.
    Include,
    /// Macros, dialects, features of the machine.
    Meaning,
    /// Of no interest for what the source means.
    Drop,
}

/// The first that fits counts.
const KNOWN: &[(&str, Value, Use)] = &[
    ("-isystem", Value::Either, Use::Search),
    ("-isysroot", Value::Either, Use::Search),
    ("-iquote", Value::Either, Use::Search),
    ("-idirafter", Value::Either, Use::Search),
    ("--sysroot=", Value::Joined, Use::Search),
    ("--sysroot", Value::Next, Use::Search),
    ("-I", Value::Either, Use::Search),
    ("-include", Value::Either, Use::Include),
    ("-imacros", Value::Either, Use::Include),
    ("-D", Value::Either, Use::Meaning),
    ("-U", Value::Either, Use::Meaning),
    ("-std=", Value::Joined, Use::Meaning),
    ("--std=", Value::Joined, Use::Meaning),
    ("-ansi", Value::Alone, Use::Meaning),
    ("-pthread", Value::Alone, Use::Meaning),
    ("-nostdinc", Value::Alone, Use::Meaning),
    ("-undef", Value::Alone, Use::Meaning),
    ("-trigraphs", Value::Alone, Use::Meaning),
    ("-mllvm", Value::Next, Use::Drop),
    ("-m", Value::Joined, Use::Meaning),
    // Of the many others that begin so, these define macros.
    ("-fopenmp", Value::Joined, Use::Meaning),
    ("-fPIC", Value::Alone, Use::Meaning),
    ("-fpic", Value::Alone, Use::Meaning),
    ("-fPIE", Value::Alone, Use::Meaning),
    ("-fpie", Value::Alone, Use::Meaning),
    ("-ffreestanding", Value::Alone, Use::Meaning),
    ("-fhosted", Value::Alone, Use::Meaning),
    ("-ffast-math", Value::Alone, Use::Meaning),
    ("-fsanitize=", Value::Joined, Use::Meaning),
    ("-fstack-protector", Value::Joined, Use::Meaning),
    ("-fms-extensions", Value::Alone, Use::Meaning),
    ("-fgnu89-inline", Value::Alone, Use::Meaning),
];

/// What to do, what to write, what to write it to: never wanted, whoever says so.
const OUTPUT: &[(&str, Value)] = &[
    ("-o", Value::Either),
    ("-MF", Value::Either),
    ("-MT", Value::Either),
    ("-MQ", Value::Either),
    ("-MJ", Value::Either),
    ("-c", Value::Alone),
    ("-S", Value::Alone),
    ("-E", Value::Alone),
    ("-M", Value::Joined),
    ("-x", Value::Either),
    ("-save-temps", Value::Joined),
];

/// They change what operations do, or how types are laid out.
const UNKNOWN_MEANING: &[&str] =
    &["-funsigned-char", "-fshort-enums", "-fshort-wchar", "-fpack-struct", "-fwrapv"];

/// Of a compiler's command, which ran in `directory`.
pub fn of_command(words: &[String], directory: &Path) -> Flags {
    reduce(words.iter().skip(1), Some(directory))
}

/// Of flags that the user chose: all of them but outputs.
pub fn of_user(words: &[String]) -> Flags {
    reduce(words.iter(), None)
}

fn reduce<'w>(words: impl Iterator<Item = &'w String>, directory: Option<&Path>) -> Flags {
    let mut flags = Flags::default();
    let words = unwrapped(words);
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if let Some((_, value)) = OUTPUT.iter().copied().find(|(name, value)| fits(word, name, *value)) {
            if value == Value::Either && OUTPUT.iter().any(|(name, _)| *name == word) {
                words.next();
            }
        } else if word == "-m32" || word == "-m64" {
            flags.target = Some(if word == "-m32" { TargetArg::Ilp32 } else { TargetArg::Lp64 });
        } else if UNKNOWN_MEANING.iter().any(|name| word.starts_with(name)) {
            flags.unknown_meaning.push(word.to_owned());
        } else if let Some((name, value, meaning)) = known(word) {
            let separate = word == name && matches!(value, Value::Either | Value::Next);
            let argument = if separate { words.next() } else { word.strip_prefix(name) };
            let Some(argument) = argument.filter(|_| meaning != Use::Drop) else { continue };
            let argument = match directory {
                Some(directory) => place(argument, meaning, directory),
                None => argument.to_owned(),
            };
            // As people write it, and so that values cannot be taken for flags.
            match separate && !matches!(name, "-D" | "-U" | "-I") {
                true => flags.words.extend([name.to_owned(), argument]),
                false => flags.words.push(format!("{name}{argument}")),
            }
        } else if directory.is_none() {
            flags.words.push(word.to_owned());
        }
    }
    flags
}

/// Flags that are handed on by others stand for themselves: `-Wp,-DX`, `-Xpreprocessor -DX`, `-Xclang -DX`.
fn unwrapped<'w>(words: impl Iterator<Item = &'w String>) -> Vec<&'w str> {
    let mut list = Vec::new();
    for word in words {
        match word.strip_prefix("-Wp,") {
            // The kernel's way to ask for dependencies names a file.
            Some(inner) if inner.starts_with("-M") => {}
            Some(inner) => list.extend(inner.split(',')),
            None if word == "-Xpreprocessor" || word == "-Xclang" => {}
            None => list.push(word),
        }
    }
    list
}

fn known(word: &str) -> Option<(&'static str, Value, Use)> {
    KNOWN.iter().copied().find(|(name, value, _)| fits(word, name, *value))
}

fn fits(word: &str, name: &str, value: Value) -> bool {
    match value {
        Value::Alone | Value::Next => word == name,
        Value::Joined | Value::Either => word.starts_with(name),
    }
}

/// A relative path is relative to where the compiler ran, and we run elsewhere.
fn place(value: &str, meaning: Use, directory: &Path) -> String {
    let place = directory.join(value);
    match meaning {
        // `=` stands for the system's root. Files that are not there are looked for where headers are.
        Use::Search if !value.starts_with(['=', '$']) => from_here(&place).display().to_string(),
        Use::Include if place.exists() => from_here(&place).display().to_string(),
        _ => value.to_owned(),
    }
}

/// The shortest name of a path that people will know: without links and detours, and from the current folder
/// if it is below.
pub fn from_here(path: &Path) -> PathBuf {
    let real = real(path);
    let here = std::env::current_dir().map(|here| self::real(&here));
    match here.as_deref().map(|here| real.strip_prefix(here)) {
        Ok(Ok(rest)) if rest.as_os_str().is_empty() => PathBuf::from("."),
        Ok(Ok(rest)) => rest.to_path_buf(),
        _ => real,
    }
}

/// What a file is known by, however it is spelled.
pub fn real(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.canonicalize().unwrap_or_else(|_| absolute())
}

/// Flags that say where files are found, and those that say what they mean.
pub fn by_use(words: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut search, mut meaning) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (name, value, purpose) = known(word).unwrap_or(("", Value::Alone, Use::Meaning));
        let list = if purpose == Use::Search { &mut search } else { &mut meaning };
        list.push(word.clone());
        if word == name && matches!(value, Value::Either | Value::Next) {
            list.extend(words.next().cloned());
        }
    }
    (search, meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::split;

    fn check(command: &str, expected: &str) {
        let flags = of_command(&split(command), Path::new("/build"));
        assert_eq!(flags.words.join(" "), expected, "{command}");
    }

    #[test]
    fn what_matters_is_kept() {
        check("gcc -DA=1 -D B -UC -U D -std=gnu11 a.c", "-DA=1 -DB -UC -UD -std=gnu11");
        check("gcc -I inc -I../up -I/abs a.c", "-I/build/inc -I/build/../up -I/abs");
        check(
            "gcc -isystem sys -isystem/abs -iquote q a.c",
            "-isystem /build/sys -isystem/abs -iquote /build/q",
        );
        check("gcc --sysroot=/root --sysroot /other a.c", "--sysroot=/root --sysroot /other");
        check("gcc -I=usr a.c", "-I=usr");
        check("gcc -include none.h a.c", "-include none.h");
        check("gcc -Wp,-DX,-DY -Xpreprocessor -DZ -Xclang -DW a.c", "-DX -DY -DZ -DW");
        check("gcc -pthread -fopenmp -mavx2 -ansi a.c", "-pthread -fopenmp -mavx2 -ansi");
    }

    #[test]
    fn the_rest_is_not() {
        check("gcc -c -o a.o a.c", "");
        check("ccache gcc -oa.o -c src/a.c ./src/a.c /build/src/a.c", "");
        check("gcc -MD -MF a.d -MT a.o -MQ x -MMD -MP -MFb.d -Wp,-MMD,x.d a.c", "");
        check("clang -MJ a.json -mllvm -Dx --serialize-diagnostics d a.c", "");
        check("gcc -Wall -Werror -O2 -g -fdiagnostics-color=always -pipe -lm -L lib -Wl,-rpath,. a.c", "");
        check(
            "gcc -fplugin=evil.so -B evil -wrapper sh,-c -specs=evil @evil -x c -save-temps=obj -- a.c",
            "",
        );
        check("", "");
        check("gcc -D", "");
    }

    #[test]
    fn what_is_said_about_the_machine() {
        let flags = of_command(&split("cc -m32 -funsigned-char -DX a.c"), Path::new("/"));
        assert_eq!(flags.target, Some(TargetArg::Ilp32));
        assert_eq!(flags.unknown_meaning, ["-funsigned-char"]);
        assert_eq!(flags.words, ["-DX"]);
    }

    #[test]
    fn users_may_say_anything() {
        let flags = of_user(&split("-c -o x -m64 -Wall -fblocks -I inc -include x.h"));
        assert_eq!(flags.words, ["-Wall", "-fblocks", "-Iinc", "-include", "x.h"]);
        assert_eq!(flags.target, Some(TargetArg::Lp64));
        let (search, meaning) = by_use(&flags.words);
        assert_eq!(search, ["-Iinc"]);
        assert_eq!(meaning, ["-Wall", "-fblocks", "-include", "x.h"]);
    }
}

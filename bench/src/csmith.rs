//! Random programs from csmith, and what gcc makes of them.

use crate::rng::Rng;
use crate::{argv, gcc, proc};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One kind of programs: a row of the table.
pub struct Class {
    pub name: &'static str,
    options: &'static [&'static str],
    /// Not part of what is promised (and of the total), but measured.
    pub extra: bool,
}

pub const CLASSES: [Class; 9] = [
    Class {
        name: "scalars and arrays",
        options: &["--no-pointers", "--no-structs", "--no-unions"],
        extra: false,
    },
    Class { name: "pointers", options: &["--no-structs", "--no-unions"], extra: false },
    Class {
        name: "structs",
        options: &["--no-unions", "--no-bitfields", "--no-packed-struct"],
        extra: false,
    },
    Class {
        name: "bit-fields",
        options: &["--no-unions", "--bitfields", "--no-packed-struct"],
        extra: false,
    },
    Class { name: "unions", options: &["--no-bitfields", "--unions"], extra: false },
    Class {
        name: "packed structs",
        options: &["--packed-struct", "--bitfields", "--no-volatiles"],
        extra: false,
    },
    Class { name: "everything", options: &["--inline-function"], extra: false },
    Class { name: "floats", options: &["--float"], extra: true },
    // Some of these calls are undefined (`clz` of zero) or only exist on one processor.
    Class { name: "builtins", options: &["--builtins"], extra: true },
];

/// Sizes, so that generating and compiling a program takes about a second; every fourth program has csmith's
/// own.
const SIZES: [&[&str]; 4] = [
    &["--max-funcs", "5", "--max-block-depth", "4"],
    &["--max-funcs", "8", "--max-block-size", "3"],
    &["--max-funcs", "4", "--max-expr-complexity", "8", "--max-array-len-per-dim", "6"],
    &[],
];

/// A program that gcc compiles at -O0 and -O2 with one result, within the limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    pub seed: u64,
    pub stdout: String,
    pub code: i32,
    /// Why earlier seeds were skipped.
    pub skipped: Vec<String>,
}

/// The folder with `csmith.h`.
pub fn headers() -> Option<PathBuf> {
    [
        "/usr/include/csmith",
        "/usr/include/csmith-2.3.0",
        "/usr/local/include/csmith-2.3.0",
        "/usr/local/include",
    ]
    .into_iter()
    .map(PathBuf::from)
    .find(|dir| dir.join("csmith.h").exists())
}

/// Writes the program for `seed` to `file`.
pub fn generate(class: &Class, seed: u64, file: &Path) -> io::Result<bool> {
    let mut argv = argv!["csmith", "--seed", seed, "-o", file.display()];
    argv.extend(class.options.iter().map(|o| o.to_string()));
    let size = Rng::new(seed).below(SIZES.len());
    argv.extend(SIZES[size].iter().map(|o| o.to_string()));
    Ok(proc::run(&argv, Duration::from_secs(30))?.ok())
}

/// Tries seeds from `first` on, `step` apart, until a program is usable; leaves it in `dir/program.c`.
pub fn usable(class: &Class, first: u64, step: u64, dir: &Path, headers: &Path) -> io::Result<Program> {
    let mut skipped = Vec::new();
    let source = dir.join("program.c");
    for attempt in 0..200 {
        let seed = first + attempt * step;
        match try_seed(class, seed, &source, dir, headers)? {
            Ok((stdout, code)) => return Ok(Program { seed, stdout, code, skipped }),
            Err(reason) => skipped.push(format!("{seed}: {reason}")),
        }
    }
    Err(io::Error::other(format!("no usable csmith program from seed {first}: {}", skipped.join("; "))))
}

type Usable = Result<(String, i32), String>;

fn try_seed(class: &Class, seed: u64, source: &Path, dir: &Path, headers: &Path) -> io::Result<Usable> {
    if !generate(class, seed, source)? {
        return Ok(Err("csmith failed".into()));
    }
    let include = format!("-I{}", headers.display());
    let mut results = Vec::new();
    for level in ["-O0", "-O2"] {
        let exe = dir.join(format!("program{level}"));
        let built = gcc::build(source, &exe, &[level, &include, "-lm"])?;
        if !built.ok() {
            return Ok(Err(format!("gcc {level}: {}", built.stderr.lines().next().unwrap_or("failed"))));
        }
        let ran = proc::run(&argv![exe.display()], Duration::from_secs(1))?;
        let Some(code) = ran.code.filter(|_| !ran.timed_out) else {
            return Ok(Err(format!("{level}: did not end normally within a second")));
        };
        results.push((ran.stdout, code));
    }
    let second = results.pop();
    let first = results.pop();
    Ok(match (first, second) {
        (Some(a), Some(b)) if a == b => Ok(a),
        _ => Err("gcc -O0 and -O2 disagree".into()),
    })
}

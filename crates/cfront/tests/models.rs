//! The models against the C library of this machine. Each file is compiled by gcc with its functions renamed
//! (`strlen` to `m_strlen`), linked with a driver that calls both on many inputs, and watched by the
//! sanitizers. Without gcc, or on a system whose C library is not glibc, there is nothing to compare with and
//! the test says so.

use cfront::models;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The drivers in `tests/models`.
const DRIVERS: &[&str] =
    &["bits", "ctype", "float", "fortify", "memory", "number", "stdlib", "string", "wide"];

#[test]
fn agree_with_the_system() {
    let compiler = Compiler::find();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let objects = compiler.models(dir.path());
    let drivers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    for driver in DRIVERS {
        let exe = dir.path().join(format!("{driver}.exe"));
        let built = compiler
            .gcc()
            .args(["-w", "-fno-builtin", "-o"])
            .arg(&exe)
            .arg(drivers.join(format!("{driver}.c")))
            .arg(drivers.join("support.c"))
            .args(&objects)
            .arg("-lm")
            .output();
        assert_ok(&format!("building {driver}"), &built.expect("gcc runs"));
        let run = Command::new(&exe).env("ASAN_OPTIONS", "detect_leaks=0").env("LC_ALL", "C").output();
        assert_ok(&format!("running {driver}"), &run.expect("the driver runs"));
    }
}

/// A 32-bit compiler needs no library to compile.
#[test]
fn compile_for_ilp32() {
    let compiler = Compiler::find();
    let dir = tempfile::tempdir().expect("a temporary directory");
    for model in models::all().filter(|model| model.name != "bits128.c") {
        let source = dir.path().join(model.name);
        std::fs::write(&source, renamed(model.source)).expect("the file is written");
        let built = Command::new(&compiler.gcc)
            .args(["-m32", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-S", "-o"])
            .arg(dir.path().join("out.s"))
            .arg(&source)
            .output();
        assert_ok(&format!("{} for ILP32", model.name), &built.expect("gcc runs"));
    }
}

/// The models declare what the system's headers declare.
#[test]
fn types_match_the_headers() {
    let compiler = Compiler::find();
    let dir = tempfile::tempdir().expect("a temporary directory");
    let headers: String = ["ctype", "errno", "stdlib", "string", "strings", "wchar", "wctype", "unistd"]
        .map(|header| format!("#include <{header}.h>\n"))
        .concat();
    for name in ["ctype.c", "errno.c", "memory.c", "number.c", "string.c", "wide.c"] {
        let model = models::all().find(|model| model.name == name).expect("the model exists");
        let source = dir.path().join(name);
        // The macros that shadow functions must not expand in the definitions.
        let undef: String = model.functions.iter().map(|function| format!("#undef {function}\n")).collect();
        let text = format!("#define _GNU_SOURCE\n{headers}{undef}{}", model.source);
        std::fs::write(&source, text).expect("the file is written");
        let built = Command::new(&compiler.gcc)
            .args(["-w", "-std=gnu11", "-O0", "-fno-builtin", "-fsyntax-only"])
            .arg(&source)
            .output();
        assert_ok(&format!("{name} with the headers"), &built.expect("gcc runs"));
    }
}

#[test]
fn lists_are_what_the_files_define() {
    let mut seen = HashSet::new();
    for model in models::all() {
        let listed: BTreeSet<&str> = model.functions.iter().copied().collect();
        assert_eq!(listed, definitions(model.source), "{}", model.name);
        for function in model.functions {
            assert!(seen.insert(*function), "{function} is modelled twice");
            assert_eq!(models::model_for(function).map(|found| found.name), Some(model.name));
        }
    }
    assert!(models::model_for("no_such_function").is_none());
    assert!(seen.len() > 200);
}

/// The files go to our own parser as they are, for both targets, and nothing in them is beyond the front end.
#[test]
fn compile_with_the_front_end() {
    for target in [ir::Target::LP64, ir::Target::ILP32] {
        for model in models::all() {
            assert!(!model.source.contains('#'), "{}: directives are not processed", model.name);
            let options = cfront::Options { target, models: false, ..cfront::Options::default() };
            let output = cfront::compile_text(model.name, model.source, &options);
            assert!(output.diagnostics.iter().next().is_none(), "{}: {:?}", model.name, output.diagnostics);
            let program = output.program.expect("a program");
            assert_eq!(ir::verify(&program), Ok(()), "{}", model.name);
            for name in model.functions {
                let id =
                    program.find_function(name).unwrap_or_else(|| panic!("{name} is not in the program"));
                let body = &program.function(id).body;
                assert!(matches!(body, ir::Body::Defined(_)), "{name}: {body:?}");
            }
        }
    }
}

/// Functions with external linkage: by the layout of the files, a definition starts in the first column, and
/// its body's brace has a line of its own.
fn definitions(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut head = "";
    for line in source.lines() {
        if line == "{" && !head.starts_with("static ") {
            let name = head.split('(').next().unwrap_or_default();
            found.extend(name.rsplit([' ', '*']).next());
        }
        if line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            head = line;
        }
    }
    found
}

/// The source with `m_` before every modelled function, and before `abort`, which a driver must be able to
/// survive.
fn renamed(source: &str) -> String {
    let names: HashSet<&str> =
        models::all().flat_map(|model| model.functions).copied().chain(["abort"]).collect();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        if names.contains(piece) {
            out.push_str("m_");
        }
        out.push_str(piece);
        rest = tail;
    }
    out
}

struct Compiler {
    gcc: PathBuf,
    sanitizers: bool,
}

impl Compiler {
    fn find() -> Compiler {
        let gcc = PathBuf::from(std::env::var_os("CC").unwrap_or("gcc".into()));
        let dir = tempfile::tempdir().expect("a folder");
        let source = dir.path().join("probe.c");
        let probe = "#include <features.h>\n#if !defined __GLIBC__ || !defined __x86_64__\n#error\n#endif\nint main(void) { return 0; }\n";
        std::fs::write(&source, probe).expect("the file is written");
        let works = |flags: &[&str]| {
            let exe = dir.path().join("probe");
            let built = Command::new(&gcc).args(flags).arg("-o").arg(&exe).arg(&source).output();
            built.is_ok_and(|out| out.status.success())
                && Command::new(&exe).output().is_ok_and(|out| out.status.success())
        };
        assert!(works(&[]), "this test needs gcc and glibc on x86-64, and {} does not do", gcc.display());
        let sanitizers = works(&["-fsanitize=address,undefined"]);
        Compiler { gcc, sanitizers }
    }

    fn gcc(&self) -> Command {
        let mut command = Command::new(&self.gcc);
        command.args(["-std=gnu11", "-O1"]);
        if self.sanitizers {
            command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]);
        }
        command
    }

    fn models(&self, dir: &Path) -> Vec<PathBuf> {
        models::all()
            // What these ask for has no answer outside of the tool.
            // (Those of `support.c` have one.)
            .filter(|model| {
                matches!(model.name, "errno.c" | "string.c") || !model.source.contains("__reprove_")
            })
            .map(|model| {
                let source = dir.join(model.name);
                let object = source.with_extension("o");
                std::fs::write(&source, renamed(model.source)).expect("the file is written");
                let built = self
                    .gcc()
                    .args(["-Wall", "-Wextra", "-Werror", "-fno-builtin", "-c", "-o"])
                    .arg(&object)
                    .arg(&source)
                    .output();
                assert_ok(model.name, &built.expect("gcc runs"));
                object
            })
            .collect()
    }
}

fn assert_ok(what: &str, output: &Output) {
    assert!(
        output.status.success(),
        "{what}:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

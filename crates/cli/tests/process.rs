//! The tool as a process among others: where it runs, what it reads, what it writes to.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout), text(&stderr))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn shell(script: &str, folder: &Path) -> (Option<i32>, String, String) {
    run(Command::new("sh").args(["-c", script]).env("TOOL", TOOL).current_dir(folder))
}

const SMALL: &str = "int main(void) { return 3; }\n";

#[test]
fn runs_from_any_folder_without_an_environment() {
    let (code, out, err) = run(Command::new(TOOL).arg("--version").env_clear().current_dir("/"));
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("reprove ") && out.contains("Z3 5."), "{out}");
}

#[test]
fn readers_may_leave_early() {
    let folder = folder(&[("a.c", SMALL)]);
    let (code, _, err) = shell("($TOOL show ir a.c; echo code $? >&2) | true", folder.path());
    assert_eq!((code, err.as_str()), (Some(0), "code 0\n"));
    let (_, _, err) = shell("($TOOL --help; echo code $? >&2) | true", folder.path());
    assert_eq!(err, "code 0\n");
    let (code, _, err) = shell("$TOOL show ir a.c > /dev/full", folder.path());
    assert_eq!(code, Some(2));
    assert!(err.contains("cannot write to standard output"), "{err}");
    let (code, out, _) = shell("$TOOL run a.c 2>&-", folder.path());
    assert_eq!((code, out.as_str()), (Some(0), "exited with 3\n"));
}

#[test]
fn works_with_little_address_space() {
    let folder = folder(&[("a.c", SMALL)]);
    let (code, out, err) = shell("ulimit -v 1000000; $TOOL run a.c", folder.path());
    assert_eq!((code, out.as_str()), (Some(0), "exited with 3\n"), "{err}");
}

#[test]
fn colours() {
    let folder = folder(&[("a.c", "int main(void) { return x; }\n")]);
    let (_, _, plain) = shell("$TOOL run a.c", folder.path());
    assert!(plain.contains("a.c:1:25: error: ") && !plain.contains('\x1b'), "{plain}");
    let (_, _, colored) = shell("$TOOL run a.c --color always", folder.path());
    assert!(colored.contains("\x1b[1;31merror"), "{colored}");
}

#[test]
fn a_compilation_database_stands_for_its_files() {
    let database = r#"[
        {"directory": "src", "file": "a.c", "command": "gcc -I ../inc -DVALUE='20 + 1' -MD -MF a.d -c a.c -o a.o"},
        {"directory": "src", "file": "b.c", "arguments": ["clang", "-I../inc", "-DVALUE=2", "-c", "b.c"]}
    ]"#;
    let folder = folder(&[
        ("compile_commands.json", database),
        ("inc/value.h", "int twice(int x);\n"),
        ("src/a.c", "#include \"value.h\"\nint main(void) { return twice(VALUE); }\n"),
        ("src/b.c", "#include \"value.h\"\nint twice(int x) { return VALUE * x; }\n"),
    ]);
    let (code, out, err) = shell("$TOOL run compile_commands.json", folder.path());
    assert_eq!((code, out.as_str()), (Some(0), "exited with 42\n"), "{err}");
    fs::write(folder.path().join("src/b.c"), "int twice(int x) { return y; }\n").unwrap();
    let (code, _, err) = shell("$TOOL run compile_commands.json", folder.path());
    assert_eq!(code, Some(2));
    assert!(err.contains("src/b.c:1:27: error: "), "{err}");
    for (text, message) in [("[", "not a compilation database"), ("[]", "empty")] {
        fs::write(folder.path().join("compile_commands.json"), text).unwrap();
        let (code, _, err) = shell("$TOOL run compile_commands.json", folder.path());
        assert_eq!(code, Some(2));
        assert!(err.contains(message), "{err}");
    }
}

#[test]
fn folders_are_versions() {
    let folder = folder(&[
        ("old/main.c", "int f(int); int main(void) { return f(1); }\n"),
        ("old/lib/f.c", "int f(int x) { return x; }\n"),
        ("new/main.c", "int f(int); int main(void) { return f(1); }\n"),
        ("new/f.c", "int f(int x) { return x + 1; }\n"),
        ("new/.hidden/g.c", "this is not C"),
    ]);
    let (code, out, err) = shell("$TOOL diff old new", folder.path());
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("functions: 1 changed, 1 affected\n"), "{out}");
}

#[test]
fn printed_programs_can_be_read_back() {
    let folder =
        folder(&[("a.c", "int twice(int x) { return 2 * x; }\nint main(void) { return twice(4); }\n")]);
    let script = "$TOOL show ir a.c > a.ir && $TOOL show ir a.ir | cmp - a.ir && $TOOL run a.ir && $TOOL diff a.c a.ir";
    let (code, out, err) = shell(script, folder.path());
    assert_eq!((code, out.as_str()), (Some(0), "exited with 8\nfunctions: 2 unchanged\n"), "{err}");
    // Checks that are not in the program would never fail.
    let (code, _, err) = shell("$TOOL verify a.ir --store none --check overflow", folder.path());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("--check and properties are for C sources"), "{err}");
    fs::write(folder.path().join("a.ir"), "target lp64\nfunc f(\n").unwrap();
    let (code, _, err) = shell("$TOOL run a.ir", folder.path());
    assert_eq!(code, Some(2));
    assert!(err.contains("a.ir:") && err.contains(": error: "), "{err}");
}

#[test]
fn targets_differ() {
    let source = "int main(void) { return sizeof(long) + sizeof(void *) + sizeof(long long); }\n";
    let folder = folder(&[("a.c", source)]);
    for (target, size) in [("lp64", 24), ("ilp32", 16)] {
        let (_, out, err) = shell(&format!("$TOOL run a.c --target {target}"), folder.path());
        assert_eq!(out, format!("exited with {size}\n"), "{err}");
    }
}

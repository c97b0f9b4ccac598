//! Sources with a compilation database, as builds write them: flags from the database, files from the command
//! line.

use std::fs;
use std::process::{Command, Output, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_reprove");

/// The project of all cases: a library, two programs of it, and a harness that no build knows. `@` in a file
/// stands for the folder that everything is in, as in a database that was written there.
const PROJECT: &[(&str, &str)] = &[
    ("inc/lib.h", "int scaled(int x);\n"),
    ("src/lib.c", "#include \"lib.h\"\nint scaled(int x) { return x * SCALE; }\n"),
    ("src/one.c", "#include \"lib.h\"\nint main(void) { return scaled(ONE); }\n"),
    ("src/two.c", "#include \"lib.h\"\nint main(void) { return scaled(TWO) + (int)sizeof(long); }\n"),
    (
        "proofs/harness.c",
        "#include \"lib.h\"\n#include <assert.h>\nint main(void) { assert(scaled(2) == SCALE * 2); return 0; }\n",
    ),
    // CMake: a string that a shell reads, everything absolute.
    (
        "cmake/compile_commands.json",
        r#"[
        {"directory": "@/cmake", "command": "/usr/bin/cc -DSCALE=10 -I@/inc -Werror -std=gnu11 -MD -MT lib.o -MF lib.o.d -o lib.o -c @/src/lib.c", "file": "@/src/lib.c", "output": "lib.o"},
        {"directory": "@/cmake", "command": "/usr/bin/cc -DSCALE=10 -I@/inc '-DONE=1 + 1' -o one.o -c @/src/one.c", "file": "@/src/one.c"},
        {"directory": "@/cmake", "command": "/usr/bin/cc -DSCALE=10 -I@/inc -DTWO=\\(2\\) -o two.o -c @/src/two.c", "file": "@/src/two.c"},
        {"directory": "@/cmake", "command": "/usr/bin/cc -DSCALE=99 -fPIC -o other.o -c @/src/lib.c", "file": "@/src/lib.c"},
        {"directory": "@/cmake", "command": "/usr/bin/c++ -c @/src/gui.cc", "file": "@/src/gui.cc"}
    ]"#,
    ),
    // bear: `file` is absolute, `arguments` have it as it was typed.
    (
        "compile_commands.json",
        r#"[
        {"directory": "@/src", "arguments": ["/usr/bin/gcc", "-c", "-DSCALE=10", "-I", "../inc", "-o", "lib.o", "lib.c"], "file": "@/src/lib.c", "output": "@/src/lib.o"},
        {"directory": "@", "arguments": ["/usr/bin/gcc", "-c", "-DSCALE=10", "-Iinc", "-DONE=2", "-osrc/one.o", "./src/one.c"], "file": "@/src/one.c"}
    ]"#,
    ),
    // Meson: everything relative to the folder of the build, flags that colour messages.
    (
        "meson/compile_commands.json",
        r#"[
        {"directory": "@/meson", "command": "ccache cc -Ilib.p -I../inc -fdiagnostics-color=always -Wall -std=c99 -O0 -g -DSCALE=10 -MD -MQ lib.p/lib.c.o -MF lib.p/lib.c.o.d -o lib.p/lib.c.o -c ../src/lib.c", "file": "../src/lib.c", "output": "lib.p/lib.c.o"},
        {"directory": "@/meson", "command": "ccache cc -I../inc -DSCALE=10 -DTWO=2 -MD -MQ two -MF two.d -o two.o -c ../src/two.c", "file": "../src/two.c"}
    ]"#,
    ),
    (
        "m32/compile_commands.json",
        r#"[
        {"directory": "@", "command": "cc -m32 -funsigned-char -Iinc -DSCALE=10 -DTWO=2 -c src/lib.c", "file": "src/lib.c"},
        {"directory": "@", "command": "cc -m32 -Iinc -DSCALE=10 -DTWO=2 -c src/two.c", "file": "src/two.c"},
        {"directory": "@", "command": "cc -Iinc -DSCALE=10 -DONE=2 -c src/one.c", "file": "src/one.c"}
    ]"#,
    ),
    ("bad/list.json", "{}"),
    ("bad/text.json", "CC = gcc"),
    ("bad/empty.json", "[]"),
    ("bad/command.json", r#"[{"directory": "@", "file": "src/lib.c"}]"#),
    ("bad/folder.json", r#"[{"file": "src/lib.c", "command": "cc -c src/lib.c"}]"#),
    ("bad/cxx.json", r#"[{"directory": "@", "file": "a.cc", "command": "c++ -c a.cc"}]"#),
    ("none/readme", ""),
    ("pre.h", "#define SCALE 10\n#define ONE 2\n"),
    ("sys/lib.h", "int scaled(int x);\n"),
];

/// Runs the tool with these words in the project: its exit code, and the last line of its output or its
/// messages, with `@` for the folder.
fn check(words: &str, code: i32, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let root = root.to_str().unwrap();
    for (name, text) in PROJECT {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace('@', root)).unwrap();
    }
    let mut command = Command::new(TOOL);
    command.args(words.split(' ').map(|word| word.replace('@', root))).env("REPROVE_STORE", "none");
    let Output { status, stdout, stderr } = command.current_dir(root).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).replace(root, "@");
    let (out, err) = (text(&stdout), text(&stderr));
    assert_eq!(status.code(), Some(code), "{words}\n{out}{err}");
    let last = out.lines().last().unwrap_or_default();
    for part in expected {
        assert!(last == *part || err.contains(part), "{words}: no '{part}' in\n{out}{err}");
    }
}

#[test]
fn flags_come_from_databases() {
    let run = |words: &str, result: &str| check(words, 0, &[result]);
    // Of each tool, by folder and by file; from the root, and with absolute names.
    run("run -p cmake src/one.c src/lib.c", "exited with 20");
    run("run -p cmake src/two.c src/lib.c", "exited with 28");
    run("run -p cmake/compile_commands.json @/src/one.c src/../src/lib.c", "exited with 20");
    run("run -p . src/one.c src/lib.c", "exited with 20");
    run("run -p meson src/two.c src/lib.c", "exited with 28");
    run("show calls -p . src/one.c src/lib.c", "scaled (src/lib.c:2:5)");
    run("diff -p cmake src/lib.c src/lib.c", "functions: 1 unchanged");
    run("verify -p . src/one.c src/lib.c", "SAFE");
    // What the command line says comes last.
    run("run -p cmake src/one.c src/lib.c -D SCALE=5", "exited with 10");
}

#[test]
fn files_that_no_build_knows() {
    let note = "note: proofs/harness.c is not in cmake/compile_commands.json; it gets the flags of src/lib.c";
    check("verify -p cmake proofs/harness.c src/lib.c", 0, &["SAFE", note]);
    check("verify proofs/harness.c src/lib.c -Iinc -DSCALE=3", 0, &["SAFE"]);
}

#[test]
fn flags_of_the_command_line() {
    let run = |words: &str, result: &str| check(words, 0, &[result]);
    run("run src/one.c src/lib.c -isystem sys -include pre.h", "exited with 20");
    run("run src/one.c src/lib.c -isystemsys --include pre.h -std=c99", "exited with 20");
    run("run src/two.c src/lib.c -m32 -Iinc -DSCALE=10 -DTWO=2", "exited with 24");
    run("verify src/one.c src/lib.c -- -Isys -DSCALE=10 -DONE=2 -Wall -c -o x.o", "SAFE");
    run("verify --std c99 src/one.c src/lib.c -- -include pre.h -idirafter inc", "SAFE");
    check("verify src/one.c src/lib.c -std=c77 -include pre.h -Iinc", 2, &["c77"]);
    check(
        "verify src/lib.c -- -fwrapv -Iinc -DSCALE=1",
        2,
        &["warning: -fwrapv has no effect", "no function 'main'"],
    );
}

#[test]
fn programs_with_one_main_each() {
    check("run src/one.c src/two.c src/lib.c -p cmake", 2, &["redefinition of 'main'"]);
    let hint = "note: cmake/compile_commands.json has 2 programs, with 'main' in src/one.c, src/two.c: name the files of one of them";
    check(
        "verify cmake/compile_commands.json",
        2,
        &["redefinition of 'main'", hint, "files that are not C are left out (1)"],
    );
    // One program is still a whole database.
    check("run compile_commands.json", 0, &["exited with 20"]);
}

#[test]
fn the_machine_of_a_database() {
    let warning = "warning: -funsigned-char has no effect";
    check("run -p m32 src/two.c src/lib.c", 0, &["exited with 24", warning]);
    check("run -p m32 src/two.c src/lib.c --target lp64", 0, &["exited with 28"]);
    check(
        "run -p m32 src/one.c src/lib.c",
        2,
        &["some of the files are compiled with -m32 and some without"],
    );
}

#[test]
fn databases_of_two_versions() {
    check("equiv -p cmake src/lib.c src/lib.c", 0, &["EQUIVALENT"]);
    check(
        "equiv -p cmake -p m32 src/lib.c src/lib.c",
        2,
        &["the versions are for different machines (lp64 and ilp32); --target chooses"],
    );
    check("equiv -p cmake -p . -p meson src/lib.c src/lib.c", 2, &["at most two compilation databases"]);
    check("run -p cmake -p . src/lib.c", 2, &["one program, which has one compilation database"]);
}

#[test]
fn databases_that_are_none() {
    let bad = |words: &str, message: &str| check(words, 2, &[message]);
    bad("verify -p none src/lib.c", "error: none: no compile_commands.json in this folder; `cmake");
    bad("verify -p nowhere src/lib.c", "error: nowhere: no such compilation database");
    bad("verify -p bad/list.json src/lib.c", "bad/list.json: not a compilation database: invalid type: map");
    bad("verify -p bad/text.json src/lib.c", "bad/text.json: not a compilation database: expected value");
    bad("verify -p bad/empty.json src/lib.c", "bad/empty.json: the compilation database is empty");
    bad("verify -p bad/command.json src/lib.c", "the entry for src/lib.c has no command");
    bad("verify -p bad/folder.json src/lib.c", "missing field `directory`");
    bad("verify -p bad/cxx.json src/lib.c", "bad/cxx.json: the compilation database has no C file");
}

/// What a database says is part of what is certified.
#[test]
fn certificates_know_the_flags() {
    let folder = tempfile::tempdir().unwrap();
    let database = |flags: &str| {
        let text = format!(r#"[{{"directory": ".", "file": "a.c", "command": "cc {flags} -c a.c"}}]"#);
        fs::write(folder.path().join("compile_commands.json"), text).unwrap();
    };
    let program = "#include <assert.h>\nint main(void) { assert(LIMIT < 9); return 0; }\n";
    fs::write(folder.path().join("a.c"), program).unwrap();
    let run = |words: &str| {
        let mut command = Command::new(TOOL);
        command.args(words.split(' ')).env("REPROVE_STORE", "none").current_dir(folder.path());
        let output = command.stdin(Stdio::null()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    database("-DLIMIT=5");
    let (code, text) = run("verify -p . a.c --certificate made -std=c99");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("reprove certify made a.c -p . -- -std=c99"), "{text}");
    let (code, text) = run("certify made a.c -p . -std=c99");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\nflags: -std=c99\n"), "{text}");
    let (code, text) = run("certify made a.c -p .");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains(r#"its front.flags is ["-std=c99"], asked is []"#), "{text}");
    database("-DLIMIT=6");
    let (code, text) = run("certify made a.c -p . -std=c99");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a.c is not the file that it was made for"), "{text}");
}

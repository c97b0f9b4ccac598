//! Several files, one program: each case is a list of files and what the linked program returns, or the first
//! error.

use base::Budget;
use cfront::{Options, compile, with_stack};
use interp::{Interp, Outcome, ZeroInputs};

/// Writes the files, links them, verifies and runs the result.
fn result(files: &[&str]) -> Result<i32, String> {
    let dir = tempfile::tempdir().expect("a directory");
    let paths: Vec<_> =
        (0..files.len()).map(|i| dir.path().join(format!("{}.i", ["a", "b", "c"][i]))).collect();
    for (path, text) in paths.iter().zip(files) {
        std::fs::write(path, text).expect("written");
    }
    let output = with_stack(|| compile(&paths, &Options::default())).expect("no panic");
    let Some(program) = output.program else {
        let first = output.diagnostics.iter().next().expect("a reason");
        return Err(format!("{} ({} notes)", first.message, first.notes.len()));
    };
    ir::verify(&program).expect("verifies");
    let options = interp::Options::main(&program).ok_or("no main")?;
    let mut interp = Interp::new(&program, options).map_err(|e| e.to_string())?;
    match interp.run(&mut ZeroInputs, &Budget::steps(100_000)).outcome {
        Outcome::Returned(Some(bits)) => Ok(bits as i32),
        other => Err(format!("{other:?}")),
    }
}

#[track_caller]
fn check(files: &[&str], expected: Result<i32, &str>) {
    assert_eq!(result(files), expected.map_err(str::to_string));
}

#[test]
fn static_names_belong_to_their_file() {
    check(
        &[
            "static int x = 1; static int get(void) { return x; } int a(void) { return get(); }",
            "static int x = 2; static int get(void) { return x; } int a(void); int main(void) { return 10 * a() + get(); }",
        ],
        Ok(12),
    );
    // An external name keeps its plain name, whichever file comes first.
    check(
        &[
            "static int f(void) { return 1; } int g(void) { return f(); }",
            "int g(void); int f(void) { return 2; } int main(void) { return 10 * f() + g(); }",
        ],
        Ok(21),
    );
    check(
        &[
            "int f(void) { static int n; return ++n; }",
            "int f(void); static int n = 5; int main(void) { f(); return f() + n; }",
        ],
        Ok(7),
    );
}

#[test]
fn declarations_meet_their_definition() {
    check(
        &[
            "extern int x; int x; int get(void) { return x; }",
            "int x = 7; int get(void); int main(void) { return get(); }",
        ],
        Ok(7),
    );
    check(
        &["int x; void set(int v) { x = v; }", "int x; void set(int); int main(void) { set(3); return x; }"],
        Ok(3),
    );
    // Only one of the files takes the address.
    check(
        &[
            "extern int x; int *p(void) { return &x; }",
            "int x = 1; int *p(void); int main(void) { *p() = 9; return x; }",
        ],
        Ok(9),
    );
    check(
        &[
            "extern int t[]; int f(int i) { return t[i]; }",
            "int t[3] = {1, 2, 3}; int f(int); int main(void) { return f(2); }",
        ],
        Ok(3),
    );
    check(
        &[
            "struct s { int a, b; }; struct s f(struct s v) { v.b += v.a; return v; }",
            "struct s { int a, b; }; struct s f(struct s); int main(void) { struct s v = {1, 2}; return f(v).b * 10 + v.b; }",
        ],
        Ok(32),
    );
}

#[test]
fn two_definitions_are_an_error_unless_one_gives_way() {
    check(
        &["int f(void) { return 1; }", "int f(void) { return 2; } int main(void) { return f(); }"],
        Err("redefinition of 'f' (1 notes)"),
    );
    check(&["int x = 1;", "int x = 2; int main(void) { return x; }"], Err("redefinition of 'x' (1 notes)"));
    check(
        &[
            "__attribute__((weak)) int f(void) { return 1; } int g(void) { return f(); }",
            "int f(void) { return 2; } int g(void); int main(void) { return g(); }",
        ],
        Ok(2),
    );
    // The user's function wins over the model of the C library.
    check(
        &[
            "unsigned long strlen(const char *s) { return 42; }",
            "unsigned long strlen(const char *); int main(void) { return strlen(\"abc\"); }",
        ],
        Ok(42),
    );
    check(
        &["unsigned long strlen(const char *); int main(void) { char s[4] = \"abc\"; return strlen(s); }"],
        Ok(3),
    );
}

#[test]
fn calls_without_a_prototype_work_if_they_fit() {
    check(&["int f(int a, int b) { return a - b; }", "int f(); int main(void) { return f(5, 3); }"], Ok(2));
    check(
        &["int f(a, b) char a; int b; { return a + b; }", "int f(); int main(void) { return f(1, 2); }"],
        Ok(3),
    );
    assert!(result(&["int f(int a) { return a; }", "int f(); int main(void) { return f(5, 3); }"]).is_err());
}

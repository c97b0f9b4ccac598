//! Legal C that cannot be lowered makes its own function unknown, and nothing else.

use super::accept;
use ir::Target;

fn poisoned(source: &str, expected: &[(&str, &str)]) {
    let unit = accept(source, Target::LP64);
    let found: Vec<(&str, &str)> =
        unit.functions.iter().filter_map(|f| Some((&*f.name, &*f.poison.as_ref()?.0))).collect();
    assert_eq!(found, expected, "in\n{source}");
}

#[test]
fn reasons() {
    poisoned(
        "int ok(int x) { return x; }
         int jump(int x) { void *p = &&l; goto *p; l: return x; }
         double cplx(_Complex double z) { return __real__(z * z); }
         typedef int v4 __attribute__((vector_size(16))); v4 vec(v4 a, v4 b) { return a + b; }
         int nested(int x) { int in(int y) { return y; } return in(x); }
         int sj(void) { int buf[10]; return setjmp(buf); }
         int fesetround(int mode); float fr(float x) { fesetround(1024); return x / 3; }
         void unknown(void) { __builtin_ia32_something(3); }
         static _Complex double zero; int size(void) { return sizeof(zero * zero); }
         int chosen(int x) { return __builtin_constant_p(x) ? __builtin_ia32_something(x) : x; }",
        &[
            ("jump", "the address of a label"),
            ("cplx", "complex or vector arithmetic"),
            ("vec", "complex or vector arithmetic"),
            ("nested", "a nested function"),
            ("sj", "setjmp, longjmp or the like"),
            ("fr", "a change of the rounding mode"),
            ("unknown", "the builtin __builtin_ia32_something"),
        ],
    );
}

#[test]
fn parameters_come_first() {
    let unit = accept("int f(int n, int a[n][n + 1], int m) { return a[1][2] + m; }", Target::LP64);
    let body = unit.functions[0].body.as_ref().unwrap();
    let names: Vec<&str> = body.locals.iter().map(|l| &*l.name).collect();
    assert_eq!((body.params, &names[..3]), (3, &["n", "a", "m"][..]));
    assert!(unit.functions[0].poison.is_none());
}

#[test]
fn library_calls_become_operations() {
    let unit = accept(
        "double sqrt(double); float fabsf(float); double own(double x) { return sqrt(x) + fabsf(1.0f); }
         double floor(double x) { return x; } double mine(double x) { return floor(x); }",
        Target::LP64,
    );
    let text = |name: &str| {
        let function = unit.functions.iter().find(|f| &*f.name == name).unwrap();
        format!("{:?}", function.body.as_ref().unwrap().stmts)
    };
    assert!(text("own").contains("Builtin(Sqrt") && text("own").contains("Builtin(Abs"));
    assert!(text("mine").contains("Call"));
}

//! Pairs of small C functions: equal ones are never told apart, the difference of others is found.

use base::Budget;
use cfront::Options as CompileOptions;
use equiv::concrete::{
    Accept, Base, Byte, Compared, Comparer, DifferenceKind, Effort, Ending, ExternRule, Input, Observation,
    Observe, Options, Pair, Place, Pointer, Post, Reason, SearchResult, Story, Value, Watch, What, compare,
    minimise, search, side_by_side,
};
use ir::{Program, Target};

const TARGETS: [Target; 2] = [Target::LP64, Target::ILP32];

fn program(text: &str, target: Target) -> Program {
    let options = CompileOptions { target, ..CompileOptions::default() };
    testing::compile_with(text, &options).unwrap_or_else(|what| panic!("{what}"))
}

fn pair<'p>(old: &'p Program, new: &'p Program) -> Pair<'p> {
    let find = |p: &Program| p.find_function("f").or(p.find_function("main")).expect("f or main");
    Pair { old, new, old_fn: find(old), new_fn: find(new) }
}

fn options() -> Options {
    let rules = [("__mark", ExternRule::Constant(u128::MAX)), ("__inlineCall", ExternRule::Argument(0))];
    Options { externs: rules.map(|(n, r)| (n.to_string(), r)).into(), ..Options::default() }
}

fn searched(old: &Program, new: &Program) -> SearchResult {
    search(
        pair(old, new),
        &|_| true,
        None,
        &Watch::default(),
        &Effort { deep_total: 3_000_000, ..Effort::quick() },
        &options(),
        &Budget::unlimited(),
    )
}

/// A word for what differs first.
fn word(result: &SearchResult) -> String {
    match result.difference.as_ref().map(|d| &d.kind) {
        None => "same".into(),
        Some(DifferenceKind::Memory { place: Place::Global(name), .. }) => format!("global {name}"),
        Some(DifferenceKind::Memory { place: Place::Object(_), .. }) => "memory".into(),
        Some(DifferenceKind::Heap { .. }) => "heap".into(),
        Some(DifferenceKind::Call { .. }) => "call".into(),
        Some(kind) => format!("{kind:?}").to_lowercase(),
    }
}

/// `both` comes before each of the versions.
fn check(expected: &str, both: &str, old: &str, new: &str) {
    for target in TARGETS {
        let (a, b) = (program(&format!("{both}\n{old}"), target), program(&format!("{both}\n{new}"), target));
        let found = searched(&a, &b);
        assert_eq!(word(&found), expected, "{}\n{both}\n{old}\n{new}\n{found:?}", target.name);
        match found.difference {
            // An input that was found is explicit, so it can be replayed.
            Some(difference) => {
                let again = compare(pair(&a, &b), &difference.input, &options(), &Budget::unlimited());
                assert_eq!(again, Compared::Differs(difference));
            }
            None => assert!(found.same > 0, "nothing was compared: {found:?}\n{both}\n{old}\n{new}"),
        }
        // A version never differs from itself.
        for program in [&a, &b] {
            let itself = searched(program, program);
            assert_eq!(word(&itself), "same", "{itself:?}\n{both}\n{old}\n{new}");
        }
    }
}

#[test]
fn arithmetic() {
    check("same", "", "int f(int x) { return x + x; }", "int f(int x) { return 2 * x; }");
    check(
        "same",
        "",
        "int f(int x, int y) { return x ^ y; }",
        "int f(int x, int y) { return (x | y) - (x & y); }",
    );
    check("value", "", "int f(int x) { return x / 2; }", "int f(int x) { return x >> 1; }");
    check("value", "", "int f(int x) { return x > 1234567; }", "int f(int x) { return x >= 1234567; }");
    check(
        "value",
        "",
        "unsigned f(unsigned x) { return x * 3; }",
        "unsigned f(unsigned x) { return x << 1; }",
    );
    check(
        "value",
        "",
        "long long f(int x) { return x * x; }",
        "long long f(int x) { return (long long)x * x; }",
    );
    check("value", "", "double f(double x) { return x + 1.0 - 1.0; }", "double f(double x) { return x; }");
    check("same", "", "double f(double x) { return x * 2.0; }", "double f(double x) { return x + x; }");
    check("value", "", "int f(double x) { return x == x; }", "int f(double x) { return 1; }");
}

#[test]
fn loops_and_recursion() {
    check(
        "same",
        "extern int __mark(int);",
        "int f(int n) { int s = 0; for (int i = 0; __mark(1) & i <= n; i++) s += i; return s; }",
        "int f(int n) { int s = 0; while (n > 0) { s += n; n--; } return s; }",
    );
    // Only long runs overflow.
    check(
        "value",
        "",
        "int f(int n) { long long s = 0; if (n > 200000) return 0; for (int i = 1; i <= n; i++) s += i; return s > 2147483647LL; }",
        "int f(int n) { return 0; }",
    );
    check(
        "same",
        "",
        "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }",
        "int f(int n) { return n > 100 ? n - 10 : 91; }",
    );
    check(
        "value",
        "",
        "int f(int n) { return n <= 1 ? n : n + f(n - 1); }",
        "int f(int n) { return n <= 1 ? 1 : n + f(n - 1); }",
    );
}

#[test]
fn endings() {
    check("ending", "", "int f(int x) { return x; }", "int f(int x) { return x + 6 / (x - 3) * 0; }");
    check(
        "ending",
        "",
        "int f(int x, int y) { return x / y; }",
        "int f(int x, int y) { return y == -1 ? -x : x / y; }",
    );
    check(
        "ending",
        "void exit(int);",
        "int f(int x) { if (x == 7) exit(1); return 0; }",
        "int f(int x) { if (x == 7) exit(2); return 0; }",
    );
    check(
        "same",
        "void exit(int); int g;",
        "int f(int x) { g = 1; exit(x); }",
        "int f(int x) { g = 2; exit(x); }",
    );
    check(
        "ending",
        "void abort(void);",
        "int f(int x) { if (x == 5) abort(); return 0; }",
        "int f(int x) { return 0; }",
    );
    check(
        "ending",
        "void __VERIFIER_assert(int);",
        "int f(int x) { __VERIFIER_assert(x != 9); return 0; }",
        "int f(int x) { return 0; }",
    );
    check(
        "same",
        "void __VERIFIER_assume(int);",
        "int f(int x) { __VERIFIER_assume(x > 3); return 1; }",
        "int f(int x) { return x > 3; }",
    );
    // An invalid access is the caller's fault, not a difference.
    check("same", "", "int f(int *p) { return *p * 0; }", "int f(int *p) { return 0; }");
}

#[test]
fn globals() {
    check("global g", "int g, h;", "void f(int x) { g += x; h++; }", "void f(int x) { g -= x; h++; }");
    check("same", "int g;", "int f(int x) { g = x; return g; }", "int f(int x) { g = x; return x; }");
    check(
        "global a",
        "int a[4];",
        "void f(unsigned i) { a[i % 4] = 1; }",
        "void f(unsigned i) { a[i % 3] = 1; }",
    );
    // The initial value of a variable is any value, of a constant its own.
    check(
        "value",
        "static int g = 3; void set(int x) { g = x; }",
        "int f(void) { return g; }",
        "int f(void) { return 3; }",
    );
    check("same", "static const int g[] = {3};", "int f(void) { return g[0]; }", "int f(void) { return 3; }");
    check("same", "int g = 3;", "int main(void) { return g; }", "int main(void) { return 3; }");
    check(
        "same",
        "int g;",
        "int f(void) { static int count; count += g; return g; }",
        "int f(void) { static int count, other = 5; count += g; return other == 5 ? g : 0; }",
    );
    // A variable that lives in a register in one version and in memory in the other.
    check(
        "same",
        "int g;",
        "int f(void) { return g++; }",
        "int f(void) { int *p = &g; *p += 1; return *p - 1; }",
    );
    check("global g", "int g;", "void f(void) { g++; }", "void f(void) { int *p = &g; *p += 2; }");
}

#[test]
fn memory() {
    check(
        "memory",
        "",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }",
        "void f(int *a, int n) { for (int i = 0; i < n - 1; i++) a[i] = 0; }",
    );
    check(
        "same",
        "",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }",
        "void f(int *a, int n) { while (n-- > 0) *a++ = 0; }",
    );
    // Only if the two point to the same object.
    check(
        "memory",
        "",
        "void f(int *a, int *b) { *a += *b; *a += *b; }",
        "void f(int *a, int *b) { *a += 2 * *b; }",
    );
    check(
        "value",
        "struct n { int v; struct n *next; };",
        "int f(struct n *l) { int s = 0; while (l) { s += l->v; l = l->next; } return s; }",
        "int f(struct n *l) { int s = 0; while (l) { s ^= l->v; l = l->next; } return s; }",
    );
    check(
        "same",
        "struct n { int v; struct n *next; }; void free(void *);",
        "void f(struct n *l) { while (l) { struct n *t = l->next; free(l); l = t; } }",
        "void f(struct n *l) { for (struct n *t; l; l = t) { t = l->next; free(l); } }",
    );
    check(
        "same",
        "void *memcpy(void *, const void *, unsigned long);",
        "void f(char *d, char *s) { for (int i = 0; i < 9; i++) d[i] = s[i]; }",
        "void f(char *d, char *s) { if (d + 9 <= s || s + 9 <= d) memcpy(d, s, 9); else for (int i = 0; i < 9; i++) d[i] = s[i]; }",
    );
    check(
        "memory",
        "void *memcpy(void *, const void *, unsigned long);",
        "void f(char *d, char *s) { memcpy(d, s, 9); }",
        "void f(char *d, char *s) { memcpy(d, s, 8); }",
    );
}

#[test]
fn structs() {
    let s = "struct s { char c; int i; long l; };";
    check(
        "value",
        s,
        "long f(struct s s) { return s.i + s.l; }",
        "long f(struct s s) { return s.i + s.l + s.c; }",
    );
    check(
        "same",
        s,
        "struct s f(struct s s) { struct s r = s; r.i++; return r; }",
        "struct s f(struct s s) { struct s r; r.c = s.c; r.i = s.i + 1; r.l = s.l; return r; }",
    );
    check(
        "memory",
        s,
        "struct s f(struct s s) { struct s r = s; r.i++; return r; }",
        "struct s f(struct s s) { struct s r = s; r.l++; return r; }",
    );
    check(
        "same",
        s,
        "void f(struct s *p, struct s *q) { *p = *q; }",
        "void f(struct s *p, struct s *q) { p->c = q->c; p->i = q->i; p->l = q->l; }",
    );
}

#[test]
fn strings_and_output() {
    let printf = "int printf(const char *, ...);";
    check(
        "stdout",
        printf,
        r#"void f(int x) { printf("%d\n", x); }"#,
        r#"void f(int x) { printf("%u\n", x); }"#,
    );
    check(
        "stdout",
        printf,
        r#"void f(int x) { printf("a"); printf("b"); }"#,
        r#"void f(int x) { printf("b"); printf("a"); }"#,
    );
    check(
        "same",
        printf,
        r#"void f(int x) { printf("a"); printf("b"); }"#,
        r#"void f(int x) { printf("%s", "ab"); }"#,
    );
    check(
        "value",
        "",
        "int f(char *s) { int n = 0; while (s[n]) n++; return n; }",
        "int f(char *s) { int n = 0; while (s[n] && s[n] != '%') n++; return n; }",
    );
    check(
        "same",
        "",
        r#"const char *f(int x) { return x ? "yes" : "no"; }"#,
        r#"const char *unused = "maybe"; const char *f(int x) { if (!x) return "no"; return "yes"; }"#,
    );
    check(
        "value",
        "",
        r#"const char *f(int x) { return x ? "yes" : "no"; }"#,
        r#"const char *f(int x) { return x ? "yes" : "No"; }"#,
    );
}

#[test]
fn functions_without_a_body() {
    let g = "int g(int); int h(int); void note(char *, int);";
    check(
        "same",
        g,
        "int f(int x) { return g(x) + h(x); }",
        "int f(int x) { int a = g(x); return h(x) + a; }",
    );
    check(
        "call",
        g,
        "int f(int x) { return g(x) + h(x); }",
        "int f(int x) { int a = h(x); return g(x) + a; }",
    );
    check("value", g, "int f(int x) { return g(x); }", "int f(int x) { return g(x) | 1; }");
    check("value", g, "int f(int x) { return g(x); }", "int f(int x) { return g(x + 1); }");
    check("call", g, r#"void f(int x) { note("a", x); }"#, r#"void f(int x) { note("a", x + 1); }"#);
    check("same", g, r#"void f(int x) { note("a", x); }"#, r#"void f(int x) { char *s = "a"; note(s, x); }"#);
    check("call", g, r#"void f(int x) { note("a", x); }"#, r#"void f(int x) { note("b", x); }"#);
    check(
        "same",
        "int __VERIFIER_nondet_int(void);",
        "int f(void) { return __VERIFIER_nondet_int() * 2; }",
        "int f(void) { int n = __VERIFIER_nondet_int(); return n + n; }",
    );
    check(
        "value",
        "int g(int); int (*p)(int);",
        "int f(int x) { return p ? p(x) : 0; } int one(int x) { return 1; } int (*q)(int) = one;",
        "int f(int x) { return 0; } int one(int x) { return 1; } int (*q)(int) = one;",
    );
}

/// In memory that both versions leave alone there may be any number, that of a function's address included.
#[test]
fn numbers_are_no_functions() {
    let old = "static int h(int *p) { return p[0]; } int f(int *p) { return h(p) + p[1]; }";
    let new = "static int x(int *p) { return p[0]; } static int h(int *p) { return x(p); }
               int f(int *p) { return h(p) + p[1]; }";
    for target in TARGETS {
        let (a, b) = (program(old, target), program(new, target));
        let interp = interp::Interp::new(&a, interp::Options::new(ir::FuncId(0))).unwrap();
        for f in a.function_ids() {
            let address = interp.function_address(f);
            let mut input = Input::new(vec![Value::object(0, 0)], vec![64]);
            input.memory.set_bytes(&Place::Object(0), 0, &address.to_le_bytes());
            let compared = compare(pair(&a, &b), &input, &options(), &Budget::unlimited());
            assert_eq!(compared, Compared::Same, "{}", target.name);
        }
    }
    // Where addresses are taken, they are what they point to.
    let g = "int g(int x) { return x; } int k(int x) { return x; }";
    check("memory", g, "void f(int (**p)(int)) { *p = g; }", "void f(int (**p)(int)) { *p = k; }");
    check(
        "same",
        g,
        "void f(int (**p)(int)) { *p = g; }",
        "static int z; void f(int (**p)(int)) { *p = g; z = 1; }",
    );
}

#[test]
fn heap() {
    let b = "struct n { int v; struct n *next; }; void *malloc(unsigned long);";
    check(
        "same",
        b,
        "struct n *f(int v) { struct n *p = malloc(sizeof *p); p->v = v; p->next = 0; return p; }",
        "struct n *f(int v) { struct n *q = malloc(100); struct n *p = malloc(sizeof *p); p->next = 0; p->v = v; return p; }",
    );
    check(
        "heap",
        b,
        "struct n *f(int v) { struct n *p = malloc(sizeof *p); p->v = v; p->next = 0; return p; }",
        "struct n *f(int v) { struct n *p = malloc(sizeof *p); p->v = -v; p->next = 0; return p; }",
    );
    check(
        "heap",
        b,
        "struct n *f(int v) { struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->v = q->v = v; p->next = q; q->next = 0; return p; }",
        "struct n *f(int v) { struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->v = q->v = v; p->next = q; q->next = p; return p; }",
    );
}

#[test]
fn what_c_leaves_open_is_no_difference() {
    check(
        "same",
        "",
        "unsigned long f(int x) { int y = x; return (unsigned long)&y; }",
        "unsigned long f(int x) { int z, y = x; int *p = &z; return (unsigned long)&y; }",
    );
    check("same", "", "int f(int x) { int y; return x ? 1 : y; }", "int f(int x) { return x ? 1 : 7; }");
    check(
        "same",
        "int a, b;",
        "int f(int x) { return &a < &b; }",
        "int c[9]; int f(int x) { return &b > &a; }",
    );
    check(
        "same",
        "int printf(const char *, ...); int a;",
        r#"void f(void) { printf("%p", (void *)&a); }"#,
        r#"int c[9]; void f(void) { c[1] = 1; printf("%p", (void *)&a); }"#,
    );
}

#[test]
fn inputs_from_outside() {
    let text = "int f(int *a, int n) { return a[1] == 77 && n == 1000003; }";
    let (old, new) =
        (program(text, Target::LP64), program("int f(int *a, int n) { return 0; }", Target::LP64));
    let mut input = Input::new(vec![Value::object(0, 8), Value::Bits(1000003)], vec![64]);
    let run = |input: &Input| compare(pair(&old, &new), input, &options(), &Budget::unlimited());
    assert_eq!(run(&input), Compared::Same);
    input.memory.set(&Place::Object(0), 12, 4, &Value::Bits(77));
    let Compared::Differs(found) = run(&input) else { panic!("{:?}", run(&input)) };
    assert_eq!(found.kind, DifferenceKind::Value);
    assert_eq!(found.old.value.map(|v| v.1), Some(Value::Bits(1)));
    // Different arguments for the two versions.
    let (old, new) = (
        program("int f(int n) { return n; }", Target::LP64),
        program("int f(int n) { return n + 1; }", Target::LP64),
    );
    let mut input = Input::new(vec![Value::Bits(5)], vec![]);
    input.args[1][0] = Value::Bits(4);
    assert_eq!(compare(pair(&old, &new), &input, &options(), &Budget::unlimited()), Compared::Same);
}

#[test]
fn small_inputs() {
    let old = program("int f(int *a, int n, int m) { return n > 40 && a[3] > 5 ? 1 : 0; }", Target::LP64);
    let new = program("int f(int *a, int n, int m) { return 0; }", Target::LP64);
    let found = searched(&old, &new);
    let difference = *found.difference.expect("a difference");
    let mut comparer = Comparer::new(pair(&old, &new), &options());
    let small = minimise(&mut comparer, difference, &|_| true, None, 500, &Budget::unlimited());
    assert_eq!(small.input.args[0][1..], [Value::Bits(41), Value::Bits(0)]);
    assert_eq!(small.input.args[0], small.input.args[1]);
    let Value::Pointer(Pointer { base: Base::Object(object), .. }) = small.input.args[0][0] else {
        panic!("{small:?}")
    };
    let bytes = small.input.memory.bytes(&Place::Object(object));
    assert_eq!(bytes.iter().filter(|(_, b)| *b != Byte::Number(0)).count(), 1, "{bytes:?}");
}

#[test]
fn conditions() {
    let old = program("int f(int n) { return n * 2; }", Target::LP64);
    let new = program("int f(int n) { return n * 2 + 2; }", Target::LP64);
    let run = |accept: &Accept, post: Option<&Post>| {
        let (effort, options) = (Effort::quick(), options());
        search(pair(&old, &new), accept, post, &Watch::default(), &effort, &options, &Budget::unlimited())
    };
    // The new version gets one less.
    let shifted = |input: &mut Input| {
        let Some(n) = input.args[0][0].bits() else { return false };
        input.args[1][0] = Value::Bits(u128::from((n as u32).wrapping_sub(1)));
        true
    };
    assert!(run(&|_| true, None).difference.is_some());
    let found = run(&shifted, None);
    assert_eq!((found.difference, found.same), (None, 500));
    let number = |o: &Observation| o.value.as_ref().and_then(|(_, v)| v.bits()).map(|b| b as u32);
    let two_more =
        |old: &Observation, new: &Observation, _: &Input| Some(number(new)? == number(old)?.wrapping_add(2));
    assert_eq!(run(&|_| true, Some(&two_more)).difference, None);
    let found = run(&shifted, Some(&two_more)).difference.expect("a difference");
    assert_eq!(found.kind, DifferenceKind::Postcondition);
    // Nothing but what is asked for is observed.
    let old = program("int g; int f(int n) { g = 1; return n; }", Target::LP64);
    let new = program("int g; int f(int n) { g = 2; return n; }", Target::LP64);
    let input = Input::new(vec![Value::Bits(3)], vec![]);
    let only =
        |observe| compare(pair(&old, &new), &input, &Options { observe, ..options() }, &Budget::unlimited());
    assert!(matches!(only(Observe::default()), Compared::Differs(_)));
    assert_eq!(only(Observe { globals: Some(vec![]), ..Observe::default() }), Compared::Same);
}

#[test]
fn runs_that_do_not_end_and_visits() {
    let old = program("int f(int n) { while (n > 9) ; return n; }", Target::LP64);
    let new = program("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s++; return n; }", Target::LP64);
    let heads = |p: &Program| {
        let id = p.find_function("f").expect("f");
        let loops = ir::LoopForest::of(p.function(id).cfa().expect("a body"));
        loops.loops().iter().map(|l| (id, l.header)).collect::<Vec<_>>()
    };
    let watch = Watch { old: heads(&old), new: heads(&new) };
    let found =
        search(pair(&old, &new), &|_| true, None, &watch, &Effort::quick(), &options(), &Budget::unlimited());
    assert_eq!(found.difference, None);
    assert!(found.no_end.iter().all(|n| !n.old_ended && n.new_ended) && !found.no_end.is_empty());
    for visits in &found.visits {
        let n = visits.input.args[0][0].bits().map_or(0, |b| b as i32);
        let expected = if n <= 0 { 1 } else { n as u32 + 1 };
        assert_eq!(visits.counts, [vec![1], vec![expected]], "{n}");
    }
    assert!(found.visits.len() > 10);
}

#[test]
fn stories() {
    let both = "int g(int); int h(int x) { return x + 1; }";
    let text = |c: i32| {
        format!(
            "{both} int f(int n) {{ int s = 0; for (int i = 0; i < n; i++) s += h(i) * {c}; s = g(s); return s; }}"
        )
    };
    let (old, new) = (program(&text(1), Target::LP64), program(&text(2), Target::LP64));
    let mut comparer = Comparer::new(pair(&old, &new), &options());
    let input = Input::new(vec![Value::Bits(2)], vec![]);
    let told = side_by_side(&mut comparer, &input, 100, &Budget::unlimited()).expect("stories");
    let show = |story: &Story| {
        let lines = story.events.iter().filter_map(|e| match &e.what {
            What::Assign { name, value: Value::Bits(b), .. } => Some(format!("{name}={b}")),
            What::Call { name, args, .. } => {
                let args: Vec<_> = args.iter().filter_map(|(_, v)| v.bits()).map(|b| b.to_string()).collect();
                Some(format!("{name}({})", args.join(",")))
            }
            What::Return { value: Some((_, Value::Bits(b))) } => Some(format!("return {b}")),
            _ => None,
        });
        lines.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(show(&told.old), "s=0 i=0 h(0) return 1 s=1 i=1 h(1) return 2 s=3 i=2 g(3) s=0 return 0");
    assert_eq!(show(&told.new), "s=0 i=0 h(0) return 1 s=2 i=1 h(1) return 2 s=6 i=2 g(6) s=0 return 0");
    let (i, j) = told.first_difference.expect("a difference");
    let value = |e: &equiv::concrete::Event| format!("{:?}", e.what);
    assert!(value(&told.old.events[i]).contains("Bits(1)") && value(&told.new.events[j]).contains("Bits(2)"));
    assert_eq!((told.old.cut, told.old.ending.clone()), (false, Some(Ending::Returned)));
    let short = side_by_side(&mut comparer, &input, 5, &Budget::unlimited()).expect("stories");
    assert_eq!((short.old.events.len(), short.old.cut), (5, true));
}

#[test]
fn the_start_of_a_program() {
    check(
        "same",
        "",
        "int main(int argc, char **argv) { return argc < 0; }",
        "int main(int argc, char **argv) { if (argc > 1 && !argv[1]) return 1; return argv[argc] != 0; }",
    );
    let number = "static int number(char *s) { int n = 0; while (*s >= '0' && *s <= '9') n = n * 10 + *s++ - '0'; return n; }";
    check(
        "value",
        number,
        "int main(int argc, char **argv) { return argc == 3 ? number(argv[1]) + number(argv[2]) : -1; }",
        "int main(int argc, char **argv) { return argc == 3 ? number(argv[1]) + number(argv[2]) % 16 : -1; }",
    );
    // Nobody starts a program like this.
    let old = program("int main(int argc, char **argv) { return argc; }", Target::LP64);
    let new = program("int main(int argc, char **argv) { return argc < 0 ? 0 : argc; }", Target::LP64);
    let input = Input::new(vec![Value::Bits(0xffff_ffff), Value::object(0, 0)], vec![64]);
    let found = compare(pair(&old, &new), &input, &options(), &Budget::unlimited());
    assert_eq!(found, Compared::Excluded(Reason::BadInput));
}

#[test]
fn bits_that_mean_nothing() {
    // A field in a place where other structs have padding.
    check(
        "memory",
        "struct e { int code; int error; double d; };",
        "void f(struct e *p, int x) { p->code = x; p->error = 0; }",
        "void f(struct e *p, int x) { p->code = x; p->error = -1; }",
    );
    check(
        "global g",
        "struct e { int code; int error; double d; } g;",
        "void f(int x) { g.code = x; g.error = 0; }",
        "void f(int x) { g.code = x; g.error = -1; }",
    );
    // A field next to bit-fields.
    check(
        "memory",
        "struct b { unsigned a : 3; int n; };",
        "void f(struct b *p, int x) { p->a = x; p->n = 1; }",
        "void f(struct b *p, int x) { p->a = x; p->n = 2; }",
    );
    // The bits between bit-fields may or may not be copied.
    check(
        "same",
        "struct b { unsigned a : 3; unsigned c : 7; };",
        "void f(struct b *p) { p->a = 1; p->c = 9; }",
        "void f(struct b *p) { struct b t = {1, 9}; *p = t; }",
    );
    check(
        "value",
        "struct b { unsigned a : 3; unsigned c : 7; };",
        "int f(struct b *p) { p->a++; return p->a + p->c; }",
        "int f(struct b *p) { p->a++; return p->a | p->c; }",
    );
    // The sign of a NaN.
    check(
        "same",
        "",
        "void f(double *p, double x) { *p = x - x; }",
        "void f(double *p, double x) { *p = -(x - x) + 0.0; }",
    );
    check(
        "memory",
        "",
        "void f(double *p, double x) { *p = x + 1; }",
        "void f(double *p, double x) { *p = x + 2; }",
    );
}

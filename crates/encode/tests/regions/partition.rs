//! The regions of C programs, access by access.

use crate::support::{analyse, compile, compile_for, describe, roots};
use encode::regions::{ObjectKind, Options};
use encode::{RegionId, Regions};
use ir::{Expr, FuncId, Target};

struct Case {
    why: &'static str,
    root: &'static str,
    text: &'static str,
    /// `function: type[address] -> region: layout`, in the order of the program.
    expected: &'static str,
}

#[test]
fn programs() {
    for case in CASES {
        let found = describe(&[&compile(case.text)], &[case.root]);
        assert_eq!(found.trim(), case.expected.trim(), "{}\n{}", case.why, case.text);
    }
}

/// What a program has in common with its new version is in the same regions.
#[test]
fn versions() {
    let old = compile("int f(int *p, int i) { int a[4]; a[i] = *p; return a[0]; }");
    let new =
        compile("int f(int *q, int i) { int b[2]; int a[4]; a[i] = *q; b[0] = 1; return a[0] + b[i]; }");
    let found = describe(&[&old, &new], &["f"]);
    let expected = "
f: i32[p] -> f::p: i32 escapes
f: i32[&a + (i64(i) * 4i64)] -> f::a: i32
f: i32[&a] -> f::a: i32
f: i32[q] -> f::p: i32 escapes
f: i32[&a + (i64(i) * 4i64)] -> f::a: i32
f: i32[&b] -> f::b: i32
f: i32[&a] -> f::a: i32
f: i32[&b + (i64(i) * 4i64)] -> f::b: i32";
    assert_eq!(found, expected.trim());
}

#[test]
fn versions_of_other_names() {
    let old = compile("int f(int i) { int a[4]; a[i] = 1; return a[0]; }");
    let new = compile("int g(int j) { int a[4]; a[j] = 1; return a[0]; }");
    let regions = Regions::analyse(&[&old, &new], &[roots(&old, &["f"]), roots(&new, &["g"])]);
    let names: Vec<&str> = regions.list.iter().map(|r| &*r.name).collect();
    assert_eq!(names, ["f::a"]);
    let objects: Vec<usize> = regions.objects(RegionId(0)).iter().map(|(program, _)| *program).collect();
    assert_eq!(objects, [0, 1]);
}

/// Both versions divide memory alike, also where only one of them needs it.
#[test]
fn one_version_decides_for_both() {
    let old = compile("int f(int i) { long a[4]; a[i] = 1; return (int)a[0]; }");
    let new = compile("int f(int i) { long a[4]; a[i] = 1; return ((int *)a)[i]; }");
    let layouts = |found: String| found.lines().filter(|line| line.contains("bytes")).count();
    assert_eq!(layouts(describe(&[&old], &["f"])), 0);
    assert_eq!(layouts(describe(&[&old, &new], &["f"])), 4);
}

/// Without the assumption that memory has types, pointers from outside tell nothing apart.
#[test]
fn without_types() {
    let program = compile(
        "long own(long *); int f(int *a, long *b, int i) { long c[2]; *a = 1; *b = 2; c[i] = 3; return 0; }",
    );
    let names = |assume_types| {
        let options = Options { assume_types };
        let regions = Regions::analyse_with(&[&program], &[roots(&program, &["f"])], &options);
        (regions.list.iter().map(|r| r.name.clone()).collect::<Vec<_>>(), regions.assumes_types)
    };
    assert_eq!(names(true), (vec!["f::a".to_owned(), "f::b".to_owned(), "f::c".to_owned()], true));
    assert_eq!(names(false), (vec!["f::a".to_owned(), "f::c".to_owned()], false));
}

#[test]
fn tables() {
    let fields: String = (0..40).map(|i| format!("t[{i}] = {i};")).collect();
    let found = describe(&[&compile(&format!("int f(void) {{ int t[40]; {fields} return t[7]; }}"))], &["f"]);
    assert!(found.lines().all(|line| line.ends_with("-> f::t+0: i32")), "{found}");
}

#[test]
fn small_targets() {
    let text = "struct s { int a; int *p; long long w; }; int f(int x) { struct s s; s.w = 1; s.p = &s.a; *s.p = x; return s.a; }";
    let found = describe(&[&compile_for(text, Target::ILP32)], &["f"]);
    let expected = "
f: i64[&s + 8i32] -> f::s+8: i64
f: ptr[&s + 4i32] -> f::s+4: ptr
f: ptr[&s + 4i32] -> f::s+4: ptr
f: i32[ptr[&s + 4i32]] -> f::s+0: i32
f: i32[&s] -> f::s+0: i32";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.trim().lines().map(str::to_owned).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    assert_eq!(sorted(&found), sorted(expected));
}

/// What functions read and write, with all they call.
#[test]
fn effects() {
    let text = "
        int unknown(void);
        int shared[3];
        static int get(int *p) { return *p; }
        static void set(int *p) { *p = 1; }
        static int ask(void) { return unknown(); }
        int f(int i) { int a[2], b[2]; set(a); get(b); shared[i] = 1; return a[i] + b[i] + ask(); }";
    let program = compile(text);
    let regions = analyse(&[&program], &["f"]);
    let check = |function: &str, reads: &[&str], writes: &[&str]| {
        let id = program.find_function(function).expect(function);
        let names = |set: std::collections::BTreeSet<RegionId>| {
            let mut names: Vec<&str> = set.iter().map(|r| &*regions.list[r.0 as usize].name).collect();
            names.sort();
            names
        };
        assert_eq!(names(regions.read_by(0, id)), reads, "{function} reads");
        assert_eq!(names(regions.written_by(0, id)), writes, "{function} writes");
    };
    check("get", &["f::b"], &[]);
    check("set", &[], &["f::a"]);
    check("unknown", &["shared"], &["shared"]);
    check("ask", &["shared"], &["shared"]);
    check("f", &["f::a", "f::b", "shared"], &["f::a", "shared"]);
}

#[test]
fn objects() {
    let program = compile(
        "void *malloc(unsigned long); int g[2]; int f(int i) { int *p = i ? g : malloc(8); return p[i]; }",
    );
    let regions = analyse(&[&program], &["f"]);
    let objects = regions.objects(RegionId(0));
    assert!(matches!(objects, [(0, ObjectKind::Global(_)), (0, ObjectKind::Site(..))]), "{objects:?}");
    assert!(regions.objects(RegionId(99)).is_empty());
}

/// Questions about what is not there have answers.
#[test]
fn odd_questions() {
    let program = compile("int f(int x) { return x; } static int g(int *p) { return *p; }");
    let regions = analyse(&[&program], &["f"]);
    assert_eq!(regions.list.len(), 1);
    let null = Expr::null();
    for (index, function) in [(0, 0), (0, 1), (0, 99), (7, 0)] {
        let id = FuncId(function);
        assert_eq!(regions.of(index, id, &null), RegionId(0));
        assert!(regions.around(index, id, &null).is_empty());
        regions.read_by(index, id);
    }
    let nothing = Regions::analyse(&[], &[]);
    assert_eq!(nothing.of(0, FuncId(0), &null), RegionId(0));
}

const CASES: &[Case] = &[
    Case {
        why: "A list that nobody else sees: each field is a region.",
        root: "f",
        text: r#"
void *malloc(unsigned long);
struct node { int key; struct node *next; };
static struct node *push(struct node *list, int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = list;
    return n;
}
int f(int x) {
    struct node *list = push(push(0, x), 2);
    int sum = 0;
    for (; list; list = list->next) sum += list->key;
    return sum;
}
"#,
        expected: r#"
push: i32[n] -> push::list+0: i32
push: ptr[n + 8i64] -> push::list+8: ptr
f: i32[list] -> push::list+0: i32
f: ptr[list + 8i64] -> push::list+8: ptr
"#,
    },
    Case {
        why: "An array of structs; pointers into it move by whole elements.",
        root: "f",
        text: r#"
struct cell { int value; int next; long stamp; };
static struct cell pool[8];
static int head;
int f(int v) {
    struct cell *c = &pool[v & 7];
    struct cell *last = pool + 7;
    c->value = v;
    c->next = head;
    for (; c < last; c++) c->stamp++;
    return last->value;
}
"#,
        expected: r#"
f: i32[c] -> pool+0: i32 escapes
f: i32[c + 4i64] -> pool+4: i32 escapes
f: i64[c + 8i64] -> pool+8: i64 escapes
f: i32[last] -> pool+0: i32 escapes
"#,
    },
    Case {
        why: "From a field back to the struct around it.",
        root: "f",
        text: r#"
struct link { struct link *next; };
struct item { long key; struct link link; };
static struct item *of(struct link *l) { return (struct item *)((char *)l - 8); }
long f(long k) {
    struct link head;
    struct item one;
    one.key = k;
    one.link.next = &head;
    head.next = &one.link;
    return of(head.next)->key;
}
"#,
        expected: r#"
f: i64[&one] -> f::one+0: i64
f: ptr[&one + 8i64] -> f::one+8: ptr
f: ptr[&head] -> f::head: ptr
f: i64[.t1] -> f::one+0: i64
"#,
    },
    Case {
        why: "Two types at one place; the field next to them is apart.",
        root: "f",
        text: r#"
union number { int i; float f; };
struct pair { union number a; int b; };
int f(int x) {
    struct pair p;
    struct pair *q = &p;
    q->a.f = 1;
    q->b = x;
    return q->a.i;
}
"#,
        expected: r#"
f: f32[q] -> f::p+0: bytes
f: i32[q + 4i64] -> f::p+4: i32
f: i32[q] -> f::p+0: bytes
"#,
    },
    Case {
        why: "Parts of values.",
        root: "f",
        text: r#"
int f(int i) {
    short s[4];
    int *p = (int *)&s[1];
    long l = 5;
    char *c = (char *)&l;
    *p = 1;
    l = 6;
    return c[i] + s[i];
}
"#,
        expected: r#"
f: i64[&l] -> f::l: bytes
f: i32[p] -> f::s: bytes
f: i64[&l] -> f::l: bytes
f: i8[c + i64(i)] -> f::l: bytes
f: i16[&s + (i64(i) * 2i64)] -> f::s: bytes
"#,
    },
    Case {
        why: "Blocks of whole cells leave cells; blocks over several fields, and over parts of a cell, make bytes.",
        root: "f",
        text: r#"
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
struct point { int x, y; long z; };
int f(int n, int i) {
    int a[10], b[10], c[4], d[4];
    struct point p, *q = &p, o;
    memset(a, 0, sizeof a);
    memcpy(b, a, n * sizeof a[0]);
    memset(&o, 0, sizeof o);
    memcpy(&p, &o, sizeof p);
    memcpy(c, d, 6);
    return a[i] + b[i] + c[i] + q->x + (int)q->z;
}
"#,
        expected: r#"
f: fill[&a] -> f::a: i32
f: copy[&a] -> f::a: i32
f: copy[&b] -> f::b: i32
f: fill[&o] -> f::o: bytes
f: copy[&o] -> f::o: bytes
f: copy[&p] -> f::p: bytes
f: copy[&d] -> f::d: bytes
f: copy[&c] -> f::c: bytes
f: i32[&a + (i64(i) * 4i64)] -> f::a: i32
f: i32[&b + (i64(i) * 4i64)] -> f::b: i32
f: i32[&c + (i64(i) * 4i64)] -> f::c: bytes
f: i32[q] -> f::p: bytes
f: i64[q + 8i64] -> f::p: bytes
"#,
    },
    Case {
        why: "Pointers that are numbers for a while.",
        root: "f",
        text: r#"
int f(int i) {
    int a[4], b[4], c[4];
    unsigned long n = (unsigned long)a + 4 * i;
    int *p = (int *)n;
    long table[2];
    table[0] = (long)b;
    *p = 1;
    *(int *)table[0] = 2;
    return c[i] = 3;
}
"#,
        expected: r#"
f: i64[&table] -> f::table: i64
f: i32[p] -> f::a: i32
f: i64[&table] -> f::table: i64
f: i32[ptr(i64[&table])] -> f::b: i32
f: i32[&c + (i64(i) * 4i64)] -> f::c: i32
"#,
    },
    Case {
        why: "A call through a pointer joins what its callees are given; an unknown function gets to know its argument.",
        root: "f",
        text: r#"
int unknown(int *);
static int set(int *p, int v) { return *p = v; }
static int get(int *p, int v) { return *p + v; }
int f(int i) {
    int a[2], b[2], c[2], d[2];
    int (*call)(int *, int) = i ? set : get;
    call(a, i);
    set(b, i);
    c[i] = 1;
    d[i] = unknown(c);
    return a[i] + b[i];
}
"#,
        expected: r#"
set: i32[p] -> f::a: i32
get: i32[p] -> f::a: i32
f: i32[&c + (i64(i) * 4i64)] -> f::c: i32 escapes
f: i32[&d + (i64(i) * 4i64)] -> f::d: i32
f: i32[&a + (i64(i) * 4i64)] -> f::a: i32
f: i32[&b + (i64(i) * 4i64)] -> f::a: i32
"#,
    },
    Case {
        why: "Extra arguments are in an object of the callee.",
        root: "f",
        text: r#"
typedef __builtin_va_list va_list;
static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    __builtin_va_start(ap, n);
    while (n--) s += *__builtin_va_arg(ap, int *);
    __builtin_va_end(ap);
    return s;
}
int f(int i) {
    int a[2], b[2], c[2];
    c[i] = 1;
    a[i] = 1;
    b[i] = 1;
    return sum(2, a, b);
}
"#,
        expected: r#"
sum: ptr[&ap] -> sum::ap: ptr
sum: i32[ptr[.t2]] -> f::a: i32
sum: ptr[.t2] -> sum::...: ptr
f: i32[&c + (i64(i) * 4i64)] -> f::c: i32
f: i32[&a + (i64(i) * 4i64)] -> f::a: i32
f: i32[&b + (i64(i) * 4i64)] -> f::a: i32
"#,
    },
    Case {
        why: "Constants are never written, so nothing has to be known about who else points there.",
        root: "f",
        text: r#"
int puts(const char *);
static const int primes[] = {2, 3, 5};
const char *const names[] = {"two", "three"};
int f(int i, int *p) {
    puts("hello");
    *p = 1;
    return primes[i] + names[i][0];
}
"#,
        expected: r#"
f: i32[p] -> f::p: i32 escapes
f: i32[&@primes + (i64(i) * 4i64)] -> primes: i32 constant
f: i8[ptr[&@names + (i64(i) * 8i64)]] -> .str.0: i8 escapes constant
f: ptr[&@names + (i64(i) * 8i64)] -> names: ptr constant
"#,
    },
    Case {
        why: "The arguments of a program are apart from its globals.",
        root: "main",
        text: r#"
int squares[10];
int main(int argc, char **argv) {
    squares[argc] = 1;
    return argv[1][0] + squares[0];
}
"#,
        expected: r#"
main: i32[&@squares + (i64(argc) * 4i64)] -> squares: i32
main: i8[ptr[argv + 8i64]] -> argv#2: i8
main: ptr[argv + 8i64] -> argv: ptr
main: i32[&@squares] -> squares: i32
"#,
    },
    Case {
        why: "A static local is there for the next call.",
        root: "f",
        text: r#"
int f(int i) {
    static int seen[4];
    static int *last;
    last = &seen[i];
    return ++*last;
}
"#,
        expected: r#"
f: i32[@f::last] -> f::seen: i32 escapes
"#,
    },
    Case {
        why: "Pointers from outside may be equal; types tell what cannot overlap.",
        root: "f",
        text: r#"
struct node { int key; struct node *next; double w; };
int f(int *a, int n, struct node *list, long *out) {
    for (int i = 0; i < n; i++) a[i] = list->key;
    *out = 3;
    list->w = 1;
    return list->next->key;
}
"#,
        expected: r#"
f: i32[list] -> f::list+0: i32 escapes
f: i32[a + (i64(i) * 4i64)] -> f::list+0: i32 escapes
f: i64[out] -> f::out: i64 escapes
f: f64[list + 16i64] -> f::list+16: f64 escapes
f: i32[ptr[list + 8i64]] -> f::list+0: i32 escapes
f: ptr[list + 8i64] -> f::list+8: ptr escapes
"#,
    },
    Case {
        why: "A pointer from outside may point anywhere into an array, so constant offsets tell nothing apart.",
        root: "f",
        text: r#"
int f(int *p, int *q) {
    p[0] = 1;
    return q[1];
}
"#,
        expected: r#"
f: i32[p] -> f::p: i32 escapes
f: i32[q + 4i64] -> f::p: i32 escapes
"#,
    },
    Case {
        why: "A pointer to characters may point into anything that is known outside, but not to a local.",
        root: "f",
        text: r#"
int g[3];
int f(char *s, int *n, int i) {
    char own[8];
    own[i] = 1;
    *n = 2;
    g[i] = 3;
    return s[i] + own[0];
}
"#,
        expected: r#"
f: i8[&own + i64(i)] -> f::own: i8
f: i32[n] -> f::n: bytes escapes
f: i32[&@g + (i64(i) * 4i64)] -> f::n: bytes escapes
f: i8[s + i64(i)] -> f::n: bytes escapes
f: i8[&own] -> f::own: i8
"#,
    },
    Case {
        why: "What is declared as characters holds no number that a pointer to numbers could point to.",
        root: "f",
        text: r#"
char buffer[80];
int count[3];
long total[3];
int f(int *n, int i) {
    *n = 2;
    buffer[i] = 1;
    total[i] = 1;
    return count[i];
}
"#,
        expected: r#"
f: i32[n] -> f::n: i32 escapes
f: i8[&@buffer + i64(i)] -> buffer: i8 escapes
f: i64[&@total + (i64(i) * 8i64)] -> total: i64 escapes
f: i32[&@count + (i64(i) * 4i64)] -> f::n: i32 escapes
"#,
    },
    Case {
        why: "Unknown code calls back, with pointers of its own.",
        root: "main",
        text: r#"
void walk(void (*)(int *, long *));
static int count[4];
static void each(int *p, long *q) { *p = (int)*q; }
int main(void) {
    int own[2];
    own[0] = 1;
    count[own[0]]++;
    walk(each);
    return own[0];
}
"#,
        expected: r#"
each: i64[q] -> each::q: i64 escapes
each: i32[p] -> each::p: i32 escapes
main: i32[&own] -> main::own: i32
main: i32[.t1] -> each::p: i32 escapes
main: i32[&own] -> main::own: i32
"#,
    },
    Case {
        why: "What unknown code can reach over several steps, and what it cannot.",
        root: "f",
        text: r#"
void *malloc(unsigned long);
void keep(void *);
struct box { int *content; int size; };
int f(int *p) {
    struct box *b = malloc(sizeof *b);
    int *own = malloc(4);
    int *kept = malloc(4);
    b->content = kept;
    keep(b);
    *own = 1;
    *kept = 2;
    *p = 3;
    return *b->content + b->size;
}
"#,
        expected: r#"
f: ptr[b] -> f::b+0: ptr escapes
f: i32[own] -> f::own: i32
f: i32[kept] -> f::kept: i32 escapes
f: i32[p] -> f::kept: i32 escapes
f: i32[ptr[b]] -> f::kept: i32 escapes
f: ptr[b] -> f::b+0: ptr escapes
f: i32[b + 8i64] -> f::kept: i32 escapes
"#,
    },
];

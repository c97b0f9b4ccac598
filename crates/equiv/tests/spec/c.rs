//! Conditions in C: their values, and what is said about wrong ones.

use equiv::spec::{
    CBinding, CCondition, Condition, ConditionKind, Memory, Moment, Side, Spec, SpecError, Version, Versions,
    compile_condition,
};
use ir::{GlobalId, Program};
use proptest::prelude::*;
use std::sync::Arc;

const OLD: &str = "
typedef struct { int a; int *b; } S;
struct pair { int x; unsigned char y; };
enum { LIMIT = 3 };
int count;
int table[4];
static struct pair last;
const int bound = 8;
static int square(int x) { return x * x; }
static int length(const char *s) { int n = 0; while (*s++) n++; return n; }
static int counted(int x) { return x + count; }
static void clear(int *p) { *p = 0; }
static int cleared(int *p) { clear(p); return 1; }
extern int unknown(int);
int f(int n, S *s, struct pair v, const char *text, unsigned u, double d, char k) {
    int *q = &last.x;
    *q = counted(n) + bound;
    count += square(n) + v.x + length(text) + unknown(n) + table[n & 3] + cleared(s->b);
    return s->a + n + u + d + k;
}
struct pair g(int n) { struct pair r = { n, 2 }; return r; }
void h(int n) { count = n; }
int *(*pick(int n))(S *, int) { return 0; }
";

struct Compiled {
    program: Program,
    texts: Vec<(String, Arc<str>)>,
}

fn compile(name: &str, text: &str) -> Compiled {
    let options = cfront::Options::default();
    let output = cfront::with_stack(|| cfront::compile_text(name, text, &options)).unwrap();
    let program = output.program.unwrap_or_else(|| panic!("{:?}", output.diagnostics));
    Compiled { program, texts: vec![(name.to_owned(), text.into())] }
}

fn condition(
    old: &str,
    new: &str,
    function: &str,
    moment: Moment,
    text: &str,
) -> Result<Condition, SpecError> {
    let (old, new) = (compile("old.c", old), compile("new.c", new));
    let options = cfront::Options::default();
    let side = |c: &Compiled| c.program.find_function(function).unwrap_or_else(|| panic!("no {function}"));
    let versions = Versions {
        old: Version { program: &old.program, function: side(&old), texts: &old.texts },
        new: Version { program: &new.program, function: side(&new), texts: &new.texts },
        options: &options,
    };
    let option = if moment == Moment::Before { "--pre" } else { "--post" };
    compile_condition(option, text, moment, &versions)
}

fn as_c(condition: Condition) -> CCondition {
    let ConditionKind::C(c) = condition.kind else { panic!("not C") };
    assert_eq!(ir::verify(&c.program), Ok(()));
    assert_eq!(c.reads.len(), c.program.function(c.function).cfa().unwrap().edges().len());
    c
}

/// Both versions' memories: `s` points to `{ a, b }` at 0x1000, `b` to 0x1100, `v` lies at 0x1200, `text` at
/// 0x1300, `table` at 0x2000, `last` at 0x2100. What is in them differs: bytes of the new version are one
/// more.
struct World {
    bytes: Vec<(u64, Vec<u8>)>,
}

impl World {
    fn new() -> World {
        let ints = |list: &[i32]| list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        let mut s = ints(&[10, 0]);
        s.extend(0x1100u64.to_le_bytes());
        World {
            bytes: vec![
                (0x1000, s),
                (0x1100, ints(&[5, 6, 7, 8])),
                (0x1200, ints(&[40, 41])),
                (0x1300, b"abc\0".to_vec()),
                (0x2000, ints(&[1, 2, 3, 4])),
                (0x2100, ints(&[77, 78])),
            ],
        }
    }

    fn value(&self, program: &Program, binding: CBinding) -> Option<u128> {
        let plus = u128::from(binding.side() == Side::New);
        Some(match binding {
            // n, s, v, text, u, d, k
            CBinding::Param { index, .. } => {
                [3 + plus, 0x1000, 0x1200, 0x1300, 0xffff_fff0 + plus, u128::from(1.5f64.to_bits()), 0xf0]
                    [index as usize]
            }
            CBinding::Result { .. } => 100 + plus,
            CBinding::Global { id, .. } => match &*program.global(id).name {
                "count" => 20 + plus,
                "bound" => 8,
                _ => return None,
            },
            CBinding::GlobalAddress { id, .. } => match &*program.global(id).name {
                "table" => 0x2000,
                "last" => 0x2100,
                _ => return None,
            },
        })
    }
}

impl Memory for World {
    fn read(&self, side: Side, address: u64, len: u64) -> Option<Vec<u8>> {
        let (at, bytes) =
            self.bytes.iter().find(|(at, b)| *at <= address && address < at + b.len() as u64)?;
        let from = (address - at) as usize;
        let found = bytes.get(from..from + len as usize)?;
        // Pointers are the same, the rest is one more.
        let plus = u8::from(side == Side::New && len < 8);
        Some(found.iter().enumerate().map(|(i, b)| if i == 0 && *b != 0 { b + plus } else { *b }).collect())
    }

    fn global(&self, side: Side, _id: GlobalId) -> Option<u128> {
        Some(20 + u128::from(side == Side::New))
    }
}

fn check(moment: Moment, text: &str, expected: Option<bool>) {
    let world = World::new();
    let old = compile("old.c", OLD);
    let found = condition(OLD, OLD, "f", moment, text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.text, text.trim());
    let c = as_c(found);
    assert_eq!(c.holds(&|binding| world.value(&old.program, binding), &world), expected, "{text}");
}

#[test]
fn values() {
    let check = |text: &str, expected: bool| check(Moment::Before, text, Some(expected));
    check("n == 3 && n$1 == 3 && n$2 == 4", true);
    check("n$1 > n$2", false);
    check("u > 100 && (int)u == -16", true);
    check("u$2 - u == 1", true);
    check("k < 0", true);
    check("d == 1.5 && d$2 * 2 == 3", true);
    check("n ? n < LIMIT : 1", false);
    check("sizeof(S) == 16 && sizeof table == 16 && sizeof(struct pair) == 8", true);
    check("s && text != NULL", true);
    check("(S *)0 == s", false);
    check("INT_MAX - n > 0 && LONG_MIN < 0 && UINT_MAX == -1", true);
    check("square(n) == 9 && square(n$2) == 16", true);
    check("count == 20 && count$2 == 21 && bound == 8", true);
    check("// all of it\n 1 /* yes */", true);
}

#[test]
fn every_read_has_its_memory() {
    let check = |text: &str, expected: bool| check(Moment::Before, text, Some(expected));
    check("s->a == 10 && s$2->a == 11", true);
    check("s->a + 1 == s$2->a", true);
    check("s->b[1] == 6 && s$2->b[n - 1] == 8", true);
    check("s->b[s$2->a - 10] == 6", true);
    check("v.x == 40 && v.y == 41 && v$2.x == 41", true);
    check("table[0] == 1 && table$2[0] == 2 && table[table$2[0]] == 3", true);
    check("last.x == 77 && (&last$2)->x == 78", true);
    check("length(text) == 3 && length(text$2) == 3", true);
    check("text[0] == 'a' && text$2[0] == 'b'", true);
    check("*s->b == 5 && *(s$2->b + 1) == 7", true);
    check("counted(1) == 21", true);
}

#[test]
fn results() {
    let check = |text: &str, expected: bool| check(Moment::After, text, Some(expected));
    check("result == 100 && result$1 == 100 && result$2 == 101", true);
    check("result$2 == result$1 + (n$2 - n)", true);
    check("count$2 - count == 1", true);
}

#[test]
fn what_has_no_value() {
    check(Moment::Before, "10 / (n - 3) > 1", Some(false));
    check(Moment::Before, "n == 3 || 10 / (n - 3) > 1", Some(true));
    check(Moment::Before, "s->b[1000] == 0", None);
    check(Moment::Before, "n != 3 && s->b[1000] == 0", Some(false));
}

#[test]
fn struct_results() {
    let c =
        as_c(condition(OLD, OLD, "g", Moment::After, "result$1.x == result$2.x && result.y == 2").unwrap());
    let param = |side| CBinding::Param { side, index: 0 };
    assert_eq!(c.bindings, [param(Side::Old), param(Side::New), param(Side::Old)]);
    let c = as_c(condition(OLD, OLD, "pick", Moment::After, "result == 0 && n > 0").unwrap());
    assert_eq!(
        c.bindings,
        [CBinding::Result { side: Side::Old }, CBinding::Param { side: Side::Old, index: 0 }]
    );
}

#[test]
fn versions_may_differ() {
    let old = "int f(int src, int len) { return src + len; }";
    let new = "extern int mode; long f(int from, unsigned n) { return from + n + mode; }";
    let text = "src == from$2 && len == (int)n && mode > 0 && result$2 > result$1";
    let c = as_c(condition(old, new, "f", Moment::After, text).unwrap());
    let sides: Vec<Side> = c.bindings.iter().map(|b| b.side()).collect();
    assert_eq!(sides, [Side::Old, Side::New, Side::Old, Side::New, Side::New, Side::New, Side::Old]);
    // The same struct, elsewhere in the file.
    let old = "struct p { int a, b; }; int f(struct p *p) { return p->a; }";
    let new = "struct q { int z; }; struct p { int a, b; }; int f(struct p *p) { return p->b; }";
    as_c(condition(old, new, "f", Moment::Before, "p$1->b == p$2->b").unwrap());
}

fn check_error(function: &str, moment: Moment, text: &str, expected: &[&str]) {
    let error = condition(OLD, OLD, function, moment, text).map(|c| c.text).unwrap_err();
    assert_eq!(error.to_string(), expected.join("\n"), "{text}");
}

#[test]
fn errors_speak_of_the_users_text() {
    let check = |text: &str, expected: &[&str]| check_error("f", Moment::Before, text, expected);
    let names = "  the names here are: n, s, v, text, u, d, k, count, table, last, bound";
    check("n > m + 1", &["--pre: unknown name 'm'", "  n > m + 1", "      ^", names]);
    check(
        "s->a > n$3",
        &[
            "--pre: unknown name 'n$3'",
            "  s->a > n$3",
            "         ^^^",
            "  write n$1 for the old version's, n$2 for the new one's",
            names,
        ],
    );
    check(
        "result > 0",
        &["--pre: unknown name 'result'", "  result > 0", "  ^^^^^^", "  there is no result before the call"],
    );
    check("n >", &["--pre: expected expression", "  n >", "     ^"]);
    check("n > 0) || (n", &["--pre: this bracket has no partner", "  n > 0) || (n", "       ^"]);
    check("(n > 0", &["--pre: this bracket is never closed", "  (n > 0", "  ^"]);
    check(" ", &["--pre: expected an expression", "  ", "  ^", "  for example: x$1 == x$2 && x$1 > 0"]);
    check(
        "n == 3; 1",
        &[
            "--pre: a condition is one expression, without statements or initialisers",
            "  n == 3; 1",
            "        ^",
        ],
    );
    check("s->q > 0", &["--pre: no member named 'q' in 'struct <anonymous>'", "  s->q > 0", "     ^"]);
    check("*n > 0", &["--pre: invalid type argument of unary '*' (have 'int')", "  *n > 0", "  ^^"]);
    check(
        "n > 0 && v",
        &["--pre: used 'struct pair' type value where scalar is required", "  n > 0 && v", "           ^"],
    );
    check("n > /* open", &["--pre: unterminated comment", "  n > /* open", "      ^^"]);
    check("#define X 1", &["--pre: a condition cannot hold directives", "  #define X 1", "  ^^^^^^^^^^^"]);
}

#[test]
fn conditions_change_nothing() {
    let check = |text: &str, expected: &[&str]| check_error("f", Moment::Before, text, expected);
    check(
        "n = 3",
        &[
            "--pre: a condition must not change anything, but '=' assigns",
            "  n = 3",
            "    ^",
            "  write '==' to compare",
        ],
    );
    check(
        "n++ > 0",
        &["--pre: a condition must not change anything, but '++' assigns", "  n++ > 0", "   ^^"],
    );
    check(
        "(n -= 1) > 0",
        &["--pre: a condition must not change anything, but '-=' assigns", "  (n -= 1) > 0", "     ^^"],
    );
    let only = "--pre: a condition can only call functions without effects, but";
    check(
        "n > 0 && unknown(n)",
        &[&format!("{only} 'unknown' has no body"), "  n > 0 && unknown(n)", "           ^^^^^^^"],
    );
    check(
        "cleared(table)",
        &[&format!("{only} 'cleared' calls 'clear', which writes memory"), "  cleared(table)", "  ^^^^^^^"],
    );
    check(
        "n, u",
        &["--pre: a comma drops what stands before it", "  n, u", "   ^", "  write '&&' to demand both"],
    );
    check(
        "&n != 0",
        &[
            "--pre: a condition cannot use the address of 'n', which is not in memory",
            "  &n != 0",
            "  ^^^^^^^",
        ],
    );
    check("text == \"x\"", &["--pre: a condition cannot hold strings", "  text == \"x\"", "          ^^^"]);
}

#[test]
fn memories_are_not_mixed() {
    let check = |text: &str, message: &str| {
        let error = condition(OLD, OLD, "f", Moment::Before, text).map(|c| c.text).unwrap_err();
        assert_eq!(error.message, message, "{text}");
    };
    check("(n ? s$1 : s$2)->a == 1", "an address mixes the old and the new version's values");
    check("*(int *)8 == 0", "a condition cannot read memory at a fixed address");
}

#[test]
fn the_result_of_a_function_without_one() {
    let expected = [
        "--post: unknown name 'result$1'",
        "  result$1 == 0",
        "  ^^^^^^^^",
        "  the function returns nothing that could be used here",
    ];
    check_error("h", Moment::After, "result$1 == 0", &expected);
}

#[test]
fn types_that_differ_between_the_versions() {
    let old = "struct p { int a, b; }; int f(struct p *p) { return p->a; }";
    let new = "struct p { int b, a; }; int f(struct p *p) { return p->a; }";
    let error = condition(old, new, "f", Moment::Before, "p$1->b == p$2->b").map(|c| c.text).unwrap_err();
    assert_eq!(error.message, "the condition means something else with the new version's types");
    let new = "struct p { int a; }; int f(struct p *p) { return p->a; }";
    let error = condition(old, new, "f", Moment::Before, "p$2->b == 0").map(|c| c.text).unwrap_err();
    assert_eq!(error.message, "with the new version's types: no member named 'b' in 'struct p'");
    // Only the old version's memory is read.
    condition(old, new, "f", Moment::Before, "p$1->b == 0").unwrap();
}

#[test]
fn several_files() {
    let texts = [
        ("a.c".to_owned(), Arc::<str>::from("int helper(int x) { return x + 1; }")),
        (
            "b.c".to_owned(),
            Arc::<str>::from(
                "typedef struct { short w; } T; int helper(int); int f(T *t) { return helper(t->w); }",
            ),
        ),
    ];
    let options = cfront::Options::default();
    let list: Vec<(&str, &str)> = texts.iter().map(|(n, t)| (&**n, &**t)).collect();
    let output = cfront::with_stack(|| cfront::compile_texts(list, &options)).unwrap();
    let program = output.program.unwrap();
    let version = Version { program: &program, function: program.find_function("f").unwrap(), texts: &texts };
    let versions = Versions { old: version, new: version, options: &options };
    as_c(compile_condition("--pre", "helper(t->w) == t$2->w", Moment::Before, &versions).unwrap());
}

/// All together: annotations, the command line, and whether it fits the functions.
fn spec(source: &str, pre: &[&str], post: &[&str]) -> Result<Spec, SpecError> {
    let code = compile("old.c", source);
    let options = cfront::Options::default();
    let function = code.program.find_function("f").unwrap();
    let version = Version { program: &code.program, function, texts: &code.texts };
    let versions = Versions { old: version, new: version, options: &options };
    let mut spec = Spec::from_sources([("old.c", source)])?;
    let owned = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    spec.add_options(&owned(pre), &owned(post), &versions)?;
    spec.check(&versions)?;
    Ok(spec)
}

#[test]
fn the_command_line_and_the_sources() {
    let source = "/*@ pre (> x$1 0) @*/ /*@ rel_out (= result$1 y) @*/";
    assert!(spec(&format!("{source} int f(int x) {{ return x; }}"), &[], &[]).is_err());
    let source =
        "/*@ pre (> x$1 0) @*/ /*@ rel_out (= result$1 1) @*/ int g[2]; int f(int x) { return x + g[x]; }";
    let all = spec(source, &["x < 9", "x$2 > 1"], &["result$1 >= result$2"]).unwrap();
    assert_eq!(all.pre.iter().map(|c| &*c.text).collect::<Vec<_>>(), ["(> x$1 0)", "x < 9", "x$2 > 1"]);
    assert_eq!(all.post.unwrap().iter().map(|c| &*c.text).collect::<Vec<_>>(), ["result$1 >= result$2"]);
    assert_eq!(all.notes, ["old.c:1:35: --post is used instead of this 'rel_out'"]);
    assert!(spec(source, &[], &[]).unwrap().post.unwrap()[0].text.starts_with("(= result$1"));
}

#[test]
fn annotations_fit_the_functions() {
    let check = |annotation: &str, expected: &[&str]| {
        let source =
            format!("/*@ {annotation} @*/\nint g[2]; int f(int x, double d) {{ return x + d + g[x]; }}");
        let found = spec(&source, &[], &[]).map_or_else(|e| e.to_string(), |_| String::new());
        assert_eq!(found, expected.join("\n"), "{annotation}");
    };
    check("pre (= (select HEAP$1 (+ g$1 4)) x$2)", &[]);
    check("rel_out (= result$1 result$2)", &[]);
    check("pre (= d$1 d$2)", &[]);
    check(
        "pre (= y$1 0)",
        &[
            "old.c:1:12: unknown name 'y$1'",
            "  /*@ pre (= y$1 0) @*/",
            "             ^^^",
            "  the names here are: x, d, g",
        ],
    );
    check(
        "rel_in (= result$1 0)",
        &[
            "old.c:1:15: unknown name 'result$1'",
            "  /*@ rel_in (= result$1 0) @*/",
            "                ^^^^^^^^",
            "  there is no result before the call",
        ],
    );
    check(
        "pre (< d$1 0)",
        &["old.c:1:9: d$1 is not a number", "  /*@ pre (< d$1 0) @*/", "          ^^^^^^^^^"],
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever is written, there is an answer.
    #[test]
    fn no_text_is_too_strange(words in prop::collection::vec(prop::sample::select(PIECES), 0..9)) {
        let text = words.concat();
        let _ = condition(OLD, OLD, "f", Moment::After, &text);
        let _ = Spec::from_sources([("t.c", &*format!("/*@ pre {text} @*/"))]);
        let _ = Spec::from_sources([("t.c", &*text)]);
    }
}

const PIECES: &[&str] = &[
    "n",
    "s$1",
    "s$2",
    "->a",
    ".x",
    "v",
    "(",
    ")",
    "[",
    "]",
    "0",
    "1",
    " + ",
    " && ",
    " ? ",
    " : ",
    " == ",
    "\n",
    "*",
    "&",
    "$",
    "é",
    "\"",
    "'",
    "/*",
    "*/",
    "@",
    "//",
    "\\",
    "#",
    "sizeof ",
    "(int)",
    "length(text)",
    "result",
    " (= ",
    "HEAP$1 ",
    ";",
    "|",
    "(forall ((i Int)) ",
    "(select HEAP$2 i)",
    "(let ((x 1)) ",
    "_",
    "bv1 ",
    "32",
    "/*@ opt ",
    "-fun ",
    "\u{0}",
    "\t",
];

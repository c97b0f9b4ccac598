//! Pairs of versions that differ on an input that is known, for tests: whatever is said of them, they are not
//! equivalent.
//!
//! A pair is a random function, or a random `main`, with one of [`KINDS`] of changes in the middle. The input
//! is found by running both versions from their initialisers, on chosen numbers.

use crate::concrete::{Compared, Input, Options, Pair, Value, compare};
use base::Budget;
use cfront::{compile_text, with_stack};
use ir::{FuncId, Program};
use std::fmt::Write;

/// What the versions differ in.
pub const KINDS: [&str; 22] = [
    "division by zero",
    "division that overflows",
    "remainder that overflows",
    "division in a condition",
    "division in a callee",
    "division in a loop",
    "division of long long",
    "table",
    "static number",
    "static counter",
    "rare input",
    "putchar",
    "printf",
    "rounds of a loop",
    "exit code",
    "abort",
    "heap",
    "overflow",
    "narrowing",
    "global",
    "array",
    "shift",
];

/// Two versions, and what their difference may depend on.
pub struct Case {
    pub kind: &'static str,
    pub texts: [String; 2],
    /// Numbers that occur in them.
    numbers: Vec<i32>,
}

/// The programs of a case, and an input on which they differ.
pub struct Known {
    pub programs: [Program; 2],
    pub functions: [FuncId; 2],
    pub input: [i32; 2],
}

struct Random(base::random::Random);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.number()
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// Small, or any.
    fn number(&mut self) -> i32 {
        match self.below(3) {
            0 => self.next() as i32,
            _ => self.below(40) as i32 - 10,
        }
    }

    /// Cannot trap.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(6) {
                0 => format!("{}", self.below(100)),
                1 => "t[x & 7]".to_owned(),
                2 => "k".to_owned(),
                _ => self.pick(&["x", "y", "r"]).to_owned(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(9) {
            0 => format!("({a} << {})", self.below(8)),
            1 => format!("({a} >> {})", self.below(8)),
            2 => format!("({}){a}", self.pick(&["short", "signed char", "unsigned char", "long long"])),
            3 => format!("({a} < {b} ? {a} : {b})"),
            4 => format!("({a} == {b})"),
            _ => format!("({a} {} {b})", self.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }
}

const DECLARATIONS: &str = "int __VERIFIER_nondet_int(void);\nint putchar(int);\nint printf(const char *, ...);\n\
    void exit(int);\nvoid abort(void);\nvoid *malloc(unsigned long);\nvoid free(void *);\n";

/// The case of a number.
pub fn case(seed: u64) -> Case {
    let mut random = Random(base::random::Random(seed ^ 0x7e57));
    let kind = KINDS[(seed % KINDS.len() as u64) as usize];
    let (c, d) = (random.number(), random.number());
    let small = random.below(6) + 2;
    let divisor = random.pick(&["y", "x", "(y - 3)", "(x ^ y)", "(short)y", "(y & 7)"]);
    let table: Vec<i32> = (0..8).map(|_| random.number()).collect();
    let changed = random.below(8) as usize;
    let other = |list: &[i32]| -> Vec<i32> {
        list.iter().enumerate().map(|(i, n)| if i == changed { n ^ 4 } else { *n }).collect()
    };
    // The table, the static number, the callee, the middle of each version.
    let mut tables = [table.clone(), table.clone()];
    let mut fixed = [c, c];
    let mut callees = ["return a ^ b;".to_owned(), "return a ^ b;".to_owned()];
    let pair = |old: String, new: String| [old, new];
    let middle = match kind {
        "division by zero" => {
            pair(format!("r += x / {divisor};"), format!("if ({divisor} != 0) r += x / {divisor};"))
        }
        "division that overflows" => pair("r += x / y;".to_owned(), "r += y == -1 ? -x : x / y;".to_owned()),
        "remainder that overflows" => pair("r += x % y;".to_owned(), "r += y == -1 ? 0 : x % y;".to_owned()),
        "division in a condition" => pair(
            format!("if (x / {divisor} > {small}) r ^= 5;"),
            format!("if ({divisor} && x / {divisor} > {small}) r ^= 5;"),
        ),
        "division in a callee" => {
            callees = ["return a / b;".to_owned(), "if (b == 0) return 0; return a / b;".to_owned()];
            pair(format!("r += h(x, {divisor});"), format!("r += h(x, {divisor});"))
        }
        "division in a loop" => {
            let body =
                |guard: &str| format!("for (int i = -{small}; i < (y & 7); i++) if ({guard}) r += x / i;");
            pair(body("i != 0"), body(&format!("i != 0 || x == {c}")))
        }
        "division of long long" => pair(
            "{ long long w = (long long)x << 32; r += (int)(w / (long long)y); }".to_owned(),
            "{ long long w = (long long)x << 32; r += (int)(y == -1 ? -w : w / (long long)y); }".to_owned(),
        ),
        "table" => {
            tables[1] = other(&table);
            let index = random.pick(&["x & 7", "(x + y) & 7", "y & 3", "(unsigned)x % 8"]);
            pair(format!("r += t[{index}];"), format!("r += t[{index}];"))
        }
        "static number" => {
            fixed[1] = c ^ (1 << small);
            pair("r ^= k;".to_owned(), "r ^= k;".to_owned())
        }
        "static counter" => {
            let count = |start: i32| format!("{{ static int n = {start}; n += x; r += n; }}");
            pair(count(d), count(d.wrapping_add(1)))
        }
        "rare input" => {
            let test = format!("(x ^ {d}) == {}", c ^ d);
            pair("r += y;".to_owned(), format!("r += y; if ({test} && y > {small}) r++;"))
        }
        "putchar" => {
            pair("putchar('A' + (x & 7));".to_owned(), format!("putchar(y == {d} ? 'z' : 'A' + (x & 7));"))
        }
        "printf" => pair(
            "printf(\"%d %d\\n\", r, x);".to_owned(),
            format!("printf(\"%d %d\\n\", r, x == {c} ? y : x);"),
        ),
        "rounds of a loop" => {
            let body = |test: &str| format!("for (unsigned i = 0; i {test}; i++) r = r * 3 + (int)i;");
            pair(
                body("< (y & 15)"),
                body(random.pick(&["<= (y & 15)", "< (y & 31)", "< (y & 15) && i != 11"])),
            )
        }
        "exit code" => {
            pair(format!("if (x == {c}) exit({small});"), format!("if (x == {c}) exit({});", small + 1))
        }
        "abort" => pair(format!("if (x == {c}) abort();"), format!("if (x == {c}) return {d};")),
        "heap" => {
            let body = |index: &str| {
                format!(
                    "{{ int *p = malloc(4 * sizeof *p); p[0] = x; p[1] = y; p[2] = r; p[3] = 7; \
                     p[{index}] += {small}; r = p[0] * 3 ^ p[1] * 5 ^ p[2] * 7 ^ p[3]; free(p); }}"
                )
            };
            pair(body("x & 3"), body(random.pick(&["y & 3", "(x + 1) & 3", "x > 5 ? 0 : x & 3"])))
        }
        "overflow" => match random.below(3) {
            0 => pair("if (x + 1 > x) r++;".to_owned(), "r++;".to_owned()),
            1 => pair("r += x * 2 / 2;".to_owned(), "r += x;".to_owned()),
            _ => pair("if (x - y < 0) r++;".to_owned(), "if (x < y) r++;".to_owned()),
        },
        "narrowing" => match random.below(3) {
            0 => pair("r += (short)x;".to_owned(), "r += x;".to_owned()),
            1 => pair("r += (unsigned char)x;".to_owned(), "r += (signed char)x;".to_owned()),
            _ => pair("if ((unsigned)x < 9u) r++;".to_owned(), "if (x < 9) r++;".to_owned()),
        },
        "global" => pair("g = r;".to_owned(), format!("g = x == {c} && y == {d} ? 1 : r;")),
        "array" => {
            let body = |index: &str| {
                format!("{{ int a[4] = {{1, x, y, 4}}; a[y & 3] = {small}; r ^= a[{index}]; }}")
            };
            pair(body("x & 3"), body(random.pick(&["(x + 1) & 3", "x == 2 ? 3 : x & 3", "(x & 3) / 2"])))
        }
        _ => pair("r ^= x << (y & 31);".to_owned(), "r ^= x << (y & 15);".to_owned()),
    };
    let (before, behind) = (random.expression(2), random.expression(1));
    let looped = random.below(3) == 0;
    let whole = random.below(4) == 0;
    let mut texts = [0, 1].map(|side: usize| {
        let list: Vec<String> = tables[side].iter().map(i32::to_string).collect();
        let mut text = DECLARATIONS.to_owned();
        let _ = writeln!(text, "static int t[8] = {{{}}};\nstatic int k = {};", list.join(", "), fixed[side]);
        let _ = writeln!(text, "int g;\nstatic int h(int a, int b) {{ {} }}", callees[side]);
        let linkage = if whole { "static " } else { "" };
        let _ = writeln!(text, "{linkage}int f(int x, int y) {{\n  int r = 1;\n  r = (int)({before});");
        if looped {
            let _ = writeln!(text, "  for (int j = 0; j < (x & 3); j++) r += j ^ h(r, j | 1);");
        }
        let _ = writeln!(text, "  {}\n  r += (int)({behind});\n  return r;\n}}", middle[side]);
        if whole {
            text += "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n  \
                     return f(x, y) & 127; }\n";
        }
        text
    });
    if random.below(2) == 0 {
        texts.swap(0, 1);
    }
    Case { kind, texts, numbers: vec![c, d, c.wrapping_add(1), small as i32, c ^ d] }
}

/// Both programs, and an input on which they differ; None if none was found.
pub fn known(case: &Case) -> Option<Known> {
    let compile = |text: &str| {
        let output = with_stack(|| compile_text("t.c", text, &cfront::Options::default())).ok()?;
        output.program
    };
    let programs = [compile(&case.texts[0])?, compile(&case.texts[1])?];
    let entry = |program: &Program| program.find_function("main").or_else(|| program.find_function("f"));
    let functions = [entry(&programs[0])?, entry(&programs[1])?];
    let [old_fn, new_fn] = functions;
    let whole = programs[0].function(old_fn).params == 0;
    let chosen = [0, 1, -1, 2, 3, 5, 7, 8, 16, 100, 127, 128, 255, 256, 32768, 65535, i32::MIN, i32::MAX];
    let numbers: Vec<i32> = case.numbers.iter().copied().chain(chosen).collect();
    // What never changes is nothing to look at when they have ended.
    let [old, new] = encode::start::settle([&programs[0], &programs[1]]);
    let options = Options { initialised: Some(true), max_steps: 20_000, ..Options::default() };
    for &x in &numbers {
        for &y in &numbers {
            let bits = [x, y].map(|n| Value::Bits(u128::from(n as u32)));
            let mut input = Input::new(if whole { Vec::new() } else { bits.to_vec() }, Vec::new());
            for (n, value) in (0..).zip(bits).filter(|_| whole) {
                input.inputs.insert(("__VERIFIER_nondet_int".into(), n), value);
            }
            let pair = Pair { old: &old, new: &new, old_fn, new_fn };
            if let Compared::Differs(_) = compare(pair, &input, &options, &Budget::unlimited()) {
                return Some(Known { programs, functions, input: [x, y] });
            }
        }
    }
    None
}

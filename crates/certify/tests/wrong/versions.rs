//! Pairs of versions that do the same, with edits of the new one after which they do not; and the runs that
//! show it.

use base::Budget;
use interp::{Interp, Options, RandomInputs};
use ir::{FuncId, Program};

pub struct Pair {
    pub name: &'static str,
    /// Both versions of a function `f`, with what it needs.
    pub texts: [&'static str; 2],
    /// How `f` is run with two numbers, and what is seen of it as one.
    pub run: &'static str,
    pub edits: &'static [(&'static str, &'static str)],
}

const HEADER: &str =
    "extern int __VERIFIER_nondet_int(void); extern int putchar(int); extern void exit(int);\n";

pub const PAIRS: &[Pair] = &[
    Pair {
        name: "sum",
        texts: [
            "int f(int n) { int s = 0; int k = 0; while (k < n) { s = s + 2 * k; k = k + 1; } return s; }",
            "int f(int n) { int t = 0; int k = 0; while (k < n) { t += k; t += k; k++; } return t; }",
        ],
        run: "return f(x);",
        edits: &[
            ("t += k; t += k", "t += k; t += 2"),
            ("k < n", "k <= n"),
            ("t = 0", "t = 1"),
            ("k++", "k += 2"),
        ],
    },
    Pair {
        name: "recursion",
        texts: [
            "int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }",
            "int f(int n) { if (n < 1) return 0; int r = f(n - 1); return r + n; }",
        ],
        run: "return f(x);",
        edits: &[("n < 1", "n < 2"), ("r + n", "r + 1"), ("return 0", "return 1"), ("n - 1", "n - 2")],
    },
    Pair {
        name: "callee",
        texts: [
            "int w; int g(int x) { w = x; return x * 2; } int f(int *a, int n) { int s = 0;
            for (int i = 0; i < n; i++) { s += g(a[i]); a[i] = s; } return s; }",
            "int w; int g(int x) { w = x; return x + x; } int f(int *a, int n) { int s = 0; int i = 0;
            while (i < n) { s = g(a[i]) + s; a[i] = s; i += 1; } return s; }",
        ],
        run: "int a[3] = {x, y, 3}; int r = f(a, 3); return r * 31 + a[0] * 7 + a[1] * 5 + a[2] + w * 11;",
        edits: &[("x + x", "x + 3"), ("a[i] = s", "a[i] = s + 1"), ("w = x;", ""), ("i = 0", "i = 1")],
    },
    Pair {
        name: "table",
        texts: [
            "static const int t[3] = {4, 5, 6}; int f(int i) { return i == 1 ? t[1] + i : 0; }",
            "static const int t[3] = {4, 5, 6}; int f(int i) { if (i != 1) return 0; return t[2]; }",
        ],
        run: "return f(x);",
        edits: &[("5, 6}", "5, 7}"), ("i != 1", "i != 2"), ("return 0", "return 1"), ("t[2]", "t[1]")],
    },
    Pair {
        name: "inputs",
        texts: [
            "int f(int n) { int s = 0; while (n > 0) { s += __VERIFIER_nondet_int(); n--; } return s; }",
            "int f(int n) { int s = 0; for (; n > 0; n--) { int v = __VERIFIER_nondet_int(); s = v + s; } return s; }",
        ],
        run: "return f(x);",
        edits: &[("v + s", "v - s"), ("n > 0", "n > 1"), ("s = v + s", "s = v"), ("s = 0", "s = 2")],
    },
    Pair {
        name: "output",
        texts: [
            "void f(int n) { for (int i = 0; i < n; i++) putchar(65 + i); }",
            "void f(int n) { int c = 65; int i = 0; while (i < n) { putchar(c); c++; i++; } }",
        ],
        run: "f(x); return 0;",
        edits: &[("c = 65", "c = 66"), ("c++;", ""), ("i < n", "i <= n"), ("putchar(c);", "")],
    },
    Pair {
        name: "exits",
        texts: [
            "int g; int f(int n) { g = n; if (n > 3) exit(2); return g + 1; }",
            "int g; int f(int n) { int r = n + 1; if (n >= 4) exit(2); g = r - 1; return r; }",
        ],
        run: "return f(x) + 5 * g;",
        edits: &[("exit(2)", "exit(3)"), ("n >= 4", "n >= 5"), ("r - 1", "r - 2"), ("g = r - 1;", "")],
    },
    Pair {
        name: "inlined",
        texts: [
            "static int twice(int x) { return x + x; } int f(int n) { int s = 0;
            for (int i = 0; i < n; i++) s = twice(s) + i; return s; }",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s = s + s + i; return s; }",
        ],
        run: "return f(x);",
        edits: &[("s + s + i", "s + i"), ("i < n", "i < n - 1"), ("+ i;", "+ 1;"), ("s = 0", "s = 3")],
    },
    Pair {
        name: "peeled",
        texts: [
            "int f(int n) { int s = 1; for (int i = 0; i < n; i++) s = s * 3 + i; return s; }",
            "int f(int n) { int s = 1, i = 0; if (n <= 0) return 1; s = 3; for (i = 1; i < n; i++) s = s * 3 + i; return s; }",
        ],
        run: "return f(x);",
        edits: &[("s = 3;", "s = 4;"), ("i = 1", "i = 2"), ("return 1", "return 0"), ("n <= 0", "n <= 1")],
    },
];

/// Two programs and their functions `f`.
pub struct Versions {
    pub texts: [String; 2],
    pub programs: [Program; 2],
    pub functions: [FuncId; 2],
}

impl Pair {
    pub fn versions(&self) -> Versions {
        self.of(self.texts.map(str::to_owned))
    }

    /// With an edit of the new version.
    pub fn edited(&self, (from, to): (&str, &str)) -> Versions {
        let [old, new] = self.texts;
        assert!(new.contains(from), "{}: there is no {from}", self.name);
        self.of([old.to_owned(), new.replacen(from, to, 1)])
    }

    fn of(&self, texts: [String; 2]) -> Versions {
        let texts = texts.map(|text| format!("{HEADER}{text}\nint run(int x, int y) {{ {} }}\n", self.run));
        Versions::new(texts, "f")
    }
}

impl Versions {
    pub fn new(texts: [String; 2], function: &str) -> Versions {
        let compile = |text: &String| {
            let output = cfront::compile_text("f.c", text, &cfront::Options::default());
            output.program.unwrap_or_else(|| panic!("{text}"))
        };
        let programs = [compile(&texts[0]), compile(&texts[1])];
        let functions =
            [0, 1].map(|i: usize| programs[i].find_function(function).expect("the function is there"));
        Versions { texts, programs, functions }
    }

    pub fn both(&self) -> [&Program; 2] {
        [&self.programs[0], &self.programs[1]]
    }

    /// Numbers for which `run` does something else.
    pub fn difference(&self) -> Option<[i32; 2]> {
        let numbers = [0, 1, 2, 3, -1, 4, 5];
        let inputs = numbers.iter().flat_map(|x| numbers.iter().map(|y| [*x, *y]));
        inputs.into_iter().find(|numbers| {
            let [old, new] = self.both().map(|program| seen(program, *numbers));
            old != new
        })
    }
}

/// How a run ends, and what it writes.
fn seen(program: &Program, numbers: [i32; 2]) -> (String, Vec<u8>) {
    let run = program.find_function("run").expect("there is a function that runs it");
    let options = Options { max_steps: 10_000, ..Options::new(run) };
    let mut interp = Interp::new(program, options).expect("it is small");
    let args = numbers.map(|n| u128::from(n as u32));
    let run = interp.call(run, &args, &mut RandomInputs::new(7), &Budget::unlimited());
    (format!("{:?}", run.outcome), run.stdout)
}

#[test]
fn pairs() {
    let mut wrong = Vec::new();
    for pair in PAIRS {
        if let Some(numbers) = pair.versions().difference() {
            wrong.push(format!("{} differs with {numbers:?}", pair.name));
        }
        for edit in pair.edits {
            if pair.edited(*edit).difference().is_none() {
                wrong.push(format!("{} does not differ with {edit:?}", pair.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

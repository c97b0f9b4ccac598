//! Random C programs that mostly terminate and mostly do not trap, with checks that sometimes fail.
//!
//! As `ir::testing`: any list of choices gives a program, and shorter lists and smaller numbers give simpler
//! ones. Addresses are never looked at as numbers.

use std::fmt::Write;

const HEADER: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
extern int unknown(int);
extern void *malloc(unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern int sprintf(char *, const char *, ...);
extern void exit(int);
struct S { int x; int y; struct S *n; int *p; };
int g0, g1 = 1, g2 = 2, g3;
int a[4] = {1, 2, 3, 4};
struct S s[2];
int *p = &g3;
struct S *q = s;
char text[40];
static int f0(int n, int m); static int f1(int n, int m); static int f2(int n, int m); static int f3(int n, int m);
static int (*table[3])(int, int) = {f1, f2, f3};
static int sum(struct S v) { return v.x + v.y; }
static struct S pair(int x, int y) { struct S v = {x, y, s, a}; return v; }
static int extra(int n, ...) {
  __builtin_va_list ap; int t = 0;
  __builtin_va_start(ap, n);
  while (n-- > 0) t += __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return t;
}
static void put(int *to, int v) { *to = v; }
static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
";

pub fn program(choices: &[u32]) -> String {
    let mut maker = Maker { choices, next: 0, text: HEADER.to_owned(), function: 0, loops: 0 };
    for function in (0..4).rev() {
        maker.function = function;
        let _ = writeln!(maker.text, "static int f{function}(int n, int m) {{");
        maker.body(5);
        maker.text.push_str("  return x;\n}\n");
    }
    maker.function = 4;
    maker.text.push_str("int main(void) { int n = __VERIFIER_nondet_int(), m = 3;\n");
    maker.body(9);
    maker.check();
    maker.text.push_str("  return 0;\n}\n");
    maker.text
}

struct Maker<'a> {
    choices: &'a [u32],
    next: usize,
    text: String,
    function: usize,
    loops: usize,
}

impl Maker<'_> {
    fn below(&mut self, limit: u32) -> u32 {
        let choice = self.choices.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        choice % limit
    }

    fn body(&mut self, statements: u32) {
        self.loops = 0;
        self.text.push_str("  int x = n, y = m, z = 0, b[3] = {0}; struct S t = {0}; int *l = b;\n");
        let count = 1 + self.below(statements);
        (0..count).for_each(|_| self.statement(3));
    }

    fn check(&mut self) {
        let e = self.expr(2);
        let _ = writeln!(self.text, "  if ((({e}) & 3) == {}) __VERIFIER_error();", self.next % 4);
    }

    fn place(&mut self) -> String {
        let places = [
            "x", "y", "z", "g0", "g1", "g2", "g3", "*p", "q->x", "q->y", "s[1].x", "s[0].y", "t.x", "t.y",
            "*l", "m",
        ];
        match self.below(19) {
            16 => format!("a[({}) & 3]", self.expr(1)),
            17 => format!("b[({}) & 1]", self.expr(1)),
            18 => format!("s[({}) & 1].x", self.expr(1)),
            i => places[i as usize].to_owned(),
        }
    }

    fn pointer(&mut self) -> String {
        let places = ["&g3", "&g0", "a", "a + 1", "&s[1].y", "&q->x", "p", "l", "b", "b + 2", "&t.x", "q->p"];
        places[self.below(12) as usize].to_owned()
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => self.below(5).to_string(),
                _ => self.place_without_index(),
            };
        }
        match self.below(12) {
            0 | 1 => self.place(),
            2 => self.below(6).to_string(),
            3 => "__VERIFIER_nondet_int()".to_owned(),
            4 => format!("unknown({})", self.expr(depth - 1)),
            5 => self.call(depth - 1),
            6 => format!("({} == {})", self.pointer(), self.pointer()),
            7 => format!("sum({})", ["t", "s[0]", "s[1]", "*q"][self.below(4) as usize]),
            8 => format!("extra(2, {}, {})", self.expr(depth - 1), self.expr(depth - 1)),
            9 => format!("({}) % 5", self.expr(depth - 1)),
            i => {
                let op = ["+", "-", "*", "<", "==", "&", "&&", "||"][self.below(8) as usize];
                let cast = if i == 10 { "(unsigned char)" } else { "" };
                format!("({cast}({}) {op} ({}))", self.expr(depth - 1), self.expr(depth - 1))
            }
        }
    }

    fn place_without_index(&mut self) -> String {
        ["x", "y", "g0", "g1", "g2", "*p", "q->x", "t.y", "n", "m", "text[0]"][self.below(11) as usize]
            .to_owned()
    }

    /// Functions call those with greater numbers, or themselves with a smaller argument.
    fn call(&mut self, depth: u32) -> String {
        let (first, second) = (self.expr(depth), self.expr(depth));
        match self.below(5) {
            4 if self.function < 4 => format!("(n > 0 && n < 6 ? f{}(n - 1, {second}) : 0)", self.function),
            3 if self.function == 4 || self.function == 0 => {
                format!("table[({first}) & 1](({first}) % 7, {second})")
            }
            i if self.function == 4 => format!("f{}(({first}) % 7, {second})", i % 4),
            i => match self.function + 1 + i as usize {
                g if g < 4 => format!("f{g}(({first}) % 7, {second})"),
                _ => first,
            },
        }
    }

    fn block(&mut self, depth: u32) {
        let count = self.below(3);
        (0..count).for_each(|_| self.statement(depth));
    }

    fn statement(&mut self, depth: u32) {
        let line = match self.below(30) {
            0..=6 => format!("{} = {};", self.place(), self.expr(2)),
            7 => format!("{}++;", self.place()),
            8 => format!("p = {};", ["&g3", "&g0", "a + 1", "&s[1].y", "&q->x"][self.below(5) as usize]),
            9 => format!("l = {};", self.pointer()),
            10 => format!("q = {};", ["s", "s + 1", "q->n ? q->n : s"][self.below(3) as usize]),
            11 => format!("q->n = {};", ["s", "s + 1", "0"][self.below(3) as usize]),
            12 => format!("q->p = {};", ["&g0", "a", "&g2"][self.below(3) as usize]),
            13 => format!(
                "{} = {};",
                ["t", "s[0]", "*q"][self.below(3) as usize],
                ["s[1]", "t", "pair(x, y)"][self.below(3) as usize]
            ),
            14 => format!("put({}, {});", self.pointer(), self.expr(1)),
            15 => format!("swap({}, {});", self.pointer(), self.pointer()),
            16 => format!("__VERIFIER_assume({} != 3);", self.expr(2)),
            17 => format!("if (({}) == 9) exit(1);", self.expr(2)),
            18 => ["memset(b, 1, sizeof b);", "memcpy(b, a, sizeof b);", "memcpy(&t, q, sizeof t);"]
                [self.below(3) as usize]
                .to_owned(),
            19 => "{ int *h = malloc(8); h[0] = x; h[1] = y; z = h[z & 1]; free(h); }".to_owned(),
            20 => "q = malloc(sizeof *q); q->n = s; q->x = y; q->p = &g1;".to_owned(),
            21 => format!("sprintf(text, \"%d\", {});", self.expr(1)),
            22 => format!("{};", self.call(1)),
            23 if self.function < 4 => format!("if ({}) return {};", self.expr(1), self.expr(1)),
            24 | 25 if depth > 0 => return self.branch(depth - 1),
            26 | 27 if depth > 0 => return self.cycle(depth - 1),
            28 => return self.check(),
            _ => format!("x = {};", self.expr(2)),
        };
        let _ = writeln!(self.text, "  {line}");
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.expr(2);
        if self.below(4) == 3 {
            let _ = writeln!(self.text, "  switch (({cond}) & 3) {{ case 0:");
            self.block(depth);
            self.text.push_str("  case 1:\n");
            self.block(depth);
            self.text.push_str("  break; default:\n");
            self.block(depth);
            self.text.push_str("  ; }\n");
            return;
        }
        let _ = writeln!(self.text, "  if ({cond}) {{");
        self.block(depth);
        self.text.push_str("  } else {\n");
        self.block(depth);
        self.text.push_str("  }\n");
    }

    fn cycle(&mut self, depth: u32) {
        self.loops += 1;
        let label = self.loops;
        let cond = self.expr(1);
        let counter = format!("i{label}");
        match self.below(4) {
            // May run forever.
            0 => {
                let _ = writeln!(self.text, "  while ({cond}) {{");
                self.block(depth);
                let end = self.expr(1);
                let _ = writeln!(self.text, "  if ({end}) break; z++; }}");
            }
            1 => {
                let _ = writeln!(self.text, "  {{ int {counter} = 0; again{label}: {counter}++;");
                self.block(depth);
                let _ = writeln!(self.text, "  if ({counter} < 4 && ({cond})) goto again{label}; }}");
            }
            2 => {
                let _ = writeln!(
                    self.text,
                    "  for (int {counter} = 0; {counter} < 3; {counter}++) {{ if ({cond}) continue;"
                );
                self.block(depth);
                self.text.push_str("  }\n");
            }
            _ => {
                let _ = writeln!(self.text, "  {{ int {counter} = 4; do {{");
                self.block(depth);
                let _ = writeln!(self.text, "  }} while (--{counter} && !({cond})); }}");
            }
        }
    }
}

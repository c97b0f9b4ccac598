//! Programs about memory: arrays, pointers into them, structs, objects on the heap that are freed, early or
//! twice.
//!
//! Loops are short, so that whoever unwinds them decides the program. What two tools may see differently is
//! left out: indices beyond an array inside of a struct, pointers that nobody set, comparisons of pointers,
//! allocations that fail.

use super::PRELUDE;
use super::lines::Lines;
use base::random::Random;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut make = Make { random: Random::new(seed), code: Lines::new(), left: 0, loops: 0 };
    make.left = 8 + make.random.below(10);
    while make.left > 0 {
        make.statement();
    }
    let mut text = PRELUDE.to_owned();
    text.push_str("struct s { int k; struct s *next; int v[2]; };\nint a[4];\nstruct s gs[2];\n");
    text.push_str("void set(int *t, int i, int e) { t[i] = e; }\nint get(int *t, int i) { return t[i]; }\n");
    text.push_str("int sum(struct s *q, int n) {\n  int t = 0;\n");
    text.push_str("  while (n > 0) { t += q->k; q = q->next; n--; }\n  return t;\n}\n");
    text.push_str("int main(void) {\n  int b[3] = {0};\n  int x = 0, y = 0, i0 = 0, i1 = 0, i2 = 0;\n");
    text.push_str("  int *p = a;\n  int *h = b;\n  struct s *q = &gs[0];\n  struct s *r = &gs[1];\n");
    text.push_str("  gs[0].next = &gs[1];\n");
    text.push_str(&make.code.text);
    text.push_str("  return 0;\n}\n");
    text
}

struct Make {
    random: Random,
    code: Lines,
    left: usize,
    loops: usize,
}

impl Make {
    fn block(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        let (index, value) = (self.index(), self.value());
        let number = self.random.below(4);
        let simple = self.code.depth > 3 || self.left == 0;
        let line = match self.random.below(if simple { 19 } else { 25 }) {
            0 => format!("a[{index}] = {value};"),
            1 => format!("b[{} & 1] = {value};", self.value()),
            2 => format!("x = a[{index}];"),
            3 => format!("p = {};", self.random.pick(&["a", "b", "a + 1", "&a[3]", "&b[2]", "p + 1", "h"])),
            4 => format!("p = a + ({value});"),
            5 => format!("*p = {value};"),
            6 => format!("x = p[{index}];"),
            7 => format!("if (h == b) h = malloc({} * sizeof(int));", 1 + number),
            8 => format!("h[{index}] = {value};"),
            9 if self.random.rarely(2) => "if (h != b) free(h);".to_owned(),
            9 | 10 => "if (h != b) { free(h); h = b; }".to_owned(),
            11 => "q = malloc(sizeof(struct s)); q->next = r; q->k = 1;".to_owned(),
            12 => format!("{}->k = {value};", self.random.pick(&["q", "r"])),
            13 => format!("q->v[({value}) & 1] = {};", self.value()),
            14 => "q = q->next;".to_owned(),
            15 => format!("if ({}) q = q->next;", self.random.pick(&["q", "q->next", "x"])),
            16 => format!("r->next = {};", self.random.pick(&["q", "&gs[0]", "&gs[1]", "0"])),
            17 => format!("y = sum(q, {number});"),
            18 => match self.random.below(3) {
                0 => format!("set({}, {index}, {value});", self.random.pick(&["a", "p", "h"])),
                1 => format!("x = get({}, {index});", self.random.pick(&["a", "p", "h"])),
                _ => "y = __VERIFIER_nondet_int();".to_owned(),
            },
            19..=21 => {
                let cond = self.cond();
                self.code.open(&format!("if ({cond}) {{"));
                self.block();
                self.code.close("}");
                return;
            }
            _ => return self.round(),
        };
        self.code.line(&line);
    }

    fn round(&mut self) {
        let counter = self.loops % 3;
        if self.loops - counter > 0 {
            return self.code.line("x = 1;");
        }
        self.loops += 1;
        let most = 2 + self.random.below(3);
        let less = self.random.pick(&["<", "<", "<="]);
        self.code.open(&format!("for (i{counter} = 0; i{counter} {less} {most}; i{counter}++) {{"));
        let line = match self.random.below(4) {
            0 => format!("a[i{counter}] = x;"),
            1 => format!("h[i{counter}] = y;"),
            2 => "p++;".to_owned(),
            _ => format!("x += a[i{counter}];"),
        };
        self.code.line(&line);
        self.block();
        self.code.close("}");
    }

    fn index(&mut self) -> String {
        let number = self.random.below(5);
        match self.random.below(6) {
            0 | 1 => self.random.below(4).to_string(),
            2 => format!("x & {}", self.random.pick(&[1, 3, 3])),
            3 => format!("y & {}", self.random.pick(&[1, 3, 7])),
            4 => format!("i{}", self.random.below(3)),
            _ => number.to_string(),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(6) {
            0 | 1 => self.random.below(5).to_string(),
            2 => "x".to_owned(),
            3 => "y".to_owned(),
            4 => "(x + 1)".to_owned(),
            _ => "(y & 3)".to_owned(),
        }
    }

    fn cond(&mut self) -> String {
        let number = self.random.below(4);
        match self.random.below(5) {
            0 | 1 => "__VERIFIER_nondet_int()".to_owned(),
            2 => format!("x == {number}"),
            3 => format!("(y & 3) > {number}"),
            _ => "q".to_owned(),
        }
    }
}

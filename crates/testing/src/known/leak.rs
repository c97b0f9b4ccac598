//! Programs that make, link, lose and free objects on the heap: variables and globals that lead to nodes,
//! nodes that lead to others, early ends.
//!
//! What has no meaning (a node that is used after it was freed) ends a run; most runs have none.

use super::PRELUDE;
use super::lines::Lines;
use base::random::Random;

const NAMES: [&str; 6] = ["p", "q", "r", "g", "h", "a[1]"];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut make = Make { random: Random::new(seed), code: Lines::new(), left: 0, loops: 0 };
    make.left = 4 + make.random.below(10);
    while make.left > 0 {
        make.statement();
    }
    let mut text = PRELUDE.to_owned();
    text.push_str("struct s { struct s *next; int k; struct s *other; };\nstruct s *g, *h, *a[2];\n");
    text.push_str("struct s *make(struct s *next) {\n  struct s *n = malloc(sizeof(struct s));\n");
    text.push_str("  n->next = next; n->k = 0; n->other = 0;\n  return n;\n}\n");
    text.push_str("void keep(struct s *n) { if (n && !g) g = n; }\n");
    text.push_str(
        "void stop(struct s *n) { struct s *m = n; if (__VERIFIER_nondet_int() > 1) exit(1); m = 0; }\n",
    );
    text.push_str("void drop(struct s *n) {\n  int i = 0;\n");
    text.push_str("  while (n && i < 3) { struct s *m = n->next; free(n); n = m; i++; }\n}\n");
    text.push_str("int main(void) {\n  struct s *p = 0, *q = 0, *r = 0;\n");
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
    fn block(&mut self, open: &str) {
        self.code.open(open);
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
        self.code.close("}");
    }

    fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        let (v, w) = (self.random.pick(&NAMES), self.random.pick(&NAMES));
        let simple = self.code.depth > 3 || self.left == 0;
        let line = match self.random.below(if simple { 17 } else { 21 }) {
            0..=2 => format!("{v} = make({w});"),
            3 => format!("{v} = make(0);"),
            4 | 5 => format!("{v} = {w};"),
            6 => format!("if ({v}) {v}->next = {w};"),
            7 => format!("if ({v}) {v}->other = {w};"),
            8 => format!("if ({v}) {w} = {v}->next;"),
            9..=11 => format!("free({v}); {v} = 0;"),
            12 | 13 => format!("drop({v}); {v} = 0;"),
            14 => format!("keep({v});"),
            15 => format!("stop({v});"),
            16 => match self.random.below(4) {
                0 => "if (__VERIFIER_nondet_int() == 1) return 0;".to_owned(),
                1 => "if (__VERIFIER_nondet_int() == 1) exit(0);".to_owned(),
                2 => "if (__VERIFIER_nondet_int() == 1) abort();".to_owned(),
                _ => format!("a[__VERIFIER_nondet_int() & 1] = {v};"),
            },
            17..=19 => return self.block("if (__VERIFIER_nondet_int() > 0) {"),
            _ => {
                self.loops += 1;
                let (i, most) = (self.loops, 1 + self.random.below(3));
                return self.block(&format!("for (int i{i} = 0; i{i} < {most}; i{i}++) {{"));
            }
        };
        self.code.line(&line);
    }
}

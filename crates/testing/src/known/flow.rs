//! Programs about control flow: loops in loops, jumps into and out of them, ways that never end, early ends,
//! calls and recursion.
//!
//! Values are small and inputs are compared with small numbers, so that short runs see much. Nothing that is
//! undefined happens: indices are cut to fit, pointers lead somewhere, all variables are set, and numbers
//! wrap.

use super::PRELUDE;
use super::lines::Lines;
use base::random::Random;
use std::fmt::Write;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = PRELUDE.to_owned();
    for name in GLOBALS {
        let _ = writeln!(text, "int {name} = {};", random.pick(&[0, 0, 0, 0, 1]));
    }
    text.push_str("int a[4];\nint *p = &g1;\n");
    let functions = random.below(4);
    for rank in 0..functions {
        let _ = writeln!(text, "int f{rank}(int u, int v);");
    }
    for rank in 0..functions {
        text.push_str(&Make::new(&mut random, rank, false).function());
    }
    text.push_str(&Make::new(&mut random, functions, true).function());
    text
}

const GLOBALS: [&str; 3] = ["g0", "g1", "g2"];
const DEEPEST: usize = 4;

struct Make<'a> {
    random: &'a mut Random,
    /// It calls functions of lower rank, and itself for less.
    rank: usize,
    main: bool,
    code: Lines,
    /// Statements that are left.
    left: usize,
    loops: usize,
    /// In a `switch` that is closer than any loop.
    switches: usize,
    /// Labels that are jumped to, and how many of them have a place.
    labels: usize,
    placed: usize,
    counters: usize,
}

impl<'a> Make<'a> {
    fn new(random: &'a mut Random, rank: usize, main: bool) -> Make<'a> {
        let left = if main { 10 + random.below(14) } else { 3 + random.below(8) };
        let labels = random.below(4);
        Make {
            random,
            rank,
            main,
            code: Lines::new(),
            left,
            loops: 0,
            switches: 0,
            labels,
            placed: 0,
            counters: 0,
        }
    }

    fn function(mut self) -> String {
        // Reactive programs are one loop that never ends.
        let reactive = self.main && !self.random.rarely(3);
        if reactive {
            self.code.open("while (1) {");
            self.loops += 1;
        }
        while self.left > 0 {
            self.statement();
        }
        if self.main && !self.code.text.contains("__VERIFIER_error") {
            self.error();
        }
        for label in self.placed..self.labels {
            self.code.line(&format!("L{label}: ;"));
        }
        if reactive {
            self.code.close("}");
        }
        let value = self.expr(1);
        let head = match self.main {
            true => "int main(void) {\n".to_owned(),
            false => format!("int f{}(int u, int v) {{\n", self.rank),
        };
        let mut text = head;
        for name in ["x", "y", "z"] {
            let start = self.random.pick(&[0, 0, 1, 2]);
            let _ = writeln!(text, "  int {name} = {start};");
        }
        for i in 0..self.counters {
            let _ = writeln!(text, "  int i{i} = 0;");
        }
        text.push_str(&self.code.text);
        let _ = writeln!(text, "  return {value};\n}}");
        text
    }

    fn block(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
    }

    fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.placed < self.labels && self.random.rarely(4) {
            self.code.line(&format!("L{}: ;", self.placed));
            self.placed += 1;
        }
        let simple = self.code.depth > DEEPEST || self.left == 0;
        match self.random.below(if simple { 10 } else { 20 }) {
            0 => self.assign(),
            1 | 2 => self.step(),
            3 => {
                let var = self.variable();
                self.code.line(&format!("{var} = __VERIFIER_nondet_int();"));
            }
            4 => self.error(),
            5 | 6 => self.leave(),
            7 => self.call(),
            8 => {
                let cond = self.cond();
                match self.random.below(5) {
                    0 => self.code.line(&format!("__VERIFIER_assume({cond});")),
                    1..=3 => self.code.line(&format!("if ({cond}) g0 = {};", self.rank + 1)),
                    _ => self.code.line(&format!("if ({cond}) while (1) ;")),
                }
            }
            9 => {
                let target = self.random.pick(&["&g0", "&g1", "&a[1]", "&a[3]"]);
                self.code.line(&format!("p = {target};"));
            }
            10..=13 => {
                let cond = self.cond();
                self.code.open(&format!("if ({cond}) {{"));
                self.block();
                if self.random.rarely(2) {
                    self.code.depth -= 1;
                    self.code.open("} else {");
                    self.block();
                }
                self.code.close("}");
            }
            14 | 15 if self.random.rarely(3) => self.switch(),
            _ => self.round(),
        }
    }

    fn assign(&mut self) {
        let value = self.expr(2);
        match self.random.below(8) {
            0 => {
                let index = self.expr(1);
                self.code.line(&format!("a[({index}) & 3] = {value};"));
            }
            1 => self.code.line(&format!("*p = {value};")),
            _ => {
                let var = self.variable();
                self.code.line(&format!("{var} = {value};"));
            }
        }
    }

    /// Mostly of a state that it takes several steps to come to.
    fn error(&mut self) {
        let (name, number, cond) = (self.random.pick(&GLOBALS), 1 + self.random.below(4), self.cond());
        match self.random.below(6) {
            0 => self.code.line(&format!("if ({cond}) __VERIFIER_error();")),
            1 => self.code.line(&format!("if ({name} == {number}) __VERIFIER_error();")),
            2 | 3 => {
                self.code.line(&format!("if ({name} >= {number}) {{ if ({cond}) __VERIFIER_error(); }}"))
            }
            _ => self.code.line(&format!("if ({name} == {number}) {{ if ({cond}) __VERIFIER_error(); }}")),
        }
    }

    /// One step on the way to a state.
    fn step(&mut self) {
        let (name, number, cond) = (self.random.pick(&GLOBALS), self.random.below(4), self.cond());
        match self.random.below(3) {
            0 => self.code.line(&format!("if ({cond}) {name} = {name} + 1;")),
            1 => {
                self.code.line(&format!("if ({name} == {number}) {{ if ({cond}) {name} = {}; }}", number + 1))
            }
            _ => self.code.line(&format!("{name} = {name} + 1;")),
        }
    }

    /// Something that goes elsewhere.
    fn leave(&mut self) {
        let cond = self.cond();
        let value = self.expr(1);
        let label = self.random.below(self.labels.max(1));
        let inside = self.loops > 0;
        let step = match self.random.below(9) {
            0 | 1 if inside && self.switches == 0 => "break".to_owned(),
            2 | 3 if inside => "continue".to_owned(),
            4 => format!("return {value}"),
            5 => self.random.pick(&["exit(0)", "abort()"]).to_owned(),
            _ if self.labels > 0 => format!("goto L{label}"),
            _ => "g2 = g2 + 1".to_owned(),
        };
        match self.random.rarely(40) {
            true => self.code.line(&format!("{step};")),
            false => self.code.line(&format!("if ({cond}) {step};")),
        }
    }

    fn call(&mut self) {
        let (var, one, two) = (self.variable(), self.expr(1), self.expr(1));
        if self.rank > 0 && (self.main || !self.random.rarely(3)) {
            let callee = self.random.below(self.rank);
            self.code.line(&format!("{var} = f{callee}(({one}) & 3, {two});"));
        } else if !self.main {
            self.code.line(&format!("if (u > 0) {var} = f{}(u - 1, {two});", self.rank));
        } else {
            self.code.line(&format!("{var} = {two};"));
        }
    }

    fn round(&mut self) {
        let around = std::mem::take(&mut self.switches);
        self.loops += 1;
        let cond = self.cond();
        let counter = self.counters;
        let most = 1 + self.random.below(4);
        let mut end = "}".to_owned();
        match self.random.below(6) {
            0 => self.code.open(&format!("while ({cond}) {{")),
            1 => self.code.open("while (1) {"),
            2 => {
                self.code.open("do {");
                end = format!("}} while ({cond});");
            }
            3 => {
                self.counters += 1;
                self.code
                    .open(&format!("for (i{counter} = 0; i{counter} < {most} && ({cond}); i{counter}++) {{"));
            }
            _ => {
                self.counters += 1;
                self.code.open(&format!("for (i{counter} = 0; i{counter} < {most}; i{counter}++) {{"));
            }
        }
        self.block();
        self.code.close(&end);
        self.loops -= 1;
        self.switches = around;
    }

    fn switch(&mut self) {
        let value = self.expr(1);
        self.switches += 1;
        self.code.open(&format!("switch (({value}) & 3) {{"));
        for case in 0..2 + self.random.below(2) {
            self.code.line(&format!("case {case}:"));
            self.block();
            if !self.random.rarely(3) {
                self.code.line("break;");
            }
        }
        self.code.close("}");
        self.switches -= 1;
    }

    fn variable(&mut self) -> &'static str {
        self.random.pick(&["x", "y", "z", "g0", "g1", "g2"])
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.rarely(2) {
            let (one, two) = (self.expr(depth - 1), self.expr(depth - 1));
            let op = self.random.pick(&["+", "+", "-", "&", "^", "|", "<", "=="]);
            return format!("({one} {op} {two})");
        }
        match self.random.below(9) {
            0..=2 => self.random.below(4).to_string(),
            3 => {
                let index = self.variable();
                format!("a[{index} & 3]")
            }
            4 if !self.main => self.random.pick(&["u", "v"]).to_owned(),
            4 => "*p".to_owned(),
            _ => self.variable().to_owned(),
        }
    }

    fn cond(&mut self) -> String {
        let number = self.random.below(4);
        match self.random.below(8) {
            0 | 1 => "__VERIFIER_nondet_int()".to_owned(),
            2 => format!("__VERIFIER_nondet_int() == {number}"),
            3 | 4 => format!("{} == {number}", self.variable()),
            5 => format!("{} > {number}", self.expr(1)),
            6 => format!("{} != {}", self.expr(1), self.expr(1)),
            _ => format!("{} && {}", self.expr(1), self.expr(1)),
        }
    }
}

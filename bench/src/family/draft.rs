//! A program in pieces, so that nobody has to look for places in its text.

use super::Edit;

#[derive(Default)]
pub struct Draft {
    /// Types and variables.
    pub globals: Vec<String>,
    /// In any order: all are declared before.
    pub functions: Vec<Function>,
    /// Statements of `main`, which may use the input `x` and add to `t`.
    pub main: Vec<String>,
}

pub struct Function {
    /// `static unsigned f(unsigned x)`
    head: String,
    body: Vec<String>,
}

/// Gives `x` the next input.
pub const NEXT: &str = "x = INPUT;";

impl Function {
    pub fn new(head: String) -> Function {
        Function { head, body: Vec::new() }
    }

    /// Appends lines of the body; a list or an option of them.
    pub fn with<T: Into<String>>(mut self, lines: impl IntoIterator<Item = T>) -> Function {
        self.body.extend(lines.into_iter().map(Into::into));
        self
    }

    /// One more line.
    pub fn line(self, line: impl Into<String>) -> Function {
        self.with([line.into()])
    }

    fn text(&self) -> String {
        let body: String = self.body.iter().map(|line| format!("    {line}\n")).collect();
        format!("{} {{\n{body}}}\n", self.head)
    }
}

impl Draft {
    /// `main` calls a function on an input of its own.
    pub fn call(&mut self, expression: String) {
        self.main.push(format!("t += {expression};"));
        self.main.push(NEXT.to_owned());
    }

    /// Appends another program, whose statements get a block of their own.
    pub fn append(&mut self, part: Draft) {
        self.globals.extend(part.globals);
        self.functions.extend(part.functions);
        self.main.push("{".to_owned());
        self.main.extend(part.main.into_iter().map(|line| format!("    {line}")));
        self.main.push("}".to_owned());
    }

    /// One more function, which `main` calls first.
    pub fn add_function(&mut self) {
        let head = "static unsigned added(unsigned x)".to_owned();
        let body = ["unsigned r = x % 7;", "assert(r < 7);", "return r;"];
        self.functions.push(Function::new(head).with(body));
        self.main.splice(0..0, ["t += added(x);".to_owned(), NEXT.to_owned()]);
    }

    /// The program; inputs are below `inputs`.
    pub fn text(mut self, inputs: u32, edit: Option<Edit>) -> String {
        if edit != Some(Edit::Removed) {
            let modulus = if edit == Some(Edit::Unreachable) { 9 } else { 10 };
            let head = "static unsigned unreachable(unsigned x)".to_owned();
            let body = [format!("unsigned r = x % {modulus};"), "assert(r < 10);".into(), "return r;".into()];
            self.functions.push(Function::new(head).with(body));
        }
        let idle = (edit == Some(Edit::Root)).then_some("if (x == 99) { x += 2, x -= 2; }");
        let main = Function::new("int main(void)".to_owned())
            .line("unsigned x = INPUT, t = 0;")
            .with(idle)
            .with(self.main)
            .line("return (int)t;");
        let mut text = String::from("#include <assert.h>\n#include <stdlib.h>\n");
        text += "extern unsigned __VERIFIER_nondet_uint(void);\n";
        text += &format!("#define SPAN {inputs}\n#define INPUT (__VERIFIER_nondet_uint() % SPAN)\n");
        text.extend(self.globals.iter().map(|line| format!("{line}\n")));
        // Declared in the order of their names, so that another order of functions is nothing but that.
        let mut heads: Vec<&str> = self.functions.iter().map(|function| function.head.as_str()).collect();
        heads.sort_unstable();
        text.extend(heads.iter().map(|head| format!("{head};\n")));
        text.extend(self.functions.iter().map(Function::text));
        text + &main.text()
    }
}

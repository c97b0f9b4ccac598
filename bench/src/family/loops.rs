//! Families of functions that have nothing to do with each other, each with loops.

use super::ROUNDS;
use super::calls::head;
use super::draft::Draft;
use super::shape::Shape;

/// A loop that counts to the input, and a relation that holds at its end. How far it counts is a matter of
/// what inputs there are.
pub fn wide(shape: &Shape) -> Draft {
    let mut draft = Draft::default();
    for i in 0..shape.n {
        let function = head(shape, i)
            .line("unsigned i = 0, s = 0;")
            .line("while (i < x) {")
            .with(["    s += 2;", "    i++;"])
            .with(shape.idle(i, "    if (i == 77) { s += 2, s -= 2; }"))
            .with(shape.broken(i, "    if (i == 2) { s++; }"))
            .line("}")
            .line("assert(s == 2 * x);")
            .line(format!("return (s + {i}) % {};", 3 + i % 5));
        draft.functions.push(function);
        draft.call(format!("{}(x)", shape.name(i)));
    }
    draft
}

/// A loop in a loop, with small constant bounds, and the largest sum that they can come to.
pub fn nested(shape: &Shape) -> Draft {
    let mut draft = Draft::default();
    for i in 0..shape.n {
        let (rows, columns) = (2 + i % (ROUNDS as usize - 1), 2 + i % 3);
        let most = columns * rows * (rows + 1) / 2;
        let function = head(shape, i)
            .line("unsigned s = 0;")
            .line(format!("for (unsigned a = 0; a < {rows}; a++) {{"))
            .line(format!("    for (unsigned b = 0; b < {columns}; b++) {{"))
            .with(["        if (x > b) { s += a + 1; }", "    }", "}"])
            .with(shape.idle(i, "if (s == 7) { s += 2, s -= 2; }"))
            .with(shape.broken(i, "if (x == 3) { s = 1000; }"))
            .line(format!("assert(s <= {most});"))
            .line("return s;");
        draft.functions.push(function);
        draft.call(format!("{}(x)", shape.name(i)));
    }
    draft
}

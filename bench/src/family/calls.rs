//! Families that differ in who calls whom.

use super::ROUNDS;
use super::draft::{Draft, Function};
use super::shape::Shape;

/// Changes nothing, but what is done with the parameter is done after it.
const IDLE: &str = "if (x == 99) { x += 2, x -= 2; }";

/// The head of function `i`, with one parameter.
pub fn head(shape: &Shape, i: usize) -> Function {
    Function::new(format!("static unsigned {}(unsigned x)", shape.name(i)))
}

/// Each function bounds its parameter, calls the one before, and asserts a bound of what comes back.
pub fn chain(shape: &Shape) -> Draft {
    let mut draft = Draft::default();
    for i in 0..shape.n {
        let below = if i == 0 { "x".to_owned() } else { format!("{}(x)", shape.name(i - 1)) };
        let function = head(shape, i)
            .line("if (x > 100) { x = 100; }")
            .with(shape.idle(i, IDLE))
            .line(format!("unsigned r = {below};"))
            .with(shape.broken(i, "if (x == 3) { r = 101; }"))
            .line("assert(r <= 100);")
            .line("return r > 50 ? r - 1 : r;");
        draft.functions.push(function);
    }
    draft.call(format!("{}(x)", shape.name(shape.n - 1)));
    draft
}

/// A binary tree: function `i` calls 2i + 1 and 2i + 2, as far as there are such, and asserts a bound of what
/// comes back.
pub fn tree(shape: &Shape) -> Draft {
    let mut draft = Draft::default();
    for i in 0..shape.n {
        let child = |k: usize, argument: &str| match 2 * i + k {
            child if child < shape.n => format!("{}({argument})", shape.name(child)),
            _ => format!("{argument} < 100 ? {argument} : 99"),
        };
        let function = head(shape, i)
            .with(shape.idle(i, IDLE))
            .line(format!("unsigned l = {}, r = {};", child(1, "x"), child(2, "(x + 1)")))
            .with(shape.broken(i, "if (x == 3) { l = 100; }"))
            .line("assert(l < 100 && r < 100);")
            .line("return l > r ? l : r;");
        draft.functions.push(function);
    }
    draft.call(format!("{}(x)", shape.name(0)));
    draft
}

/// The last function, and the leftmost one at half the depth.
pub fn tree_ends(n: usize) -> (usize, usize) {
    let depth = n.ilog2();
    (n - 1, (1 << (depth / 2)) - 1)
}

/// Many callers of one function with a small loop; each asserts a bound of the result. The callee is number
/// `n`.
pub fn diamond(shape: &Shape) -> Draft {
    let mut draft = Draft::default();
    let callee = shape.n;
    let function = head(shape, callee)
        .with(shape.idle(callee, IDLE))
        .line("unsigned i = 0, s = 0;")
        .line(format!("while (i < x % {}) {{", ROUNDS + 1))
        .with(["    s += 2;", "    i++;"])
        .line("}")
        .line("return s;");
    draft.functions.push(function);
    for i in 0..shape.n {
        let function = head(shape, i)
            .with(shape.idle(i, IDLE))
            .line(format!("unsigned r = {}(x + {i});", shape.name(callee)))
            .with(shape.broken(i, &format!("if (x == 3) {{ r = {}; }}", 2 * ROUNDS + 1)))
            .line(format!("assert(r <= {});", 2 * ROUNDS))
            .line(format!("return r / 2 + {};", i % 3));
        draft.functions.push(function);
        draft.call(format!("{}(x)", shape.name(i)));
    }
    draft
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_trees() {
        for (n, expected) in [(1, (0, 0)), (3, (2, 0)), (7, (6, 1)), (10, (9, 1)), (1000, (999, 15))] {
            assert_eq!(tree_ends(n), expected, "{n}");
        }
    }
}

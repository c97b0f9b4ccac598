//! Families whose functions share something: global variables, a structure on the heap, the state of a
//! machine.

use super::Edit;
use super::calls::head;
use super::draft::{Draft, Function, NEXT};
use super::shape::Shape;

/// Elements of the array that phases share.
const CELLS: usize = 8;
/// Changes nothing, but what is done with the parameter is done after it.
const IDLE: &str = "if (x == 9) { x += 2, x -= 2; }";

/// Phases that come one after the other. Each reads an element that an earlier one wrote, writes one, moves
/// two bounds, and asserts what holds of all three.
pub fn globals(shape: &Shape) -> Draft {
    let [cells, low, high] = ["cells", "low", "high"].map(|name| format!("{}{name}", shape.prefix));
    let first = if shape.edit == Some(Edit::Global) { 40 } else { 50 };
    let mut draft = Draft::default();
    draft.globals.push(format!("static unsigned {cells}[{CELLS}], {low} = {first}, {high} = 60;"));
    for i in 0..shape.n {
        let (written, read) = (format!("{cells}[{}]", i % CELLS), format!("{cells}[{}]", (i + 1) % CELLS));
        let function = head(shape, i)
            .line("if (x > 100) { x = 100; }")
            .with(shape.idle(i, IDLE))
            .line(format!("{written} = ({read} + x) / 2;"))
            .line(format!("if ({low} > x) {{ {low} = x; }}"))
            .line(format!("if ({high} < x) {{ {high} = x; }}"))
            .with(shape.broken(i, &format!("if (x == 3) {{ {low} = {high} + 1; }}")))
            .line(format!("assert({written} <= 100);"))
            .line(format!("assert({low} <= {high});"))
            .line(format!("return {written};"));
        draft.functions.push(function);
        draft.call(format!("{}(x)", shape.name(i)));
    }
    draft
}

/// A structure on the heap: each function changes one of its fields through a pointer and asserts a relation
/// to another one.
pub fn heap(shape: &Shape) -> Draft {
    let item = format!("struct {}item", shape.prefix);
    let mut draft = Draft::default();
    draft.globals.push(format!("{item} {{ unsigned size, used, turns; }};"));
    let block = ["p->size = 100;", "p->used = 0;", "p->turns = 0;"];
    draft.main.push(format!("{item} *p = malloc(sizeof *p);"));
    draft.main.push("if (p) {".to_owned());
    draft.main.extend(block.map(|line| format!("    {line}")));
    for i in 0..shape.n {
        let function = Function::new(format!("static unsigned {}({item} *p, unsigned x)", shape.name(i)))
            .with(shape.idle(i, IDLE))
            .line("if (x <= p->size - p->used) { p->used += x; } else { p->used = 0; }")
            .line("p->turns++;")
            .with(shape.broken(i, "if (x == 3) { p->used = p->size + 1; }"))
            .line("assert(p->used <= p->size);")
            .line("return p->used;");
        draft.functions.push(function);
        draft.main.push(format!("    t += {}(p, x);", shape.name(i)));
        draft.main.push(format!("    {NEXT}"));
    }
    draft.main.push("    free(p);".to_owned());
    draft.main.push("}".to_owned());
    draft
}

/// A loop that goes from state to state until an input is zero, and calls the handler of each; handlers
/// change a level and assert its bound. Every state is reached after few turns.
pub fn machine(shape: &Shape) -> Draft {
    let level = format!("{}level", shape.prefix);
    let mut draft = Draft::default();
    draft.globals.push(format!("static unsigned {level};"));
    let start = ["unsigned state = 0;", "while (x != 0) {", "    switch (state) {"];
    draft.main.extend(start.map(str::to_owned));
    for i in 0..shape.n {
        let [odd, even] = [(2 * i + 1) % shape.n, (2 * i + 2) % shape.n];
        let function = head(shape, i)
            .with(shape.idle(i, IDLE))
            .line(format!("if ({level} + x > 1000) {{ {level} = 0; }} else {{ {level} += x; }}"))
            .with(shape.broken(i, &format!("if (x == 3) {{ {level} = 1001; }}")))
            .line(format!("assert({level} <= 1000);"))
            .line(format!("return x % 2 ? {odd} : {even};"));
        draft.functions.push(function);
        draft.main.push(format!("    case {i}: state = {}(x); break;", shape.name(i)));
    }
    draft.main.extend(["    }".to_owned(), format!("    {NEXT}"), "}".to_owned(), NEXT.to_owned()]);
    draft
}

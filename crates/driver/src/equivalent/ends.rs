//! Does every run of a function end?
//!
//! Found out by looking, not by proving: no recursion, nothing that restricts executions, and loops that
//! count: a variable goes up or down by one each time around, and the loop is left when it meets a bound that
//! the loop does not change. With `i < n` the next number is at most `n`, so nothing wraps on the way; with
//! `i != n` it may wrap, and still comes by.

use ir::{BinOp, Body, CallGraph, Callee, Cfa, EdgeId, Expr, ExprKind, FuncId, LocalId, LoopForest, LoopId};
use ir::{NodeId, Op, Program, Var};
use std::collections::BTreeSet;

/// Whatever it is called with, and all that it calls. Functions without a body are taken to return.
pub(super) fn always(program: &Program, function: FuncId) -> bool {
    let graph = CallGraph::of(program);
    let reached = graph.reachable(&[function]);
    is_plain(program, function)
        && reached.iter().all(|f| program.function(*f).cfa().is_none_or(all_loops_end))
}

/// Nothing but loops can keep it from ending.
pub(super) fn is_plain(program: &Program, function: FuncId) -> bool {
    let graph = CallGraph::of(program);
    graph.reachable(&[function]).into_iter().all(|f| match &program.function(f).body {
        Body::Defined(cfa) => !graph.is_recursive(f) && goes_on(cfa),
        Body::Extern => true,
        Body::Poisoned { .. } => false,
    })
}

/// From every node that is not the last one there is a way on, whatever the state; and calls go to known
/// functions.
fn goes_on(cfa: &Cfa) -> bool {
    let ways = |node: NodeId| cfa.edges().iter().filter(move |edge| edge.from == node);
    let nodes: BTreeSet<NodeId> = cfa.edges().iter().flat_map(|edge| [edge.from, edge.to]).collect();
    let restricts = |node: NodeId| {
        let assumes = ways(node).filter(|edge| matches!(edge.op, Op::Assume { .. })).count();
        assumes == 1 || node != cfa.exit && ways(node).next().is_none()
    };
    let unknown = |op: &Op| matches!(op, Op::Call { callee: Callee::Indirect(_), .. });
    !nodes.into_iter().any(restricts) && !cfa.edges().iter().any(|edge| unknown(&edge.op))
}

fn all_loops_end(cfa: &Cfa) -> bool {
    let forest = LoopForest::of(cfa);
    forest.ids().all(|id| {
        let this = forest.get(id);
        let counts = |exit: &EdgeId| counter(cfa, *exit).is_some_and(|c| moves_by_one(cfa, &forest, id, &c));
        !this.irreducible && this.exits.iter().any(counts)
    })
}

/// A loop goes on while a variable has not met a bound.
struct Counter<'c> {
    variable: LocalId,
    /// It has to be this, or it may be both.
    up: Option<bool>,
    bound: &'c Expr,
    tested: NodeId,
}

/// What is counted by the test that an edge leaves a loop by.
fn counter(cfa: &Cfa, exit: EdgeId) -> Option<Counter<'_>> {
    let edge = cfa.edge(exit);
    let Op::Assume { cond, holds } = &edge.op else { return None };
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    if !a.ty.is_int() {
        return None;
    }
    // The loop goes on where it is not left: smaller < larger, or unequal.
    let (smaller, larger, strict) = match (op, !holds) {
        (BinOp::Lt, true) => (a, b, true),
        (BinOp::Le, false) => (b, a, true),
        (BinOp::Ne, true) | (BinOp::Eq, false) => (a, b, false),
        _ => return None,
    };
    let local = |e: &Expr| match e.kind {
        ExprKind::Local(id) => Some(id),
        _ => None,
    };
    let counter = |variable, up, bound| Counter { variable, up, bound, tested: edge.from };
    // Which of the two is the counter is seen from what the loop does; the other one must stay.
    let written = |id: LocalId| cfa.edges().iter().any(|e| steps(&e.op, id).is_some());
    match (local(smaller).filter(|id| written(*id)), local(larger).filter(|id| written(*id))) {
        (Some(i), _) if !mentions(larger, i) => Some(counter(i, strict.then_some(true), &**larger)),
        (_, Some(i)) if !mentions(smaller, i) => Some(counter(i, strict.then_some(false), &**smaller)),
        _ => None,
    }
}

/// Once each time around, and nothing else happens to the variable or the bound.
fn moves_by_one(cfa: &Cfa, forest: &LoopForest, id: LoopId, counter: &Counter) -> bool {
    let inside = |e: &&ir::Edge| forest.contains(id, e.from) && forest.contains(id, e.to);
    let writes: Vec<&ir::Edge> = cfa
        .edges()
        .iter()
        .filter(inside)
        .filter(|e| e.op.written() == Some(Var::Local(counter.variable)))
        .collect();
    let [step] = writes[..] else { return false };
    let fits =
        steps(&step.op, counter.variable).is_some_and(|up| counter.up.is_none_or(|wanted| wanted == up));
    // What memory or callees hold may change.
    let mut steady = true;
    counter.bound.walk(&mut |part| {
        steady &= match part.kind {
            ExprKind::Local(id) => {
                let writes = |e: &ir::Edge| e.op.written() == Some(Var::Local(id));
                !cfa.edges().iter().filter(inside).any(writes)
            }
            ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(_) => true,
            _ => false,
        }
    });
    let own = |node: NodeId| forest.innermost(node) == Some(id);
    let on_every_way = |node: NodeId| own(node) && !comes_back_without(cfa, forest, id, node);
    fits && steady && on_every_way(step.from) && on_every_way(counter.tested)
}

/// Can the head be reached again without this node?
fn comes_back_without(cfa: &Cfa, forest: &LoopForest, id: LoopId, without: NodeId) -> bool {
    let head = forest.get(id).header;
    if head == without {
        return false;
    }
    let mut seen = BTreeSet::from([head]);
    let mut work = vec![head];
    while let Some(node) = work.pop() {
        for edge in cfa.edges().iter().filter(|e| e.from == node && forest.contains(id, e.to)) {
            if edge.to == head {
                return true;
            }
            if edge.to != without && seen.insert(edge.to) {
                work.push(edge.to);
            }
        }
    }
    false
}

/// Does this add one to the variable (true), or take one away?
fn steps(op: &Op, variable: LocalId) -> Option<bool> {
    let Op::Assign { var: Var::Local(id), value } = op else { return None };
    let ExprKind::Binary(op, a, b) = &value.kind else { return None };
    let int = value.ty.as_int().filter(|_| *id == variable)?;
    let is = |e: &Expr| matches!(e.kind, ExprKind::Local(id) if id == variable);
    let number = |e: &Expr| e.as_const().map(|bits| int.value(bits));
    let by = match op {
        BinOp::Add if is(a) => number(b)?,
        BinOp::Add if is(b) => number(a)?,
        BinOp::Sub if is(a) => -number(b)?,
        _ => return None,
    };
    match by {
        1 => Some(true),
        -1 => Some(false),
        _ => None,
    }
}

fn mentions(e: &Expr, variable: LocalId) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= matches!(part.kind, ExprKind::Local(id) if id == variable));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions() {
        let check = |body: &str, expected: bool| {
            let text = format!(
                "extern int in(void); extern void __VERIFIER_assume(int); void stop(void) {{ }} {body}
                 int main(void) {{ return f(in(), in()); }}"
            );
            let options = cfront::Options { target: ir::Target::LP64, ..Default::default() };
            let program = cfront::compile_text("test.c", &text, &options).program;
            let Some(program) = program else { panic!("{body}") };
            let f = program.find_function("f").unwrap();
            assert_eq!(always(&program, f), expected, "{body}\n{}", ir::print_function(&program, f));
        };
        check("int f(int x, int n) { return x + n; }", true);
        check("int f(int x, int n) { stop(); return in(); }", true);
        check("int f(int x, int n) { for (int i = 0; i < n; i++) x++; return x; }", true);
        check("int f(int x, int n) { while (x > 0) { x--; } return x; }", true);
        check("int f(int x, int n) { while (x != n) { x = x + 1; } return x; }", true);
        check("int f(int x, int n) { for (int i = 9; i >= 1; --i) x++; return x; }", false);
        check(
            "int f(int x, int n) { for (int i = 0; n > i; i++) { if (in()) break; x += i; } return x; }",
            true,
        );
        check(
            "int f(int x, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) x++; return x; }",
            true,
        );
        check(
            "int f(int x, int n) { for (unsigned i = 0; i < 10u; i++) { if (x) continue; n++; } return n; }",
            true,
        );
        check("int f(int x, int n) { do { x++; n++; } while (x < 100); return n; }", true);
        // It may go on forever.
        check("int f(int x, int n) { for (int i = 0; i <= n; i++) x++; return x; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; i += 2) x++; return x; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; i++) n++; return n; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; i++) { if (x) i--; } return n; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; ) { if (x) i++; } return n; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; i--) x++; return x; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; i++) { while (x) { } } return x; }", false);
        check("int f(int x, int n) { for (int i = 0; i < n; i++) { if (x == 5) i = 0; } return x; }", false);
        check("int f(int x, int n) { while (x) { } return x; }", false);
        check("int f(int x, int n) { while (in()) { x++; } return x; }", false);
        check("int f(int x, int n) { return x > 0 ? f(x - 1, n) : n; }", false);
        check("int f(int x, int n) { __VERIFIER_assume(x > n); return x; }", false);
        check(
            "int k; void up(void) { k++; } int f(int x, int n) { for (int i = 0; i < k; i++) up(); return x; }",
            false,
        );
        check("int f(int x, int n) { void (*p)(void) = x ? stop : 0; p(); return n; }", false);
    }
}

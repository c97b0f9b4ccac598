//! The programs as C.

use super::{Expr, Function, GLOBALS, Kind, PARAMS, Source, Stmt};
use std::fmt::Write;

pub fn program(source: &Source) -> String {
    let mut out = "\
int ga[4] = { 1, 2 };
struct pair { signed char k; int x; short y; int *q; } s[2] = { { 1, 2, 3, ga }, { 4, 5, 6, ga + 1 } };
unsigned char gb[4];
int *gp = ga + 3;
float gf = 1;
extern int outside(int);
"
    .to_owned();
    for ((ty, init), name) in source.globals.iter().zip(GLOBALS) {
        let _ = writeln!(out, "{ty} {name} = {init};");
    }
    for function in source.functions.iter().filter(|f| f.name != "main") {
        let _ = writeln!(out, "{};", head(function));
    }
    for function in &source.functions {
        let _ = writeln!(out, "{} {{", head(function));
        let mut locals = String::new();
        for name in PARAMS.iter().skip(function.params.len()) {
            let _ = write!(locals, "int {name} = g{}; ", &name[1..]);
        }
        if !function.pointer {
            locals.push_str("int own = g2; int *p = &own; ");
        }
        // Only this decides about recursion, and nobody changes it.
        locals.push_str("int n = x0, a = x0, b = x1; unsigned char c = *p; int t[4]");
        locals.push_str(if function.open { ";" } else { " = { 4, 3, 2 };" });
        let _ = writeln!(out, "    {locals}");
        print_block(source, &mut out, function, &function.body, false);
        let _ = writeln!(out, "    return a + c;\n}}");
    }
    out
}

fn print_block(source: &Source, out: &mut String, inside: &Function, block: &[Stmt], in_loop: bool) {
    for stmt in block {
        match &stmt.kind {
            Kind::Assign(to, value) => line(out, &format!("{} = {};", text(to), text(value))),
            Kind::Input(name, -1) => line(out, &format!("{name} = __VERIFIER_nondet_int();")),
            Kind::Input(name, mask) => line(out, &format!("{name} = __VERIFIER_nondet_int() & {mask};")),
            Kind::If(cond, yes, no) => {
                line(out, &format!("if ({}) {{", text(cond)));
                print_block(source, out, inside, yes, in_loop);
                line(out, "} else {");
                print_block(source, out, inside, no, in_loop);
                line(out, "}");
            }
            Kind::For(bound, body) => {
                let i = format!("i{}", stmt.id);
                let until = if source.endless {
                    "(outside(a) & 7) != 3".to_owned()
                } else {
                    format!("{i} < {}", text(bound))
                };
                line(out, &format!("for (int {i} = 0; {until}; {i}++) {{"));
                print_block(source, out, inside, body, true);
                line(out, "}");
            }
            Kind::Call(to, name, args) => {
                if let Some(callee) =
                    source.functions.iter().find(|f| f.name == *name && f.rank < inside.rank)
                {
                    let to = to.as_ref().map_or(String::new(), |to| format!("{} = ", text(to)));
                    line(out, &format!("{to}{name}({});", arguments(callee, args)));
                }
            }
            Kind::Pick(cond, names, args) => {
                let find =
                    |name: &String| source.functions.iter().find(|f| f.name == *name && f.rank < inside.rank);
                if let (Some(f), Some(g)) = (find(&names[0]), find(&names[1]))
                    && (f.ret, &f.params, f.pointer) == (g.ret, &g.params, g.pointer)
                {
                    let args = arguments(f, args);
                    line(out, &format!("b = ({} ? {} : {})({args});", text(cond), f.name, g.name));
                }
            }
            Kind::Recurse(args) if inside.params.first() == Some(&"int") => {
                let mut args = args.clone();
                args[0] = Expr::Var("(n & 3) - 1");
                line(out, &format!("if ((n & 3) > 0) b = {}({});", inside.name, arguments(inside, &args)));
            }
            Kind::Recurse(_) => {}
            Kind::Heap(value, index) => {
                let (value, index) = (text(value), text(index));
                let q = format!("q{}", stmt.id);
                line(
                    out,
                    &format!(
                        "{{ int *{q} = malloc(8); if ({q}) {{ {q}[1] = {value}; b = {q}[{index} & 1]; }} }}"
                    ),
                );
            }
            Kind::Aim(pointer, at) => line(out, &format!("{pointer} = {at};")),
            Kind::Float(op, value) => line(out, &format!("gf = gf {op} (({} & 7) + 1);", text(value))),
            Kind::Fill(array, value) => line(out, &format!("memset({array}, {}, 3);", text(value))),
            Kind::Copy(to, from, len) => line(out, &format!("memmove({to}, {from}, ({}) & 3);", text(len))),
            Kind::Assert(cond) => line(out, &format!("__VERIFIER_assert({});", text(cond))),
            Kind::Assume(cond) => line(out, &format!("__VERIFIER_assume({});", text(cond))),
            Kind::Break(cond) if in_loop => line(out, &format!("if ({}) break;", text(cond))),
            Kind::Break(_) => {}
            Kind::Return(value) => line(out, &format!("if (b == 3) return {};", text(value))),
            Kind::Exit => line(out, "if (a == 5) exit(1);"),
        }
    }
}

fn head(function: &Function) -> String {
    let pointer = function.pointer.then(|| "int *p".to_owned());
    let params = function.params.iter().zip(PARAMS).map(|(ty, name)| format!("{ty} {name}"));
    let params: Vec<String> = pointer.into_iter().chain(params).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    format!("{} {}({params})", function.ret, function.name)
}

fn arguments(callee: &Function, args: &[Expr]) -> String {
    // Where the pointer leads is decided by the last argument, which is there for nothing else where there is
    // a pointer.
    let pointer = callee.pointer.then(|| match args.last() {
        Some(Expr::Num(n)) if n % 2 == 0 => "&a".to_owned(),
        Some(Expr::Num(_)) => "p".to_owned(),
        Some(Expr::Var("a" | "b")) => "&b".to_owned(),
        Some(Expr::Var(_)) => "(b & 1 ? &a : p)".to_owned(),
        Some(other) => format!("&ga[({}) & 3]", text(other)),
        None => "&s[1].x".to_owned(),
    });
    let zero = Expr::Num(0);
    let plain = (0..callee.params.len()).map(|i| text(args.get(i).unwrap_or(&zero)));
    pointer.into_iter().chain(plain).collect::<Vec<_>>().join(", ")
}

fn text(e: &Expr) -> String {
    match e {
        Expr::Num(n) if *n < 0 => format!("({n})"),
        Expr::Num(n) => n.to_string(),
        Expr::Var(name) => (*name).to_owned(),
        Expr::At(array, i) => format!("{array}[{} & 3]", text(i)),
        Expr::Field(i, name) => format!("s[{} & 1].{name}", text(i)),
        Expr::Unary(op, x) => format!("({op} {})", text(x)),
        Expr::Binary(op @ ("<<" | ">>"), x, y) => format!("({} {op} ({} & 7))", text(x), text(y)),
        Expr::Binary(op @ ("/" | "%"), x, y) => format!("({} {op} (({} & 7) + 1))", text(x), text(y)),
        Expr::Binary(op, x, y) => format!("({} {op} {})", text(x), text(y)),
        Expr::Choice(parts) => format!("({} ? {} : {})", text(&parts[0]), text(&parts[1]), text(&parts[2])),
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str("    ");
    out.push_str(text);
    out.push('\n');
}

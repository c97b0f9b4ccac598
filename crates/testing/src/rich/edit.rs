//! Random edits of random programs, as people make them: small, and anywhere.

use super::{BINARY, Expr, Kind, Source, Stmt, TYPES};
use crate::Random;
use crate::source::Source as _;
use crate::tree::insert;

/// The next version.
pub fn edit(source: &Source, random: &mut Random) -> Source {
    let mut source = source.clone();
    for _ in 0..1 + random.below(2) {
        one(&mut source, random);
    }
    source
}

fn one(source: &mut Source, random: &mut Random) {
    let at = random.below(source.functions.len());
    let rank = source.functions[at].rank;
    let is_main = source.functions[at].name == "main";
    match random.below(15) {
        0..=2 => {
            let value = random.pick(&[0, 1, 2, 3, 5, 6, 9, 16, 99, 101, -2]);
            change(source, at, random, &mut |e| {
                if let Expr::Num(n) = e {
                    *n = value
                }
            });
        }
        3 | 4 => {
            let op = random.pick(&BINARY);
            change(source, at, random, &mut |e| {
                if let Expr::Binary(old, ..) = e {
                    *old = op
                }
            });
        }
        5 => {
            let mut new = Some(source.expr(random, 1));
            change(source, at, random, &mut |e| {
                if let Some(new) = new.take() {
                    *e = new
                }
            });
        }
        6 => {
            let ids = source.ids();
            let id = ids[random.below(ids.len())];
            *source = source.without(id);
        }
        7 | 8 => {
            let stmt = source.random_stmt(random, rank, 1);
            insert(&mut source.functions[at].body, stmt, random);
        }
        9 => {
            source.add_function(random);
            let name = source.functions.iter().max_by_key(|f| if f.name == "main" { 0 } else { f.rank });
            let Some(name) = name.map(|f| f.name.clone()) else { return };
            let args = (0..3).map(|_| source.expr(random, 1)).collect();
            let call = source.stmt(Kind::Call(Some(Expr::Var("b")), name, args));
            let at = random.below(source.functions.len());
            insert(&mut source.functions[at].body, call, random);
        }
        10 if !is_main && source.functions.len() > 2 => {
            source.functions.remove(at);
        }
        11 => {
            let other = random.below(source.functions.len());
            source.functions.swap(at, other);
        }
        12 if source.functions[at].body.len() > 1 => {
            let k = random.below(source.functions[at].body.len() - 1);
            source.functions[at].body.swap(k, k + 1);
        }
        13 if !is_main => {
            let function = &mut source.functions[at];
            match random.below(5) {
                0 => function.pointer = !function.pointer,
                1 => function.ret = random.pick(&TYPES),
                2 if function.params.len() < 3 => function.params.push(random.pick(&TYPES)),
                3 => drop(function.params.pop()),
                _ => function.open = !function.open,
            }
        }
        _ => {
            let k = random.below(source.globals.len());
            let (ty, init) = &mut source.globals[k];
            if random.rarely(2) { *ty = random.pick(&TYPES) } else { *init = random.below(9) as i64 }
        }
    }
}

/// Applies a change to one expression of a function for which it is one, or to none.
fn change(source: &mut Source, at: usize, random: &mut Random, how: &mut dyn FnMut(&mut Expr)) {
    let mut count = 0;
    each(&mut source.functions[at].body, &mut |_| count += 1);
    let first = random.below(count);
    let mut k = 0;
    let mut done = false;
    each(&mut source.functions[at].body, &mut |e| {
        if k >= first && !done {
            let before = format!("{e:?}");
            how(e);
            done = format!("{e:?}") != before;
        }
        k += 1;
    });
}

/// Every expression that is a value, outermost first.
fn each(block: &mut [Stmt], see: &mut dyn FnMut(&mut Expr)) {
    for stmt in block {
        match &mut stmt.kind {
            Kind::Assign(_, e) | Kind::Assume(e) | Kind::Assert(e) | Kind::Break(e) | Kind::Return(e) => {
                parts(e, see)
            }
            Kind::Fill(_, e) | Kind::Copy(_, _, e) | Kind::Float(_, e) => parts(e, see),
            Kind::If(cond, yes, no) => {
                parts(cond, see);
                each(yes, see);
                each(no, see);
            }
            // The bound of a loop stays small.
            Kind::For(_, body) => each(body, see),
            Kind::Call(_, _, args) | Kind::Recurse(args) => args.iter_mut().for_each(|e| parts(e, see)),
            Kind::Pick(cond, _, args) => {
                parts(cond, see);
                args.iter_mut().for_each(|e| parts(e, see));
            }
            Kind::Heap(value, index) => {
                parts(value, see);
                parts(index, see);
            }
            Kind::Input(..) | Kind::Aim(..) | Kind::Exit => {}
        }
    }
}

fn parts(e: &mut Expr, see: &mut dyn FnMut(&mut Expr)) {
    see(e);
    match e {
        Expr::Num(_) | Expr::Var(_) => {}
        Expr::At(_, x) | Expr::Field(x, _) | Expr::Unary(_, x) => parts(x, see),
        Expr::Binary(_, x, y) => {
            parts(x, see);
            parts(y, see);
        }
        Expr::Choice(list) => list.iter_mut().for_each(|x| parts(x, see)),
    }
}

//! Histories of random programs: with what earlier versions left behind, the verdict on a version is what it
//! is without.

use crate::agree::{Tally, built, fault, tame};
use crate::make::{BINARY, Expr, GLOBALS, Kind, LOCALS, NAMES, Place, Source, Stmt, TYPES};
use crate::reuse::ways;
use crate::support::{Ask, Kept, ask, with_stack};
use testing::Random;
use testing::source::{Complaint, Source as _, guarded, long, report};
use testing::tree::{insert, walk_mut};

/// The next version: one small change, or two.
fn edit(source: &Source, random: &mut Random) -> Source {
    let mut source = source.clone();
    for _ in 0..1 + random.below(2) {
        one(&mut source, random);
    }
    source
}

fn one(source: &mut Source, random: &mut Random) {
    let at = random.below(source.functions.len());
    let rank = source.functions[at].rank;
    let main = source.functions.len() - 1;
    match random.below(19) {
        17 | 18 => {
            let (op, limit) =
                (random.pick(&["<=", ">=", "!=", "<=", ">="]), random.pick(&[0, 1, 2, 3, 4, 5, 7, -1]));
            let ids = source.asserts();
            let chosen = if ids.is_empty() { 0 } else { ids[random.below(ids.len())] };
            let mut see = |stmt: &mut Stmt| match &mut stmt.kind {
                Kind::Assert(_, old, number) if stmt.id == chosen => (*old, *number) = (op, limit),
                _ => {}
            };
            source.functions.iter_mut().for_each(|f| walk_mut(&mut f.body, &mut see));
        }
        0 | 1 => {
            let value = random.pick(&[0, 1, 2, 3, 5, 6, 9, -2]);
            expressions(source, at, random, &mut |e| {
                if let Expr::Num(n) = e {
                    *n = value
                }
            });
        }
        2 => {
            let op = random.pick(&BINARY);
            expressions(source, at, random, &mut |e| {
                if let Expr::Binary(old, ..) = e {
                    *old = op
                }
            });
        }
        3 => {
            let new = source.expr(random, 1);
            expressions(source, at, random, &mut |e| *e = new.clone());
        }
        4 | 5 => {
            let ids = source.ids();
            *source = source.without(ids[random.below(ids.len())]);
        }
        6..=8 => {
            let stmt = source.random_stmt(random, rank, 1, false);
            insert(&mut source.functions[at].body, stmt, random);
        }
        9 => {
            let name = source.add_function(random);
            let call = source.call(random, &name);
            let caller = random.below(source.functions.len());
            insert(&mut source.functions[caller].body, call, random);
        }
        // Called from elsewhere, too.
        10 | 11 => {
            if let Some(name) = source.some_callee(random, rank) {
                let call = source.call(random, &name);
                insert(&mut source.functions[at].body, call, random);
            }
        }
        // Other names; maybe one that a global has, or a static variable.
        12 | 13 => {
            let names = &mut source.functions[at].locals;
            let (i, j) = (random.below(LOCALS), random.below(LOCALS));
            names.swap(i, j);
            let name = random.pick(&NAMES);
            if random.rarely(2) && !names.contains(&name) {
                names[i] = name;
            }
        }
        14 => {
            let to = random.below(main + 1);
            let function = source.functions.remove(at);
            source.functions.insert(to, function);
            // The tests rely on nothing here, but people read them.
            source.functions.sort_by_key(|f| f.name == "main");
        }
        15 => source.functions[at].swapped ^= true,
        // More memory that is shared, through the pointer.
        _ => {
            if random.rarely(2) {
                source.globals[random.below(GLOBALS)] = (random.pick(&TYPES), random.below(3) as i64);
            } else {
                let mut see = |stmt: &mut Stmt| {
                    if let Kind::Call(_, _, _, pointer) = &mut stmt.kind {
                        *pointer = if pointer.is_some() { None } else { Some(Place::At(0)) };
                    }
                };
                walk_mut(&mut source.functions[at].body, &mut see);
            }
        }
    }
}

/// Applies a change to one expression of a function.
fn expressions(source: &mut Source, at: usize, random: &mut Random, change: &mut dyn FnMut(&mut Expr)) {
    let mut total = 0;
    each(&mut source.functions[at].body, &mut |_| total += 1);
    let chosen = random.below(total);
    let mut n = 0;
    each(&mut source.functions[at].body, &mut |e| {
        if n >= chosen && n < chosen + 3 {
            change(e);
        }
        n += 1;
    });
}

fn each(block: &mut [Stmt], see: &mut dyn FnMut(&mut Expr)) {
    walk_mut(block, &mut |stmt| match &mut stmt.kind {
        Kind::Assign(_, e) | Kind::Assume(e) | Kind::Break(e) | Kind::Continue(e) | Kind::Return(e) => {
            parts(e, see)
        }
        Kind::If(e, ..) | Kind::Static(_, e) | Kind::Assert(e, ..) => parts(e, see),
        Kind::Call(_, _, args, _) => args.iter_mut().for_each(|e| parts(e, see)),
        // Bounds of loops stay small.
        Kind::Loop(..) | Kind::Input(..) => {}
    });
}

fn parts(e: &mut Expr, see: &mut dyn FnMut(&mut Expr)) {
    see(e);
    match e {
        Expr::Num(_) | Expr::Var(_) => {}
        Expr::Binary(_, x, y) => {
            parts(x, see);
            parts(y, see);
        }
        Expr::Choice(list) => list.iter_mut().for_each(|x| parts(x, see)),
    }
}

/// The versions one after the other, with one store.
fn history(versions: &[Source], seed: u64, seconds: f64, tally: &Tally) -> Complaint {
    let kept = Kept::new();
    let ways = ways();
    // Most bugs need everything at once.
    let (way, settings) = &ways[if seed.is_multiple_of(2) { 0 } else { seed as usize / 2 % ways.len() }];
    for (i, source) in versions.iter().enumerate() {
        let program = built(source);
        let scratch = ask(&program, &Ask::seconds(seconds));
        let question = Ask { settings: settings.clone(), ..Ask::seconds(seconds) }.store(&kept.store);
        // Some runs are stopped early; what they leave must be true all the same.
        if seed % 5 == 4 {
            ask(&program, &Ask { steps: Some(seed * 7 % 50 + i as u64 * 3), ..question.clone() });
        }
        let asked = ask(&program, &question);
        tally.judged(&asked.judged);
        if asked.figure("summaries reused") > 0.0 {
            tally.add("with summaries");
        }
        let complain = |what: String| Some(format!("{way}, version {i}: {what}\n{}", asked.decisions()));
        if let Some(what) = fault(&program, &asked.judged, true) {
            return complain(format!("{what}, from scratch {:?}", scratch.judged));
        }
        let both = asked.judged.decided() && scratch.judged.decided();
        if both && asked.judged.word() != scratch.judged.word() {
            return complain(format!("{:?}, from scratch {:?}", asked.judged, scratch.judged));
        }
    }
    None
}

fn histories(seeds: std::ops::Range<u64>, length: usize, seconds: f64, demand: &[&str]) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let tally = Tally::default();
        for seed in seeds {
            let mut random = Random(!seed);
            let mut versions = vec![tame(Source::random(&mut random), 40)];
            while versions.len() < length {
                let new = edit(&versions[versions.len() - 1], &mut random);
                let times = random.pick(&[0, 0, 0, 1, 2, 40]);
                versions.push(tame(new, times));
            }
            let check = |versions: &[Source]| guarded(|| history(versions, seed, seconds, &tally));
            if check(&versions).is_some() {
                wrong.push(report(seed, versions, &check));
            }
        }
        tally.demand(demand);
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
    });
}

#[test]
fn random_histories() {
    histories(0..6, 4, 1.0, &["safe", "with summaries"]);
}

#[test]
#[ignore = "long"]
fn long_random_histories() {
    histories(long(100), 6, 2.0, &["safe", "unsafe", "with summaries"]);
}

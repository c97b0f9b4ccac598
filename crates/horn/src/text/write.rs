//! Printing. The text's names are made unique: logic's variables and functions are told apart by their sorts
//! too, SMT-LIB's are not.

use crate::system::{Atom, Clause, PredId, Solution, System};
use logic::print::{symbol, with_lets};
use logic::{Op, Sort, Term, bottom_up, rebuild, subterms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The system as a script that any solver of constrained Horn clauses reads.
pub fn to_smtlib(system: &System) -> String {
    let mut names = Names::default();
    let preds: Vec<String> = system.preds.iter().map(|p| names.global(&p.name)).collect();
    let mut out = String::from("(set-logic HORN)\n");
    for (pred, name) in system.preds.iter().zip(&preds) {
        let sorts: Vec<String> = pred.params.iter().map(|p| p.sort().to_string()).collect();
        let _ = writeln!(out, "(declare-fun {} ({}) Bool)", symbol(name), sorts.join(" "));
    }
    let mut body = String::new();
    let mut functions = Vec::new();
    for clause in &system.clauses {
        for line in clause.label.lines() {
            let _ = writeln!(body, "; {line}");
        }
        let _ = writeln!(body, "(assert {})", clause_text(clause, &preds, &mut names, &mut functions));
    }
    functions.iter().for_each(|line| out.push_str(line));
    out.push_str(&body);
    out.push_str("(check-sat)\n");
    out
}

/// A solution as a script for any SMT solver: the predicates are defined, and each clause is denied by
/// itself. The solution is one if every answer is `unsat`.
pub fn to_certificate(system: &System, solution: &Solution) -> String {
    let mut names = Names::default();
    let preds: Vec<String> = system.preds.iter().map(|p| names.global(&p.name)).collect();
    let mut functions = Vec::new();
    let mut body = String::new();
    for ((id, pred), formula) in (0..).map(PredId).zip(&system.preds).zip(&solution.formulas) {
        let atom = Atom { pred: id, args: pred.params.clone() };
        let clause = Clause { body: vec![atom], constraint: *formula, head: None, label: String::new() };
        let mut rename = names.clause(&clause, &mut functions);
        let bind = |v: &Term| format!("({} {})", symbol(rename.apply(*v).var_name().unwrap_or("")), v.sort());
        let bound: Vec<String> = pred.params.iter().map(bind).collect();
        let name = symbol(&preds[id.0 as usize]);
        let formula = with_lets(rename.apply(*formula));
        let _ = writeln!(body, "(define-fun {name} ({}) Bool {formula})", bound.join(" "));
    }
    for clause in &system.clauses {
        for line in clause.label.lines() {
            let _ = writeln!(body, "; {line}");
        }
        let text = clause_text(clause, &preds, &mut names, &mut functions);
        let _ = writeln!(body, "(push 1)\n(assert (not {text}))\n(check-sat)\n(pop 1)");
    }
    let mut out = String::from("(set-logic ALL)\n");
    functions.iter().for_each(|line| out.push_str(line));
    out + &body
}

fn clause_text(clause: &Clause, preds: &[String], names: &mut Names, declare: &mut Vec<String>) -> String {
    let mut rename = names.clause(clause, declare);
    // Applications of predicates, and an implication, as terms: then lets are shared by the whole clause.
    // `make` does not simplify.
    let mut apply = |a: &Atom| {
        let args: Vec<Term> = a.args.iter().map(|&t| rename.apply(t)).collect();
        Term::apply(&preds[a.pred.0 as usize], args, Sort::Bool)
    };
    let head = clause.head.as_ref().map_or(Term::bool(false), &mut apply);
    let mut given: Vec<Term> = clause.body.iter().map(&mut apply).collect();
    given.extend(rename.apply(clause.constraint).conjuncts());
    let given = match given.len() {
        0 => Term::bool(true),
        1 => given[0],
        _ => Term::make(Op::And, given, Sort::Bool),
    };
    let text = with_lets(Term::make(Op::Apply(logic::name("=>")), [given, head], Sort::Bool));
    let bind = |v: Term| format!("({} {})", symbol(rename.apply(v).var_name().unwrap_or("")), v.sort());
    let bound: Vec<String> = clause.vars().into_iter().map(bind).collect();
    if bound.is_empty() { text } else { format!("(forall ({}) {text})", bound.join(" ")) }
}

type Signature = (&'static str, Vec<Sort>, Sort);

#[derive(Default)]
struct Names {
    /// Symbols in use for the whole text, as they are printed.
    taken: FxHashSet<String>,
    functions: FxHashMap<Signature, &'static str>,
}

impl Names {
    /// A name that means nothing yet.
    fn global(&mut self, wanted: &str) -> String {
        let name = free_name(wanted, |s| self.taken.contains(s));
        self.taken.insert(symbol(&name).into_owned());
        name
    }

    /// New names for what occurs in a clause; functions not seen before are declared.
    fn clause(&mut self, clause: &Clause, declare: &mut Vec<String>) -> Rename {
        let (mut vars, mut functions) = (Vec::new(), Vec::new());
        for t in subterms(clause.terms()) {
            match t.op() {
                Op::Var(_) => vars.push(t),
                Op::Apply(name) => {
                    functions.push((*name, t.args().iter().map(|a| a.sort()).collect(), t.sort()))
                }
                _ => {}
            }
        }
        functions.sort();
        for signature in functions {
            if !self.functions.contains_key(&signature) {
                let name = self.global(signature.0);
                // A function to truth values would be read as a predicate: it becomes one to single bits.
                let range = if signature.2 == Sort::Bool { Sort::Bv(1) } else { signature.2 };
                let domain: Vec<String> = signature.1.iter().map(Sort::to_string).collect();
                declare.push(format!("(declare-fun {} ({}) {range})\n", symbol(&name), domain.join(" ")));
                self.functions.insert(signature, logic::name(&name));
            }
        }
        vars.sort();
        let mut local = FxHashSet::default();
        let mut map = FxHashMap::default();
        for var in vars {
            let wanted = var.var_name().unwrap_or("v");
            let name = free_name(wanted, |s| self.taken.contains(s) || local.contains(s));
            local.insert(symbol(&name).into_owned());
            map.insert(var, Term::var(&name, var.sort()));
        }
        Rename { done: map, functions: self.functions.clone() }
    }
}

/// `wanted`, or something like it.
fn free_name(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    let mut number = 0;
    while taken(&symbol(&name)) || is_theory_symbol(&name) {
        number += 1;
        name = format!("{wanted}!{number}");
    }
    name
}

/// Symbols with a meaning in the logics that solvers of Horn clauses read: a variable of that name would hide
/// or clash with it.
fn is_theory_symbol(name: &str) -> bool {
    const WORDS: [&str; 26] = [
        "and",
        "or",
        "not",
        "xor",
        "ite",
        "distinct",
        "div",
        "mod",
        "rem",
        "abs",
        "divisible",
        "to_real",
        "to_int",
        "is_int",
        "select",
        "store",
        "const",
        "map",
        "concat",
        "extract",
        "repeat",
        "zero_extend",
        "sign_extend",
        "NaN",
        "fp",
        "if",
    ];
    const STARTS: [&str; 9] = ["bv", "fp.", "to_fp", "int2bv", "int_to_bv", "ubv_", "sbv_", "rotate_", "is-"];
    const OPERATORS: [&str; 11] = ["=>", "=", "+", "-", "*", "/", "<", "<=", ">", ">=", "implies"];
    const ROUNDING: [&str; 5] = ["RNE", "RNA", "RTZ", "RTP", "RTN"];
    const SORTS: [&str; 8] =
        ["Int", "Bool", "Real", "Array", "BitVec", "String", "RoundingMode", "FloatingPoint"];
    WORDS.contains(&name)
        || OPERATORS.contains(&name)
        || ROUNDING.contains(&name)
        || SORTS.contains(&name)
        || STARTS.iter().any(|s| name.starts_with(s))
}

/// Renames variables, the bound ones too, and functions. Different ones stay different, so nothing is
/// captured.
struct Rename {
    done: FxHashMap<Term, Term>,
    functions: FxHashMap<Signature, &'static str>,
}

impl Rename {
    fn apply(&mut self, term: Term) -> Term {
        let functions = &self.functions;
        bottom_up(term, &mut self.done, |t, done| {
            let args: Vec<Term> = t.args().iter().map(|a| done[a]).collect();
            if let Op::Apply(name) = t.op() {
                let signature = (*name, t.args().iter().map(|a| a.sort()).collect(), t.sort());
                if let Some(new) = functions.get(&signature) {
                    return match t.sort() {
                        Sort::Bool => Term::apply(new, args, Sort::Bv(1)).equals(Term::bv(1, 1)),
                        sort => Term::apply(new, args, sort),
                    };
                }
            }
            if args == t.args() { t } else { rebuild(t, &args) }
        })
    }
}

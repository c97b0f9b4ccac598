//! What a person reads. The last line is the verdict.

use super::proof::Shown;
use super::{Answer, Done, difference, proof};
use crate::args::EquivArgs;
use ::equiv::Verdict;
use engine::Assumption;
use report::Table;
use std::fmt::Write;

pub fn text(args: &EquivArgs, answer: &Answer, width: Option<usize>) -> String {
    let mut out = String::new();
    let several = answer.pairs.len() > 1;
    for (i, done) in answer.pairs.iter().enumerate() {
        if several {
            let word = match &done.report.verdict {
                Verdict::Equivalent(_) => "equivalent".to_owned(),
                Verdict::NotEquivalent(_) => "not equivalent".to_owned(),
                Verdict::Unknown(reason) => format!("unknown ({})", reason.text(answer.programs[1])),
            };
            let _ = writeln!(out, "{}: {word}", names(answer, done));
        }
        match &done.report.verdict {
            Verdict::Equivalent(found) => {
                if args.explain {
                    proof_text(&mut out, &proof::shown(found, true), "");
                }
            }
            Verdict::NotEquivalent(_) => {
                if let Some(shown) = &done.difference {
                    difference_text(&mut out, shown, width);
                }
                if let Some(condition) = &done.report.equivalent_when {
                    let _ = writeln!(out, "equivalent when {condition}");
                }
            }
            Verdict::Unknown(_) => {}
        }
        if args.explain {
            explain(&mut out, done);
        }
        if several && i + 1 < answer.pairs.len() && args.explain {
            out.push('\n');
        }
    }
    if answer.unknown().is_none() && answer.decisive.is_none() {
        for assumption in assumptions(answer, args.explain) {
            let _ = writeln!(out, "assuming that {assumption}");
        }
    }
    if answer.pairs.iter().any(|done| done.report.before) {
        let _ = writeln!(out, "known from an earlier run; --store none tries again");
    }
    match answer.reason() {
        Some(reason) => {
            let _ = writeln!(out, "UNKNOWN ({reason})");
        }
        None => {
            let _ = writeln!(out, "{}", answer.verdict());
        }
    }
    out
}

/// What all answers rely on, each thing once; with all names, or only the first of many.
pub fn assumptions(answer: &Answer, all: bool) -> Vec<String> {
    let mut list: Vec<&Assumption> = Vec::new();
    let of_pairs = answer.pairs.iter().flat_map(|done| &done.report.assumptions);
    for assumption in of_pairs.chain(&answer.scope.assumptions) {
        if !list.contains(&assumption) {
            list.push(assumption);
        }
    }
    list.iter().map(|assumption| assumption.text(all)).collect()
}

fn names(answer: &Answer, done: &Done) -> String {
    let name = |side: usize| &answer.programs[side].function(done.functions[side]).name;
    if name(0) == name(1) { name(0).to_string() } else { format!("{} = {}", name(0), name(1)) }
}

fn difference_text(out: &mut String, shown: &difference::Shown, width: Option<usize>) {
    let _ = writeln!(out, "{}", shown.what);
    if shown.input.is_empty() {
        let _ = writeln!(out, "on every input");
    } else {
        let _ = writeln!(out, "on the input");
        for line in &shown.input {
            let _ = writeln!(out, "  {line}");
        }
    }
    if let Some(runs) = shown.runs.as_ref().filter(|runs| runs.rows.len() > 1) {
        let _ = match runs.skipped {
            0 => writeln!(out, "the runs, up to the first difference"),
            n => writeln!(out, "the runs, up to the first difference ({n} steps before these)"),
        };
        let mut table = Table::new(["  old", "new"]);
        for row in &runs.rows {
            table.row([&format!("  {}", row.old), &row.new]);
        }
        out.push_str(&table.render(width));
        out.push_str("in the end\n");
    }
    let mut table = Table::new(["", "old", "new"]);
    for row in &shown.outcomes {
        table.row([&row.what, &row.old, &row.new]);
    }
    out.push_str(&table.render(width));
}

fn proof_text(out: &mut String, shown: &Shown, indent: &str) {
    let names =
        if shown.old == shown.new { shown.old.clone() } else { format!("{} = {}", shown.old, shown.new) };
    let _ = match (shown.kind, &shown.plan) {
        ("coupled", Some(plan)) => writeln!(out, "{indent}{names}: coupled ({plan})"),
        ("exhausted", Some(plan)) => writeln!(out, "{indent}{names}: {plan}"),
        ("known", _) => writeln!(out, "{indent}{names}: proved in an earlier run"),
        ("identical", _) => writeln!(out, "{indent}{names}: nothing that it can run into has changed"),
        _ => writeln!(out, "{indent}{names}: assumed to be equivalent"),
    };
    for predicate in &shown.predicates {
        if predicate.formula.is_empty() {
            continue;
        }
        let formula = predicate.formula.join(" && ");
        if formula.len() <= 100 {
            let _ = writeln!(out, "{indent}  at {}: {formula}", predicate.place);
        } else {
            let _ = writeln!(out, "{indent}  at {}:", predicate.place);
            for part in &predicate.formula {
                let _ = writeln!(out, "{indent}    {part}");
            }
        }
    }
    for callee in &shown.callees {
        proof_text(out, callee, &format!("{indent}  "));
    }
}

fn explain(out: &mut String, done: &Done) {
    if !done.report.log.is_empty() {
        let _ = writeln!(out, "tried:");
        for line in &done.report.log {
            let _ = writeln!(out, "  {line}");
        }
    }
    let time = done.report.time.as_secs_f64();
    let _ = match done.report.member {
        Some(member) => writeln!(out, "answered by {member} in {time:.2} s"),
        None => writeln!(out, "no answer in {time:.2} s"),
    };
}

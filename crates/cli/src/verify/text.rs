//! The answer for people: the way to a failure, what the verdict rests on, and the verdict as the last line.

use super::error_trace::Style;
use super::{Answer, error_trace};
use crate::console::{Paint, Tone};
use driver::{Certified, Claim, Verdict};
use engine::{CallNode, CallState, Decision, Outcome};
use report::Table;
use std::fmt::Write;

const MOST_FIGURES: usize = 4;
/// So many calls of the tree are printed.
const MOST_CALLS: usize = 400;

pub fn text(answer: &Answer, style: &Style) -> String {
    let Style { explain, width, .. } = *style;
    let mut out = String::new();
    let count = answer.failures.len();
    for (i, failure) in answer.failures.iter().enumerate() {
        if count > 1 {
            let title = format!("failure {} of {count}", i + 1);
            out +=
                &format!("{}{}\n", if i > 0 { "\n" } else { "" }, style.paint.paint(Tone::Heading, &title));
        }
        out += &error_trace::error_trace(answer, failure, style);
    }
    if count > 1 {
        out.push('\n');
    }
    let outcome = &answer.outcome;
    if explain {
        decisions(&mut out, &outcome.decisions, width);
        tree(&mut out, &outcome.calls);
        figures(&mut out, answer);
    }
    list(&mut out, "assuming", &answer.assumptions(explain));
    out += &summary(answer, explain);
    if let Some(known) = answer.known() {
        let _ = writeln!(out, "{known}");
    }
    out += &last_line(answer, style.paint);
    out
}

/// The verdict, and why nobody knows.
pub fn last_line(answer: &Answer, paint: Paint) -> String {
    let tone = match answer.outcome.verdict {
        Verdict::Safe => Tone::Good,
        Verdict::Unsafe(_) => Tone::Bad,
        Verdict::Unknown(_) => Tone::Open,
    };
    let line = answer.last_line();
    let (verdict, reason) = line.split_at(answer.verdict().len());
    format!("{}{reason}\n", paint.paint(tone, verdict))
}

fn decisions(out: &mut String, decisions: &[Decision], width: Option<usize>) {
    if decisions.is_empty() {
        return;
    }
    let mut table = Table::new(["about", "decision", "reason"]);
    for decision in decisions {
        table.row([decision.about.clone(), decision.outcome.to_string(), decision.reason.clone()]);
    }
    out.push_str(&table.render(width));
    out.push('\n');
}

/// The calls and what was done with them: the paper's Figures 1 and 2 as text.
fn tree(out: &mut String, calls: &[CallNode]) {
    if calls.is_empty() {
        return;
    }
    out.push_str("calls:\n");
    let mut depth = vec![0usize; calls.len()];
    for (i, call) in calls.iter().enumerate().take(MOST_CALLS) {
        let parent = call.parent.map(|p| p as usize).filter(|p| *p < i);
        depth[i] = parent.map_or(0, |p| depth[p] + 1);
        let indent = "  ".repeat(depth[i].min(40) + 1);
        let _ = writeln!(out, "{indent}{}: {}", call.name, state(call.state));
    }
    if calls.len() > MOST_CALLS {
        let _ = writeln!(out, "  ... {} more calls", calls.len() - MOST_CALLS);
    }
}

pub fn state(state: CallState) -> &'static str {
    match state {
        CallState::Untouched => "untouched",
        CallState::Held => "checked, its summary holds",
        CallState::Fell => "checked, its summary fell",
        CallState::Rebuilt => "its summary fell, a new one was made",
        CallState::New => "a new summary",
        CallState::Inlined => "looked into",
    }
}

/// All figures of all engines.
fn figures(out: &mut String, answer: &Answer) {
    for attempt in &answer.outcome.attempts {
        for figure in &attempt.figures {
            let _ = writeln!(out, "{}, {}: {}", attempt.engine, figure.name, number(figure.value));
        }
        if attempt.refuted > 0 {
            let _ = writeln!(out, "{}, claims refuted: {}", attempt.engine, attempt.refuted);
        }
    }
    let _ = writeln!(out, "slices: {}", answer.outcome.slices);
}

fn list(out: &mut String, what: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "{what}:");
    for item in items {
        let _ = writeln!(out, "  {item}");
    }
}

/// Who was asked and came to what, one line each; what was checked; and what was reused.
fn summary(answer: &Answer, explain: bool) -> String {
    let outcome = &answer.outcome;
    let mut out = String::new();
    let several = outcome.attempts.len() > 1;
    for attempt in &outcome.attempts {
        // Alone, it is the answer to everything.
        let time = if several { attempt.time } else { answer.time };
        let mut parts = vec![format!("{}: {:.2} s", attempt.engine, time.as_secs_f64())];
        if !explain {
            // The time is there already; where it went is for those who ask.
            let figures = attempt.figures.iter().filter(|f| !f.name.ends_with("seconds")).take(MOST_FIGURES);
            parts.extend(figures.map(|f| format!("{} {}", f.name, number(f.value))));
        }
        match &attempt.claim {
            Claim::Unknown(reason) if several => parts.push(answer.brief(reason)),
            _ => {}
        }
        if !several {
            parts.extend(around(answer));
        }
        out += &(parts.join(", ") + "\n");
    }
    if several {
        let mut parts = vec![format!("in all: {:.2} s", answer.time.as_secs_f64())];
        parts.extend(around(answer));
        out += &(parts.join(", ") + "\n");
    }
    if let Some(certified) = &outcome.certified {
        out += &checked(answer, certified, explain);
    }
    out
}

/// What was reused, and what the task says.
fn around(answer: &Answer) -> Vec<String> {
    let outcome = &answer.outcome;
    let mut parts = Vec::new();
    let all = [Outcome::Reused, Outcome::Rechecked, Outcome::Rejected, Outcome::Rebuilt, Outcome::New];
    for kind in all {
        let count = outcome.decisions.iter().filter(|d| d.outcome == kind).count();
        if count > 0 {
            parts.push(format!("{count} {kind}"));
        }
    }
    if let (Some(expected), true) = (answer.expected, decided(&outcome.verdict).is_some()) {
        let agrees = decided(&outcome.verdict) == Some(expected);
        parts.push(format!("the task expects {expected}{}", if agrees { "" } else { ", which is not so" }));
    }
    parts
}

fn checked(answer: &Answer, certified: &Certified, explain: bool) -> String {
    let when = match certified.before {
        true => "checked before".to_owned(),
        false => {
            let known = match certified.known {
                0 => String::new(),
                known => format!(", {known} known"),
            };
            format!("{:.2} s, {} queries{known}", certified.time.as_secs_f64(), certified.queries)
        }
    };
    let mut out = format!("certified: {}, {when}\n", certified.what);
    for assumption in answer.checker_assumes(certified).iter().filter(|_| explain) {
        let _ = writeln!(out, "  the checker assumes that {assumption}");
    }
    out
}

pub fn decided(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Safe => Some(true),
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value:.3}") }
}

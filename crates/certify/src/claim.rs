//! What a certificate claims, and the same as the user asks it.
//!
//! A certificate may come from anybody, so it is not asked what to check. The user's own command line says
//! which sources are read, how, and what is asked of them; the claim that is made of that is what is checked,
//! and what is printed. The certificate holds its claim once, for one purpose: if it is another one, it is
//! refused with the differences. Nothing else in a certificate says what is claimed, and what else it holds
//! (formulas, bounds, inputs) cannot make a wrong claim right.

use crate::Flaw;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write;

/// A file of a program. Names are for people: who checks may have it elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub file: String,
    /// Of the file's bytes; of what a compilation database lists, of the preprocessed text.
    pub blake3: String,
}

/// How sources become the program that is spoken of: all options that have a meaning beyond where files are
/// found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    /// `lp64` or `ilp32`.
    pub target: String,
    /// `-DNAME=VALUE` and `-UNAME`, in order.
    pub macros: Vec<String>,
    /// Other flags of the compiler that say what sources mean: dialects, files that are included first.
    pub flags: Vec<String>,
    /// The kinds of checks that count, all of them.
    pub checks: Vec<String>,
    /// Functions whose call is the error.
    pub error_functions: Vec<String>,
    /// What functions without a body may do: `havoc`, `pure` or `refuse`. Comparisons have an answer of their
    /// own.
    pub unknown_functions: String,
    /// Allocations may give null.
    pub malloc_may_fail: bool,
}

/// No check fails in any execution of the program from `entry`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safety {
    /// In the order in which they are compiled.
    pub sources: Vec<Source>,
    pub front: Front,
    pub entry: String,
}

/// Two versions do the same, or do not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// Of both versions.
    pub sources: [Vec<Source>; 2],
    pub front: Front,
    pub integers: Integers,
    /// All that are compared.
    pub pairs: Vec<Pair>,
}

/// Two functions, and what is asked of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub functions: [String; 2],
    pub contract: Contract,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Integers {
    Machine,
    Unbounded,
}

/// What is assumed of the inputs and demanded of the outputs, as the user wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// Are the parameters equal, by position? If not, only what the precondition says is known.
    pub equal_inputs: bool,
    pub equal_memory: bool,
    pub pre: Vec<String>,
    /// None: all that can be observed is equal.
    pub post: Option<Vec<String>>,
    /// Pairs of functions that the user takes for the same.
    pub assumed: Vec<[String; 2]>,
}

/// A claim that a certificate can hold.
pub trait Claim: Serialize + DeserializeOwned {
    /// What tells the kinds of certificates apart.
    const KIND: &'static str;
    fn sources(&self) -> Vec<&Source>;
    /// One line each, everything.
    fn lines(&self) -> Vec<String>;
}

impl Claim for Safety {
    const KIND: &'static str = "program";

    fn sources(&self) -> Vec<&Source> {
        self.sources.iter().collect()
    }

    fn lines(&self) -> Vec<String> {
        let Safety { sources, front, entry } = self;
        let mut lines = vec![format!("asked: no check fails in any execution from {entry}")];
        lines.extend(sources.iter().map(|s| format!("source: {}", s.line())));
        lines.extend(front.lines());
        lines
    }
}

impl Claim for Comparison {
    const KIND: &'static str = "comparison";

    fn sources(&self) -> Vec<&Source> {
        self.sources.iter().flatten().collect()
    }

    fn lines(&self) -> Vec<String> {
        let Comparison { sources, front, integers, pairs } = self;
        let mut lines = vec!["asked: both versions do the same".to_owned()];
        lines.extend(sources[0].iter().map(|s| format!("old source: {}", s.line())));
        lines.extend(sources[1].iter().map(|s| format!("new source: {}", s.line())));
        lines.extend(front.lines());
        lines.push(match integers {
            Integers::Machine => "integers: those of the target".to_owned(),
            Integers::Unbounded => "integers: without limits".to_owned(),
        });
        lines.extend(pairs.iter().map(Pair::line));
        lines
    }
}

impl Source {
    fn line(&self) -> String {
        format!("{} (BLAKE3 {})", self.file, self.blake3)
    }
}

impl Front {
    fn lines(&self) -> Vec<String> {
        let Front { target, macros, flags, checks, error_functions, unknown_functions, malloc_may_fail } =
            self;
        let list = |words: &[String]| match words {
            [] => "none".to_owned(),
            words => words.join(", "),
        };
        vec![
            format!("target: {target}"),
            format!("macros: {}", list(macros)),
            format!("flags: {}", list(flags)),
            format!("checks: {}", list(checks)),
            format!("error functions: {}", list(error_functions)),
            format!("functions without a body: {unknown_functions}"),
            format!("memory allocation: {}", if *malloc_may_fail { "may fail" } else { "succeeds" }),
        ]
    }
}

impl Pair {
    fn line(&self) -> String {
        let Pair { functions: [old, new], contract } = self;
        let Contract { equal_inputs, equal_memory, pre, post, assumed } = contract;
        let mut text = format!("functions: {old} and {new}");
        match (equal_inputs, equal_memory) {
            (true, true) => {}
            (true, false) => text += ", of memories that may differ",
            (false, true) => text += ", of arguments that may differ",
            (false, false) => text += ", of arguments and memories that may differ",
        }
        if !pre.is_empty() {
            let _ = write!(text, ", where {}", pre.join(" and "));
        }
        if let Some(post) = post {
            let _ = write!(text, ", in the sense that {}", post.join(" and "));
        }
        for [f, g] in assumed {
            let _ = write!(text, ", taking {f} and {g} for the same");
        }
        text
    }
}

/// Is this what the user asks? If not, everything that differs.
pub fn agree<C: Claim>(certificate: &C, asked: &C) -> Result<(), Flaw> {
    let mut found = Vec::new();
    let (theirs, ours) = (certificate.sources(), asked.sources());
    if theirs.len() == ours.len() {
        for (their, our) in theirs.iter().zip(&ours).filter(|(their, our)| their.blake3 != our.blake3) {
            let (our, their) = (&our.file, quoted(&their.file));
            found.push(format!("{our} is not the file that it was made for ({their}), or has changed since"));
        }
    }
    let mut values = [certificate, asked].map(|claim| serde_json::to_value(claim).unwrap_or_default());
    if theirs.len() == ours.len() {
        values.iter_mut().filter_map(Value::as_object_mut).for_each(|fields| drop(fields.remove("sources")));
    }
    differences("", &values[0], &values[1], &mut found);
    match found.is_empty() {
        true => Ok(()),
        false => Err(Flaw::Changed(found.join("; "))),
    }
}

/// Field by field, so that what is new in a claim is compared without anybody thinking of it.
fn differences(path: &str, theirs: &Value, ours: &Value, found: &mut Vec<String>) {
    match (theirs, ours) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            for (name, value) in a {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                differences(&path, value, &b[name], found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() && a.iter().any(Value::is_object) => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&format!("{path}[{i}]"), a, b, found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(format!("its {path} is {}, asked is {}", shown(a), shown(b))),
    }
}

/// A part of a claim; JSON has escapes for whatever could disturb a terminal, but for what is not ASCII.
fn shown(value: &Value) -> String {
    shortened(&value.to_string())
}

/// Text of somebody else.
pub fn quoted(text: &str) -> String {
    shortened(&format!("{text:?}"))
}

fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    let safe = |c: char| if c.is_control() || !c.is_ascii() && !c.is_alphanumeric() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(MOST).map(safe).collect();
    if text.chars().nth(MOST).is_some() {
        short += "...";
    }
    short
}

//! What a case expects: `safe`, `unsafe 7`, `unknown safe up to 5`, ..., or several of them with `or`.

use serde_json::Value;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    /// At this line.
    Unsafe(u64),
    /// For a reason that contains this text; without one, for any.
    Unknown(Option<String>),
    /// The input is refused with a message that contains this text.
    Error(String),
}

#[derive(Clone, Debug)]
pub struct Expected(pub Vec<Verdict>);

impl Expected {
    pub fn parse(text: &str) -> Result<Expected, String> {
        text.split(" or ").map(one).collect::<Result<_, _>>().map(Expected)
    }

    pub fn allows(&self, found: &Verdict) -> bool {
        self.0.iter().any(|expected| match (expected, found) {
            (Verdict::Unknown(None), Verdict::Unknown(_)) => true,
            (Verdict::Unknown(Some(part)), Verdict::Unknown(Some(reason))) => reason.contains(part),
            (Verdict::Error(part), Verdict::Error(messages)) => messages.contains(part),
            _ => expected == found,
        })
    }

    pub fn or_unknown(&self) -> Expected {
        Expected(self.0.iter().cloned().chain([Verdict::Unknown(None)]).collect())
    }

    /// Whether nothing but this is expected.
    pub fn only_safe(&self) -> bool {
        self.0 == [Verdict::Safe]
    }

    pub fn may_be_unknown(&self) -> bool {
        self.0.iter().any(|verdict| matches!(verdict, Verdict::Unknown(_)))
    }
}

fn one(text: &str) -> Result<Verdict, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match (word, rest) {
        ("safe", "") => Ok(Verdict::Safe),
        ("unsafe", line) => line.parse().map(Verdict::Unsafe).map_err(|_| format!("'{text}' has no line")),
        ("unknown", "") => Ok(Verdict::Unknown(None)),
        ("unknown", reason) => Ok(Verdict::Unknown(Some(reason.to_owned()))),
        ("error", part) if !part.is_empty() => Ok(Verdict::Error(part.to_owned())),
        _ => Err(format!("'{text}' is nothing that can be expected")),
    }
}

/// What a document of `verify --json` says.
pub fn found(document: &Value) -> Result<Verdict, String> {
    match document["verdict"].as_str() {
        Some("SAFE") => Ok(Verdict::Safe),
        Some("UNSAFE") => {
            // Of a check in a function of the library, the line of its call.
            let found = &document["counterexample"];
            let line = found["call"]["place"]["line"].as_u64().or(found["place"]["line"].as_u64());
            line.map(Verdict::Unsafe).ok_or_else(|| format!("a violation without a line: {document}"))
        }
        Some("UNKNOWN") => Ok(Verdict::Unknown(document["reason"].as_str().map(str::to_owned))),
        None if document["diagnostics"].as_array().is_some_and(|list| !list.is_empty()) => {
            Ok(Verdict::Error(messages(document).join("\n")))
        }
        _ => Err(format!("no verdict: {document}")),
    }
}

/// What is said about the source.
pub fn messages(document: &Value) -> Vec<&str> {
    let list = document["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|d| d["message"].as_str()).collect()
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::Safe => write!(f, "safe"),
            Verdict::Unsafe(line) => write!(f, "unsafe {line}"),
            Verdict::Unknown(reason) => write!(f, "unknown {}", reason.as_deref().unwrap_or_default()),
            Verdict::Error(messages) => write!(f, "error {messages}"),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list: Vec<String> = self.0.iter().map(Verdict::to_string).collect();
        write!(f, "{}", list.join(" or "))
    }
}

//! The questions of `tests/certificates`: what is asked of each file, whether it is so, and the claim that a
//! certificate for it must have, written by hand.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The answer is `SAFE` or `EQUIVALENT`.
    Holds,
    /// Of versions: they differ, and a certificate says so.
    Differs,
    Fails,
}

/// A question, as the user puts it.
#[derive(Clone, Debug)]
pub struct Question {
    pub truth: Truth,
    pub comparison: bool,
    /// The files, and the options that say what is asked.
    pub files: Vec<String>,
    pub options: Vec<String>,
    /// Options that only say who finds the proof.
    pub made_by: Vec<String>,
    /// Of which kind the proof is, as the certificate calls it.
    pub proof: Option<String>,
    /// What the claim has besides what is usual, by path.
    claim: Vec<(String, Value)>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/certificates")
}

pub fn all() -> Vec<Question> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let c = files.iter().filter(|path| path.extension().is_some_and(|e| e == "c"));
    c.flat_map(|path| read(path)).collect()
}

/// The questions in the comments that a file starts with.
fn read(path: &Path) -> Vec<Question> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("a text");
    let mut list: Vec<Question> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        if let Some((what, value)) = line.strip_prefix("  ").and_then(|more| more.split_once(": ")) {
            let question = list.last_mut().unwrap_or_else(|| panic!("{name}: {line}"));
            match what {
                "made by" => question.made_by = words(value),
                "proof" => question.proof = Some(value.to_owned()),
                path => {
                    let value = serde_json::from_str(value).unwrap_or_else(|e| panic!("{name}: {line}: {e}"));
                    question.claim.push((path.to_owned(), value));
                }
            }
            continue;
        }
        // What is no question is for people.
        let Some((truth, asked)) = line.split_once(": ") else { continue };
        let truth = match truth {
            "holds" => Truth::Holds,
            "differs" => Truth::Differs,
            "fails" => Truth::Fails,
            _ => continue,
        };
        let mut asked = words(asked);
        let command = asked.remove(0);
        let mut files = vec![name.clone()];
        if command == "equiv" {
            files.push(asked.remove(0));
        }
        list.push(Question {
            truth,
            comparison: command == "equiv",
            files,
            options: asked,
            made_by: Vec::new(),
            proof: None,
            claim: Vec::new(),
        });
    }
    list
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Question {
    /// What `certify` is given.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.files.iter().chain(&self.options).map(String::as_str)
    }

    pub fn name(&self) -> String {
        self.words().collect::<Vec<_>>().join(" ")
    }

    /// Its claim: what is usual, with what the file says of it.
    pub fn asked(&self) -> Value {
        let source = |file: &String| {
            let bytes = fs::read(folder().join(file)).expect("the file is there");
            json!([{"file": file, "blake3": certify::hash(&bytes)}])
        };
        let front = json!({
            "target": "lp64",
            "macros": [],
            "flags": [],
            "checks": ["assertion", "error_call"],
            "error_functions": ["__VERIFIER_error", "reach_error", "ldv_error"],
            "unknown_functions": if self.comparison { "pure" } else { "havoc" },
            "malloc_may_fail": false,
        });
        let mut claim = match &self.files[..] {
            [file] => json!({"sources": source(file), "front": front, "entry": "main"}),
            files => json!({
                "sources": files.iter().map(source).collect::<Vec<_>>(),
                "front": front,
                "integers": "machine",
                "pairs": [{
                    "functions": ["f", "f"],
                    "contract": {
                        "equal_inputs": true, "equal_memory": true, "pre": [], "post": null, "assumed": [],
                    },
                }],
            }),
        };
        for (path, value) in &self.claim {
            let pointer = format!("/{}", path.replace('.', "/"));
            *claim.pointer_mut(&pointer).unwrap_or_else(|| panic!("{path}")) = value.clone();
        }
        claim
    }
}

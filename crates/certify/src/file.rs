//! The certificate as a file: JSON with a head that says what it is, the claim, and why it holds.

use crate::Flaw;
use crate::claim::{Claim, Comparison, Safety, quoted};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Raised with every change of what is written here, or in a proof. What a program means is no part of it:
/// the checker goes by its own reading of the program, whoever made the proof.
pub const VERSION: u32 = 7;

/// A longer file is none of ours; nobody should have to read it to find out.
pub const LONGEST: u64 = 64 << 20;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File<C, P> {
    pub kind: String,
    pub version: u32,
    /// The tool's version, for people.
    pub tool: String,
    pub claim: C,
    pub proof: P,
}

/// What a certificate is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Program,
    Comparison,
}

impl<C: Claim, P: Serialize> File<C, P> {
    pub fn new(claim: C, proof: P) -> File<C, P> {
        File {
            kind: C::KIND.to_owned(),
            version: VERSION,
            tool: format!("reprove {}", env!("CARGO_PKG_VERSION")),
            claim,
            proof,
        }
    }

    /// None if it is longer than what would be read again.
    pub fn text(&self) -> Option<String> {
        let text = serde_json::to_string_pretty(self).ok()? + "\n";
        (text.len() as u64 <= LONGEST).then_some(text)
    }
}

/// Of which kind is it? Certificates of other versions of the tool are refused here, before anything else in
/// them is looked at.
pub fn kind(text: &str) -> Result<Kind, Flaw> {
    #[derive(Deserialize)]
    struct Head {
        kind: Option<String>,
        version: u32,
    }
    let head: Head = serde_json::from_str(text).map_err(malformed)?;
    let version = head.version;
    if version != VERSION {
        let whose = if version < VERSION { "an older" } else { "a newer" };
        return Err(Flaw::Malformed(format!(
            "it has format {version}, of {whose} version of this tool, which reads {VERSION}"
        )));
    }
    match head.kind.as_deref() {
        Some(Safety::KIND) => Ok(Kind::Program),
        Some(Comparison::KIND) => Ok(Kind::Comparison),
        Some(other) => Err(Flaw::Malformed(format!("it is of kind {}", quoted(other)))),
        None => Err(Flaw::Malformed("it does not say of which kind it is".to_owned())),
    }
}

/// Reads a certificate of one kind.
pub fn read<C: Claim, P: DeserializeOwned>(text: &str) -> Result<File<C, P>, Flaw> {
    kind(text)?;
    let file: File<C, P> = serde_json::from_str(text).map_err(malformed)?;
    match file.kind == C::KIND {
        true => Ok(file),
        false => Err(Flaw::Malformed(format!("it is of kind {}", quoted(&file.kind)))),
    }
}

fn malformed(error: serde_json::Error) -> Flaw {
    Flaw::Malformed(error.to_string())
}

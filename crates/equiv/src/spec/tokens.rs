//! A first look at a C expression: its identifiers, and what no condition may hold.
//!
//! The expression is put between the brackets of a function that we write; so brackets must match, and
//! nothing may end the statement. Assignments are refused here, where they can be pointed at.

use super::{Origin, SpecError};
use base::{Diagnostics, Interner, Severity, SourceMap};
use cfront::lex::{Tok, lex};
use std::path::Path;

/// An identifier in the expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub text: String,
    pub lo: usize,
    pub hi: usize,
    /// Can it name a variable? (Not a member, not the tag of a struct.)
    pub is_variable: bool,
    /// Is it called?
    pub is_called: bool,
}

/// The identifiers of the expression, if it can be one.
pub fn words(origin: &Origin) -> Result<Vec<Word>, SpecError> {
    let text = &origin.text;
    if let Some(line) =
        text.lines().find(|line| line.trim_start().starts_with(['#']) || line.trim_start().starts_with("%:"))
    {
        let lo = line.as_ptr() as usize - text.as_ptr() as usize;
        return Err(origin.error(lo, lo + line.len(), "a condition cannot hold directives"));
    }
    let mut sources = SourceMap::new();
    let (mut names, mut diagnostics) = (Interner::new(), Diagnostics::new());
    let Ok(source) = sources.add(Path::new(&origin.source), text.clone()) else {
        return Err(SpecError::new(format!("{}: the condition is too long", origin.source)));
    };
    let tokens = lex(source, &mut sources, &mut names, &mut diagnostics);
    if let Some(problem) = diagnostics.iter().find(|d| d.severity == Severity::Error) {
        return Err(origin.error(
            problem.span.lo as usize,
            problem.span.hi as usize,
            problem.message.clone(),
        ));
    }
    let mut open = Vec::new();
    for token in &tokens {
        let (lo, hi) = (token.lo as usize, token.hi as usize);
        let error = |message: &str| Err(origin.error(lo, hi, message));
        match token.kind {
            Tok::LParen | Tok::LBracket => open.push((token.kind, lo, hi)),
            Tok::RParen | Tok::RBracket => {
                let partner = if token.kind == Tok::RParen { Tok::LParen } else { Tok::LBracket };
                match open.pop() {
                    Some((kind, ..)) if kind == partner => {}
                    _ => return error("this bracket has no partner"),
                }
            }
            Tok::Comma if open.is_empty() => {
                return Err(origin
                    .error(lo, hi, "a comma drops what stands before it")
                    .note("write '&&' to demand both"));
            }
            Tok::Assign => {
                let error = origin.error(lo, hi, "a condition must not change anything, but '=' assigns");
                return Err(error.note("write '==' to compare"));
            }
            Tok::PlusPlus
            | Tok::MinusMinus
            | Tok::StarAssign
            | Tok::SlashAssign
            | Tok::PercentAssign
            | Tok::PlusAssign
            | Tok::MinusAssign
            | Tok::ShlAssign
            | Tok::ShrAssign
            | Tok::AmpAssign
            | Tok::CaretAssign
            | Tok::PipeAssign => {
                let message =
                    format!("a condition must not change anything, but '{}' assigns", &text[lo..hi]);
                return error(&message);
            }
            Tok::LBrace | Tok::RBrace | Tok::Semi => {
                return error("a condition is one expression, without statements or initialisers");
            }
            Tok::Str => return error("a condition cannot hold strings"),
            _ => {}
        }
    }
    if let Some(&(_, lo, hi)) = open.last() {
        return Err(origin.error(lo, hi, "this bracket is never closed"));
    }
    if tokens.len() <= 1 {
        return Err(origin
            .error(0, text.len(), "expected an expression")
            .note("for example: x$1 == x$2 && x$1 > 0"));
    }
    let words = tokens.iter().enumerate().filter(|(_, t)| t.kind == Tok::Ident).map(|(i, token)| {
        let before = i.checked_sub(1).map(|j| tokens[j].kind);
        let (lo, hi) = (token.lo as usize, token.hi as usize);
        Word {
            text: text[lo..hi].to_owned(),
            lo,
            hi,
            is_variable: !matches!(
                before,
                Some(Tok::Dot | Tok::Arrow | Tok::Struct | Tok::Union | Tok::Enum)
            ),
            is_called: tokens.get(i + 1).is_some_and(|t| t.kind == Tok::LParen),
        }
    });
    Ok(words.collect())
}

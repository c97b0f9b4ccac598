//! Where things are in the files that were given: loops, branches, calls and statements of the source, found
//! by what the program says about its operations.
//!
//! A program knows lines and columns of the preprocessed text. The text is parsed again; a place of the
//! program is the start of a node of the tree, and what is around that node is what a witness has to name.
//! Columns are then counted in the file itself: a keyword of a preprocessed line is looked for in the line
//! that it came from, and if it is not certain which one it is there, there is no place.

use super::Location;
use super::walk::{self, Found};
use base::{Diagnostics, Interner, SourceMap, Span, Symbol};
use ir::{Pos, Program};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A source as it was given.
pub struct Given {
    /// As the user calls it.
    pub name: String,
    pub content: Vec<u8>,
    /// The text that was compiled.
    pub text: Arc<str>,
    /// That is what the preprocessor made of the content.
    pub preprocessed: bool,
}

pub struct Places {
    sources: SourceMap,
    names: Interner,
    pub(super) found: Found,
    /// Starts of nodes by where the program says they are; none if there is more than one.
    starts: HashMap<(Arc<str>, u32, u32), Option<u32>>,
    files: Vec<File>,
}

struct File {
    name: String,
    start: u32,
    /// The lines of the content, if it was preprocessed.
    lines: Option<Vec<String>>,
}

/// A loop of the source.
#[derive(Clone, Debug)]
pub struct LoopPlace {
    pub keyword: u32,
    /// Tested at the end.
    pub is_do: bool,
    /// What is evaluated first in every round: the condition, or the first things of the body if there is
    /// none.
    pub condition: Option<Span>,
    pub first: Vec<Span>,
    /// The start of the first statement of the body, if that is a block.
    pub first_item: Option<u32>,
    pub function: Symbol,
    /// Names of variables that are visible at the keyword and where they are declared, the innermost last.
    pub scope: Vec<(Symbol, u32)>,
}

impl Places {
    /// None if a text does not parse, which means that it is not the one that was compiled.
    pub fn new(given: Vec<Given>) -> Option<Places> {
        // The tree can be deep.
        cfront::with_stack(|| Places::parse(given)).ok().flatten()
    }

    fn parse(given: Vec<Given>) -> Option<Places> {
        let mut places = Places {
            sources: SourceMap::new(),
            names: Interner::new(),
            found: Found::default(),
            starts: HashMap::new(),
            files: Vec::new(),
        };
        for file in given {
            let content = String::from_utf8_lossy(&file.content).into_owned();
            // The preprocessor has nothing to do for a file that has been preprocessed; it is then read as it
            // is.
            let again = file.preprocessed && content.lines().all(is_plain);
            let compiled = places.read(&file.name, file.text)?;
            let (said, read, preprocessed) =
                match again.then(|| places.read(&file.name, content.as_str().into())) {
                    Some(Some(own)) if own.1.starts.len() == compiled.1.starts.len() => {
                        (compiled.1.starts, own, false)
                    }
                    _ => (compiled.1.starts.clone(), compiled, file.preprocessed),
                };
            let (start, found) = read;
            for (&said, &offset) in said.iter().zip(&found.starts) {
                if let Some(at) = places.sources.locate(said) {
                    let known = places.starts.entry((at.file, at.line, at.column)).or_insert(Some(offset));
                    if *known != Some(offset) {
                        *known = None;
                    }
                }
            }
            places.found.extend(found);
            let lines = preprocessed.then(|| content.lines().map(str::to_owned).collect());
            places.files.push(File { name: file.name, start, lines });
        }
        Some(places)
    }

    /// What is in a text, and where it starts.
    fn read(&mut self, name: &str, text: Arc<str>) -> Option<(u32, Found)> {
        let mut diagnostics = Diagnostics::new();
        let id = self.sources.add(Path::new(name), text).ok()?;
        let unit = cfront::parse::parse(id, &mut self.sources, &mut self.names, &mut diagnostics);
        if diagnostics.has_errors() {
            return None;
        }
        let mut found = Found::default();
        walk::unit(&unit, &mut found);
        Some((self.sources.file(id).start, found))
    }

    /// The start of the node at a place of the program.
    pub fn offset(&self, program: &Program, pos: Pos) -> Option<u32> {
        let file = program.files.get(pos.file as usize)?;
        *self.starts.get(&(file.clone(), pos.line, pos.column))?
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.name(symbol)
    }

    /// Does the name mean the local variable that is declared here?
    pub fn names(&self, at: &LoopPlace, name: &str, program: &Program, pos: Pos) -> bool {
        let Some(symbol) = self.names.get(name) else { return false };
        let declared = at.scope.iter().rev().find(|(other, _)| *other == symbol);
        declared.is_some_and(|(_, offset)| self.offset(program, pos) == Some(*offset))
    }

    /// Does the name mean a variable of the file?
    pub fn names_global(&self, at: &LoopPlace, name: &str) -> bool {
        let Some(symbol) = self.names.get(name) else { return false };
        let local = at.scope.iter().any(|(other, _)| *other == symbol);
        let file = self.file(at.keyword);
        let declared = |offset: &u32| *offset < at.keyword && self.file(*offset) == file;
        !local && self.found.globals.get(&symbol).is_some_and(|list| list.iter().any(declared))
    }

    /// A place for a token that starts here: exactly it, or the first of its kind in the line.
    pub fn location(&self, offset: u32, function: Option<Symbol>) -> Option<Location> {
        let function = function.map(|symbol| self.name(symbol).to_owned());
        let file = self.files.get(self.file(offset)?)?;
        let line = self.sources.line_span(offset)?;
        let text = self.sources.snippet(line)?;
        let before = text.get(..(offset - line.lo) as usize)?;
        let Some(lines) = &file.lines else {
            // What counts is the file, not what it says about itself.
            let above = self.sources.snippet(Span::new(file.start, offset))?;
            let line = above.matches('\n').count() as u32 + 1;
            let column = Some(before.chars().count() as u32 + 1);
            return Some(Location { file: file.name.clone(), line, column, function });
        };
        let at = self.sources.locate(offset)?;
        if *at.file != *file.name {
            return None;
        }
        let original = lines.get(at.line.checked_sub(1)? as usize)?;
        let token = token(text.get(before.len()..)?)?;
        let (here, there) = (occurrences(text, token), occurrences(original, token));
        let column = match here.iter().position(|at| *at == before.len()) {
            Some(nth) if here.len() == there.len() => {
                let bytes = *there.get(nth)?;
                Some(original.get(..bytes)?.chars().count() as u32 + 1)
            }
            _ => None,
        };
        if column.is_none() && !before.trim().is_empty() {
            return None;
        }
        Some(Location { file: file.name.clone(), line: at.line, column, function })
    }

    /// The closing parenthesis of a call, given where the call starts and ends.
    pub fn call_end(&self, start: u32, end: u32, function: Symbol) -> Option<Location> {
        let exact = self.location(end, Some(function)).filter(|location| location.column.is_some());
        exact.or_else(|| {
            // Brackets come from macros, too; the name of the function may be the only one of its kind.
            let at = self.location(start, Some(function))?;
            let lines = self.files.get(self.file(start)?)?.lines.as_ref()?;
            let before = at.column?.checked_sub(1)? as usize;
            let line: Vec<char> = lines.get(at.line.checked_sub(1)? as usize)?.chars().collect();
            let rest = line.get(before..)?.iter().collect::<String>();
            let (name, inside) = rest.split_once('(')?;
            let (inside, _) = inside.split_once(')').filter(|(inside, _)| inside.trim().is_empty())?;
            let column = before + name.chars().count() + inside.chars().count() + 2;
            name.trim_end().chars().all(is_word).then_some(Location { column: Some(column as u32), ..at })
        })
    }

    /// The line only, for what must be placed.
    pub fn line(&self, offset: u32) -> Option<Location> {
        let file = self.files.get(self.file(offset)?)?;
        let at = self.sources.locate(offset)?;
        (*at.file == *file.name).then(|| Location {
            file: file.name.clone(),
            line: at.line,
            column: None,
            function: None,
        })
    }

    fn file(&self, offset: u32) -> Option<usize> {
        self.files.partition_point(|file| file.start <= offset).checked_sub(1)
    }
}

/// The name, or else the character, that a text begins with.
fn token(text: &str) -> Option<&str> {
    let name = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let first = text.chars().next()?.len_utf8();
    text.get(..name.max(first))
}

/// Where a token stands in a line.
fn occurrences(line: &str, token: &str) -> Vec<usize> {
    let whole = |at: &usize| {
        let before = line[..*at].chars().next_back();
        let after = line[at + token.len()..].chars().next();
        !token.starts_with(is_word) || !before.is_some_and(is_word) && !after.is_some_and(is_word)
    };
    line.match_indices(token).map(|(at, _)| at).filter(whole).collect()
}

/// No directive, or one that only says where a line is from.
fn is_plain(line: &str) -> bool {
    let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { return true };
    directive.strip_prefix("line").unwrap_or(directive).trim_start().starts_with(|c: char| c.is_ascii_digit())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

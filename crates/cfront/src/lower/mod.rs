//! Typed tree → IR. One program from all units: names are linked, library models pulled in where a program
//! uses a function without defining it, and every function body becomes a control-flow automaton.
//!
//! A construct that cannot be lowered poisons its function, with the reason and the place, and nothing else.

mod arguments;
mod asm;
mod bitfield;
mod boolean;
mod builder;
mod call;
mod effects;
mod errno;
mod expr;
mod fold;
mod format;
mod function;
mod intrinsic;
mod leak;
mod library;
mod link;
mod order;
mod output;
mod outside;
mod place;
mod pointers;
mod print;
mod record;
mod scan;
mod scope;
mod steps;
mod stmt;
mod tidy;
mod unordered;
mod usage;
mod volatile;

use crate::hir::Unit;
use base::{Diagnostics, SourceMap, Span};
use ir::{CheckKind, Pos, Program, Target};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use link::undefined_functions;
pub use outside::{UnknownFunctions, unknown_body};

#[derive(Clone, Debug)]
pub struct LowerOptions {
    pub target: Target,
    /// The properties beyond assertions and error calls that become checks.
    pub checks: BTreeSet<CheckKind>,
    /// Calling one of these is an error, whatever its body does.
    pub error_functions: Vec<String>,
    pub unknown_functions: UnknownFunctions,
    /// How much of what surrounds the program is modelled.
    pub environment: crate::Environment,
    pub arguments: bool,
    /// An allocation may give null.
    pub malloc_may_fail: bool,
    /// The function whose return ends the program; None: `main`.
    pub entry: Option<String>,
}

/// Why a function cannot be lowered, and where.
pub(crate) struct Unsupported {
    reason: String,
    span: Span,
}

pub(crate) type Lowered<T> = Result<T, Unsupported>;

pub(crate) fn unsupported<T>(span: Span, reason: impl Into<String>) -> Lowered<T> {
    Err(Unsupported { reason: reason.into(), span })
}

/// A unit to link; definitions in models give way to the user's.
pub struct LinkUnit {
    unit: Unit,
    usage: usage::UnitUsage,
    is_model: bool,
}

impl LinkUnit {
    pub fn new(unit: Unit, is_model: bool) -> LinkUnit {
        let usage = usage::unit_usage(&unit);
        LinkUnit { unit, usage, is_model }
    }
}

/// Links and lowers all units; link errors (two definitions of one name) go to `diagnostics`.
pub fn lower(
    units: &[LinkUnit],
    sources: &SourceMap,
    options: &LowerOptions,
    diagnostics: &mut Diagnostics,
) -> Program {
    let mut linked = link::Linked::new(units, sources, options, diagnostics);
    linked.lower_all();
    linked.program
}

/// Turns spans into positions; remembers file numbers, and the last line, where the next span mostly is.
#[derive(Default)]
pub(crate) struct Positions {
    files: FxHashMap<Arc<str>, u32>,
    line: Option<(Span, Pos)>,
}

impl Positions {
    pub(crate) fn pos(&mut self, sources: &SourceMap, span: Span, files: &mut Vec<Arc<str>>) -> Pos {
        if let Some((line, start)) = self.line
            && (line.lo..=line.hi).contains(&span.lo)
        {
            return Pos { column: span.lo - line.lo + 1, ..start };
        }
        let found = (!span.is_none()).then(|| Some((sources.locate(span.lo)?, sources.line_span(span.lo)?)));
        // Line 0 is what `# 0 "<built-in>"` makes of the text behind it: nobody wrote that.
        let Some((location, line)) = found.flatten().filter(|(location, _)| location.line > 0) else {
            return Pos::default();
        };
        let file = *self.files.entry(location.file.clone()).or_insert_with(|| {
            files.push(location.file);
            files.len() as u32 - 1
        });
        let pos = Pos { file, line: location.line, column: location.column };
        self.line = Some((line, pos));
        pos
    }
}

//! Conditions written as C expressions.
//!
//! An expression becomes the body of a function, `_Bool condition(parameters) { return (EXPR); }`, which is
//! appended to the text of the file that defines the compared function and compiled with the old version.
//! Every variable that the expression mentions is a parameter of it, so the condition sees nothing else;
//! [`CBinding`] says what to pass. Variables that live in memory (arrays, structs, globals whose address is
//! taken) are passed by their address.
//!
//! In the text names are replaced by internal ones, token by token; complaints of the compiler are carried
//! back to the user's text.

use super::names::{Found, Lookup, Moment};
use super::tokens::{self, Word};
use super::types;
use super::{Condition, ConditionKind, Origin, Side, SpecError, pure};
use base::Severity;
use ir::names::unqualified;
use ir::{Callee, FuncId, GlobalId, Op, Program, Type};
use std::sync::Arc;

/// One version of the compared function.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    pub program: &'a Program,
    pub function: FuncId,
    /// The preprocessed texts of its files, with their names; none for a program that was not written in C.
    pub texts: &'a [(String, Arc<str>)],
}

/// Both versions, and how they were compiled.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    pub old: Version<'a>,
    pub new: Version<'a>,
    pub options: &'a cfront::Options,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CCondition {
    /// The old version, and the function of the condition.
    pub program: Arc<Program>,
    pub function: FuncId,
    /// For each parameter of the function, what it is.
    pub bindings: Vec<CBinding>,
    /// By [`ir::EdgeId`] of the function: whose memory the edge reads (by itself or in what it calls), if it
    /// reads any.
    pub reads: Vec<Option<Side>>,
}

/// What to pass for a parameter of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CBinding {
    /// The value that the compared function was called with; `index` counts its parameters in IR. Structs are
    /// passed and returned by address there, and so are they here.
    Param { side: Side, index: u32 },
    /// What the function returned.
    Result { side: Side },
    /// The value of a register global, before or after the call as the condition is.
    Global { side: Side, id: GlobalId },
    /// The address of a memory global.
    GlobalAddress { side: Side, id: GlobalId },
}

impl CBinding {
    pub fn side(self) -> Side {
        match self {
            CBinding::Param { side, .. }
            | CBinding::Result { side }
            | CBinding::Global { side, .. }
            | CBinding::GlobalAddress { side, .. } => side,
        }
    }
}

impl<'a> Versions<'a> {
    pub fn side(&self, side: Side) -> Version<'a> {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }
}

impl<'a> Version<'a> {
    pub fn function(&self) -> &'a ir::Function {
        self.program.function(self.function)
    }

    /// The name of the function as C knows it; clashing names have a prefix in IR.
    pub fn c_name(&self) -> &'a str {
        unqualified(&self.function().name)
    }
}

/// The condition that the user gave with `option` (`--pre`, `--post`).
pub fn compile_condition(
    option: &str,
    text: &str,
    moment: Moment,
    versions: &Versions,
) -> Result<Condition, SpecError> {
    let origin = Origin::option(option, text);
    if versions.old.texts.is_empty() {
        return Err(origin.error(0, text.len(), "a condition in C needs versions in C, not in IR"));
    }
    let words = tokens::words(&origin)?;
    let lookup = Lookup::new(versions, moment);
    let variables = lookup.variables(&origin, &words)?;
    let made = Made { origin: &origin, lookup: &lookup, variables: &variables, words: &words };
    let (program, function) = made.compile(Side::Old)?;
    made.check_types(&program, function)?;
    let bindings: Vec<CBinding> = variables.iter().map(|v| v.binding).collect();
    let mut cut = program.clone();
    let reads = pure::check(&mut cut, function, &bindings).map_err(|found| made.impure(found))?;
    let touches_new =
        variables.iter().any(|v| v.binding.side() == Side::New && v.by_address_or_pointer(&lookup));
    if touches_new && !versions.new.texts.is_empty() {
        made.check_same_layout(&program, function)?;
    }
    let condition = CCondition { program: Arc::new(cut), function, bindings, reads };
    Ok(Condition {
        text: text.trim().to_owned(),
        range: (0, text.len()),
        kind: ConditionKind::C(condition),
        origin,
    })
}

/// The name of the condition's function; no C program has it.
const FUNCTION: &str = "__reprove_condition";

/// A condition on its way.
struct Made<'m> {
    origin: &'m Origin,
    lookup: &'m Lookup<'m>,
    variables: &'m [Found],
    words: &'m [Word],
}

/// The expression as the compiler sees it, and how its positions relate to those of the user's text.
struct Replaced {
    text: String,
    /// Ranges of `text` that stand for ranges of the user's text, ascending.
    pieces: Vec<((usize, usize), (usize, usize))>,
}

impl Made<'_> {
    /// Compiles the condition together with one of the versions.
    fn compile(&self, context: Side) -> Result<(Program, FuncId), SpecError> {
        let versions = self.lookup.versions;
        let version = versions.side(context);
        let file = types::defining_file(&version).ok_or_else(|| {
            let name = version.c_name();
            SpecError::new(format!("{}: cannot find the definition of '{name}'", self.origin.source))
        })?;
        let mut params = Vec::new();
        for (i, variable) in self.variables.iter().enumerate() {
            let ty = types::spelling(versions, context, variable)
                .map_err(|message| self.origin.error(variable.lo, variable.hi, message))?;
            let star = if variable.by_address { "*" } else { "" };
            params.push(format!("{ty} {star}{}", internal(i)));
        }
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let replaced = self.replace();
        let head = format!("\n# 1 \"{}\"\n_Bool {FUNCTION}({params}) {{ return (\n", self.origin.source);
        let (_, old) = &version.texts[file];
        let start = old.len() + head.len();
        let whole = format!("{old}{head}{}\n); }}\n", replaced.text);
        let texts = version
            .texts
            .iter()
            .enumerate()
            .map(|(i, (name, text))| (name.as_str(), if i == file { whole.as_str() } else { &**text }));
        let texts: Vec<(&str, &str)> = texts.collect();
        // A condition has a value or none; it does not fail checks.
        let options = cfront::Options { checks: Default::default(), ..versions.options.clone() };
        let output = cfront::with_stack(|| cfront::compile_texts(texts, &options))
            .map_err(|_| SpecError::new("internal error: the compiler failed on a condition"))?;
        if let Some(problem) = output.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            let files = output.sources.ids().map(|id| output.sources.file(id));
            let base = files.into_iter().nth(file).map_or(0, |f| f.start) as usize + start;
            let end = base + replaced.text.len();
            let (lo, hi) = (problem.span.lo as usize, problem.span.hi as usize);
            let (lo, hi) = match () {
                _ if lo < base || problem.span.is_none() => (0, self.origin.text.len()),
                _ if lo >= end => (self.origin.text.len(), self.origin.text.len()),
                _ => (replaced.original(lo - base).0, replaced.original(hi.clamp(lo, end) - base).1),
            };
            return Err(self.complaint(lo, hi, &problem.message));
        }
        let program = output.program.ok_or_else(|| SpecError::new("internal error: no program"))?;
        let function = program.find_function(FUNCTION);
        function.map(|f| (program, f)).ok_or_else(|| SpecError::new("internal error: the condition got lost"))
    }

    /// The user's text with internal names.
    fn replace(&self) -> Replaced {
        let user = &self.origin.text;
        let (mut text, mut pieces, mut at) = (String::new(), Vec::new(), 0);
        for word in self.words {
            let spelled = match self.variables.iter().position(|v| v.name == word.text) {
                Some(i) if word.is_variable && self.variables[i].by_address => format!("(*{})", internal(i)),
                Some(i) if word.is_variable => internal(i),
                _ => match self.lookup.macro_value(word) {
                    Some(value) => value,
                    None => continue,
                },
            };
            text.push_str(&user[at..word.lo]);
            pieces.push(((text.len(), text.len() + spelled.len()), (word.lo, word.hi)));
            text.push_str(&spelled);
            at = word.hi;
        }
        text.push_str(&user[at..]);
        Replaced { text, pieces }
    }

    /// What the compiler says, about the user's text.
    fn complaint(&self, lo: usize, hi: usize, message: &str) -> SpecError {
        let undeclared = self.words.iter().find(|w| w.lo == lo && message.contains("undeclared"));
        if let Some(word) = undeclared {
            return self.lookup.unknown(self.origin, &word.text, word.lo, word.hi);
        }
        self.origin.error(lo, hi, self.in_user_names(message))
    }

    fn in_user_names(&self, message: &str) -> String {
        let mut message = message.to_owned();
        // The highest number first: one name is the beginning of another.
        for (i, variable) in self.variables.iter().enumerate().rev() {
            message = message.replace(&internal(i), &variable.name);
        }
        message
    }

    /// The values that will be passed are of the types that the function takes.
    fn check_types(&self, program: &Program, function: FuncId) -> Result<(), SpecError> {
        let params: Vec<Type> = program.function(function).param_types().collect();
        for (i, variable) in self.variables.iter().enumerate() {
            let given = self.lookup.ir_type(variable.binding);
            if params.get(i).copied() != given {
                let message =
                    format!("'{}' is passed in another type than it is declared with", variable.name);
                return Err(self.origin.error(variable.lo, variable.hi, message));
            }
        }
        Ok(())
    }

    /// The condition is compiled with the old version's types; where it looks at the new version's memory,
    /// the new version's types must say the same.
    fn check_same_layout(&self, program: &Program, function: FuncId) -> Result<(), SpecError> {
        let all = (0, self.origin.text.len());
        let note = "conditions use the old version's types";
        let (other, at) = self.compile(Side::New).map_err(|error| {
            let message = format!("with the new version's types: {}", error.message);
            SpecError { message, ..error }.note(note)
        })?;
        if !same_code((program, function), (&other, at)) {
            let message = "the condition means something else with the new version's types";
            return Err(self.origin.error(all.0, all.1, message).note(note));
        }
        Ok(())
    }

    fn impure(&self, found: pure::Impure) -> SpecError {
        let word =
            found.callee.as_deref().and_then(|name| self.words.iter().find(|w| w.text == unqualified(name)));
        let (lo, hi) = word.map_or((0, self.origin.text.trim_end().len()), |w| (w.lo, w.hi));
        self.origin.error(lo, hi, self.in_user_names(&found.message))
    }
}

/// Do the functions compute the same, but for places in the source? Functions that they call count by name.
fn same_code((a, f): (&Program, FuncId), (b, g): (&Program, FuncId)) -> bool {
    let (Some(x), Some(y)) = (a.function(f).cfa(), b.function(g).cfa()) else { return false };
    let same_op = |p: &Op, q: &Op| match (p, q) {
        (
            Op::Call { dst: d, callee: Callee::Direct(f), args: v },
            Op::Call { dst: e, callee: Callee::Direct(g), args: w },
        ) => d == e && v == w && a.function(*f).name == b.function(*g).name,
        _ => p == q,
    };
    let same = |p: &ir::Edge, q: &ir::Edge| (p.from, p.to) == (q.from, q.to) && same_op(&p.op, &q.op);
    x.edges().len() == y.edges().len() && x.edges().iter().zip(y.edges()).all(|(p, q)| same(p, q))
}

fn internal(index: usize) -> String {
    format!("__reprove_{index}")
}

impl Replaced {
    /// The user's range for a position.
    fn original(&self, at: usize) -> (usize, usize) {
        let mut shift = (0, 0);
        for &((lo, hi), (from, to)) in &self.pieces {
            if at < lo {
                break;
            }
            if at < hi {
                return (from, to);
            }
            shift = (hi, to);
        }
        let place = shift.1 + (at - shift.0);
        (place, place)
    }
}

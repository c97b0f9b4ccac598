//! What the user says about a comparison: what is assumed of the inputs, and what is to hold of the outputs.
//!
//! By default both versions start with equal inputs (parameters, globals, memory) and must end with equal
//! outputs. There are two languages for other wishes:
//! - C expressions, from the command line (`--pre`, `--post`): `c` makes a function of them, which is
//!   compiled with the old version and is from then on as any other function in IR; `pure` sees that it
//!   changes nothing and says which version's memory it reads where, `run` computes it;
//! - SMT-LIB terms in comments of the sources, as the tool llreve reads them: `annotations` finds them,
//!   `read` parses them to the tree in `smt`, `term` makes terms of it in any encoding of integers.
//!
//! [`Spec`] is all of it in one value; `error` says what is wrong with it, in terms of the text that the user
//! wrote.

pub mod annotations;
pub mod c;
pub mod error;
mod names;
mod number;
mod pure;
pub mod read;
mod run;
pub mod smt;
pub mod term;
mod tokens;
mod types;

pub use c::{CBinding, CCondition, Version, Versions, compile_condition};
pub use engine::Side;
pub use error::{Origin, Place, SpecError};
pub use names::{Lookup, Moment};
pub use run::{Memory, NoMemory};
pub use smt::{SpecOp, SpecSort, SpecTerm};
pub use term::{Binding, Scope, TermError, Values, holds, to_term};

use annotations::{AnnotationKind, LlreveOption, annotations};
use read::Read;
use std::fmt;
use std::sync::Arc;

/// What a condition can mention.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Name {
    /// A parameter of the compared function, or a global. In SMT-LIB conditions, as in llreve, the name of a
    /// global is its address.
    Var(Side, Arc<str>),
    Result(Side),
    /// The whole memory.
    Heap(Side),
    /// A word without a version, in assumptions about functions: `res1`, `res2`, a parameter.
    Word(Arc<str>),
}

/// Everything that was said about one comparison.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spec {
    /// Assumed of the inputs, all of them.
    pub pre: Vec<Condition>,
    /// Are the inputs equal besides? (Not if an annotation `rel_in` replaced that.)
    pub input_equality: InputEquality,
    /// What must hold of the outputs, all of it; None: they are equal.
    pub post: Option<Vec<Condition>>,
    /// The functions to compare, if the sources say so.
    pub function: Option<(String, String)>,
    /// Functions of the old version and their counterparts in the new one.
    pub couple: Vec<(String, String)>,
    /// Pairs of functions that are taken to be equivalent without proof.
    pub assume_equivalent: Vec<(String, String)>,
    /// What is known of functions without a body.
    pub functions: Vec<FunctionCondition>,
    /// Options of llreve that mean nothing here.
    pub ignored_options: Vec<String>,
    /// What the user should know: annotations that are not understood, ones that the command line overrides.
    pub notes: Vec<String>,
}

/// Does the comparison assume that both versions start with equal inputs?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InputEquality {
    #[default]
    Assumed,
    /// Only what [`Spec::pre`] says is known.
    Replaced,
}

/// `condition` holds of the results `res1` and `res2` of any two calls of the function, one in each version,
/// with equal arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCondition {
    pub function: String,
    pub condition: Condition,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// As the user wrote it.
    pub text: String,
    pub origin: Origin,
    /// Where it stands in the origin's text.
    pub range: (usize, usize),
    pub kind: ConditionKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ConditionKind {
    C(CCondition),
    Smt(SmtCondition),
}

#[derive(Clone, PartialEq, Debug)]
pub struct SmtCondition {
    pub term: SpecTerm,
    /// Every mention of a variable, with its place in the origin's text.
    pub names: Vec<(Name, usize, usize)>,
}

impl Name {
    pub fn side(&self) -> Option<Side> {
        match self {
            Name::Var(side, _) | Name::Result(side) | Name::Heap(side) => Some(*side),
            Name::Word(_) => None,
        }
    }
}

impl Condition {
    fn smt(origin: &Origin, read: Read) -> Condition {
        let (lo, hi) = read.range;
        Condition {
            text: origin.text[lo..hi].to_owned(),
            origin: origin.clone(),
            range: read.range,
            kind: ConditionKind::Smt(SmtCondition { term: read.term, names: read.names }),
        }
    }

    pub fn place(&self) -> Place {
        self.origin.place(self.range.0, self.range.1)
    }

    /// The same statement, wherever it stands?
    fn says_the_same(&self, other: &Condition) -> bool {
        match (&self.kind, &other.kind) {
            (ConditionKind::Smt(a), ConditionKind::Smt(b)) => a.term == b.term,
            _ => false,
        }
    }
}

impl Spec {
    /// What the annotations of the sources say: the names and texts of all files of both versions.
    pub fn from_sources<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Spec, SpecError> {
        let mut spec = Spec::default();
        let mut rel_in: Option<Vec<Condition>> = None;
        let mut fun: Option<(String, String)> = None;
        for (name, text) in files {
            let origin = Origin::file(name, text);
            for found in annotations(&origin)? {
                let conditions = |list: Vec<Read>| -> Vec<Condition> {
                    list.into_iter().map(|read| Condition::smt(&origin, read)).collect()
                };
                match found.kind {
                    AnnotationKind::Pre(list) => {
                        for condition in conditions(list) {
                            if !spec.pre.iter().any(|c| c.says_the_same(&condition)) {
                                spec.pre.push(condition);
                            }
                        }
                    }
                    AnnotationKind::RelIn(list) => replace(&mut rel_in, conditions(list), "rel_in")?,
                    AnnotationKind::RelOut(list) => replace(&mut spec.post, conditions(list), "rel_out")?,
                    AnnotationKind::FunctionCondition { function, condition } => {
                        for condition in conditions(condition) {
                            let new = FunctionCondition { function: function.clone(), condition };
                            let same = |c: &FunctionCondition| {
                                c.function == new.function && c.condition.says_the_same(&new.condition)
                            };
                            if !spec.functions.iter().any(same) {
                                spec.functions.push(new);
                            }
                        }
                    }
                    AnnotationKind::Options(list) => {
                        for option in list {
                            spec.option(option, &mut fun, &origin, found.lo, found.hi)?;
                        }
                    }
                    AnnotationKind::Other(word) => {
                        let place = origin.place(found.lo, found.lo);
                        spec.notes
                            .push(format!("{place}: the annotation '{word}' is not understood and ignored"));
                    }
                }
            }
        }
        if let Some(list) = rel_in {
            spec.input_equality = InputEquality::Replaced;
            spec.pre.splice(0..0, list);
        }
        spec.function = fun;
        Ok(spec)
    }

    /// Adds what the command line says. A postcondition there takes the place of one in the sources.
    pub fn add_options(
        &mut self,
        pre: &[String],
        post: &[String],
        versions: &Versions,
    ) -> Result<(), SpecError> {
        for text in pre {
            self.pre.push(compile_condition("--pre", text, Moment::Before, versions)?);
        }
        if !post.is_empty() {
            if let Some(first) = self.post.iter().flatten().next() {
                self.notes.push(format!("{}: --post is used instead of this 'rel_out'", first.place()));
            }
            let list = post.iter().map(|text| compile_condition("--post", text, Moment::After, versions));
            self.post = Some(list.collect::<Result<_, _>>()?);
        }
        Ok(())
    }

    /// Do the conditions of the sources make sense for these functions? All names must exist, all operands
    /// fit.
    pub fn check(&self, versions: &Versions) -> Result<(), SpecError> {
        let pre = self.pre.iter().map(|c| (c, Moment::Before));
        for (condition, moment) in pre.chain(self.post.iter().flatten().map(|c| (c, Moment::After))) {
            let ConditionKind::Smt(smt) = &condition.kind else { continue };
            let lookup = Lookup::new(versions, moment);
            for (name, lo, hi) in &smt.names {
                if !matches!(name, Name::Heap(_)) && lookup.resolve(name).is_none() {
                    return Err(lookup.unknown(&condition.origin, &name.to_string(), *lo, *hi));
                }
            }
            let found = to_term(&smt.term, &term::Shape(&lookup), encode::IntMode::Unbounded);
            if let Err(error @ TermError::Sort(_)) = found {
                return Err(error.about(condition));
            }
        }
        Ok(())
    }

    fn option(
        &mut self,
        option: LlreveOption,
        fun: &mut Option<(String, String)>,
        origin: &Origin,
        lo: usize,
        hi: usize,
    ) -> Result<(), SpecError> {
        let add = |list: &mut Vec<(String, String)>, pair| {
            if !list.contains(&pair) {
                list.push(pair);
            }
        };
        match option {
            LlreveOption::Function(f, g) => match fun {
                Some((old, new)) if (&*old, &*new) != (&f, &g) => {
                    let message =
                        format!("the functions to compare are {f} and {g} here, {old} and {new} elsewhere");
                    return Err(origin.error(lo, hi, message));
                }
                _ => *fun = Some((f, g)),
            },
            LlreveOption::Couple(f, g) => add(&mut self.couple, (f, g)),
            LlreveOption::AssumeEquivalent(f, g) => add(&mut self.assume_equivalent, (f, g)),
            LlreveOption::Ignored(word) => {
                if !self.ignored_options.contains(&word) {
                    self.ignored_options.push(word);
                }
            }
        }
        Ok(())
    }
}

/// Something that can be said once: again is fine if it is the same.
fn replace(slot: &mut Option<Vec<Condition>>, new: Vec<Condition>, what: &str) -> Result<(), SpecError> {
    match slot {
        Some(old) => {
            let same = old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| a.says_the_same(b));
            match (same, &new[..], &old[..]) {
                (false, [first, ..], [before, ..]) => {
                    let (lo, hi) = first.range;
                    let error = first.origin.error(lo, hi, format!("a second, different '{what}'"));
                    Err(error.note(format!("the first one is at {}", before.place())))
                }
                _ => Ok(()),
            }
        }
        None => {
            *slot = Some(new);
            Ok(())
        }
    }
}

/// With 1 for the old version, 2 for the new one, as in the names of variables.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let number = |side: &Side| side.index() + 1;
        match self {
            Name::Var(side, name) => write!(f, "{name}${}", number(side)),
            Name::Result(side) => write!(f, "result${}", number(side)),
            Name::Heap(side) => write!(f, "HEAP${}", number(side)),
            Name::Word(word) => f.write_str(word),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

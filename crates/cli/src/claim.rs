//! Claims, made of what the user says and of the sources as they are: for certificates that are written, and
//! for those that are checked.

use crate::args::FrontArgs;
use crate::load::{self, Loaded};
use crate::{flags, shell};
use certify::claim::{Comparison, Front, Integers, Pair, Safety, Source};
use cfront::{Input, Macro};
use clap::ValueEnum;
use driver::certificate;
use equiv::Request;
use ir::{CheckKind, Op, Program};
use std::collections::BTreeSet;
use std::path::Path;

/// That no check of these kinds fails from `entry`, or why that cannot be written down.
pub fn safety(
    loaded: &Loaded,
    front: &FrontArgs,
    checks: &BTreeSet<CheckKind>,
    entry: &str,
) -> Result<Safety, String> {
    let front = self::front(&[loaded], front, checks);
    Ok(Safety { sources: sources(loaded)?, front, entry: entry.to_owned() })
}

/// What the requests, which all are about the same versions, ask together.
pub fn comparison(
    versions: [&Loaded; 2],
    front: &FrontArgs,
    requests: &[Request],
) -> Result<Comparison, String> {
    let mut checks = BTreeSet::from([CheckKind::Assertion, CheckKind::ErrorCall]);
    checks.extend(load::options(front).checks);
    let integers = requests.first().map_or(Integers::Machine, |r| certificate::integers(r.integers));
    let pairs: Vec<Pair> = requests.iter().map(certificate::asked).collect();
    let sources = [sources(versions[0])?, sources(versions[1])?];
    Ok(Comparison { sources, front: self::front(&versions, front, &checks), integers, pairs })
}

fn sources(loaded: &Loaded) -> Result<Vec<Source>, String> {
    let source = |(i, input): (usize, &Input)| {
        let file = input.path.display().to_string();
        let blake3 = match (input.flags.is_empty(), loaded.texts.get(i), std::fs::read(&input.path)) {
            // Flags of a database are not part of the claim, but all that they can do is seen here.
            (false, Some((_, text)), _) => preprocessed(text),
            (_, _, Ok(bytes)) => certify::hash(&bytes),
            (_, _, Err(_)) => return Err(format!("{file} cannot be read again")),
        };
        Ok(Source { file, blake3 })
    };
    loaded.files.iter().enumerate().map(source).collect()
}

/// Of the text without the places of its parts, which differ from machine to machine.
fn preprocessed(text: &str) -> String {
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    certify::hash(kept.join("\n").as_bytes())
}

/// A program in IR is what it is, whatever the options say: it has a target, and the checks that it has.
fn front(programs: &[&Loaded], given: &FrontArgs, checks: &BTreeSet<CheckKind>) -> Front {
    // All are named, so that a new one has to be thought of: whatever changes the meaning of the question is
    // part of the claim. The target and the checks are taken from the programs and from what counts; the
    // models and the environment are those of the command.
    let cfront::Options {
        macros,
        flags,
        error_functions,
        unknown_functions,
        malloc_may_fail,
        target: _,
        checks: _,
        cc: _,
        include_dirs: _,
        models: _,
        environment: _,
        arguments: _,
        entry: _,
    } = load::options(given);
    let in_ir = programs.iter().all(|loaded| loaded.texts.is_empty());
    let has = |kind: &&CheckKind| programs.iter().any(|loaded| has_check(&loaded.program, **kind));
    let checks = checks.iter().filter(|kind| !in_ir || has(kind));
    let targets: BTreeSet<&str> = programs.iter().map(|loaded| loaded.program.target.name).collect();
    Front {
        target: targets.into_iter().collect::<Vec<_>>().join(", "),
        macros: if in_ir { Vec::new() } else { macros.iter().map(flag).collect() },
        flags: if in_ir { Vec::new() } else { flags::by_use(&flags).1 },
        checks: checks.map(|kind| kind.name().to_owned()).collect(),
        error_functions: if in_ir { Vec::new() } else { error_functions },
        unknown_functions: if in_ir { "as written" } else { unknown_functions.name() }.to_owned(),
        malloc_may_fail: malloc_may_fail && !in_ir,
    }
}

fn has_check(program: &Program, wanted: CheckKind) -> bool {
    let edges = program.functions.iter().filter_map(|f| f.cfa()).flat_map(|cfa| cfa.edges());
    edges.into_iter().any(|edge| matches!(edge.op, Op::Check { kind, .. } if kind == wanted))
}

fn flag(change: &Macro) -> String {
    match change {
        Macro::Define(text) => format!("-D{text}"),
        Macro::Undefine(name) => format!("-U{name}"),
    }
}

/// A command of this tool, for people to repeat.
pub struct Words(Vec<String>);

impl Words {
    pub fn new(command: &str) -> Words {
        Words(vec!["reprove".to_owned(), command.to_owned()])
    }

    pub fn path(mut self, path: &Path) -> Words {
        self.0.push(path.display().to_string());
        self
    }

    pub fn option(mut self, name: &str, value: &str) -> Words {
        self.0.extend([name.to_owned(), value.to_owned()]);
        self
    }

    /// All options that say how sources are read and what is asked of them.
    pub fn front(mut self, front: &FrontArgs) -> Words {
        // What is not an argument of its own: the order of macros, and what a property says.
        let FrontArgs {
            builds,
            target,
            include,
            flags,
            macros,
            cc,
            check,
            entry,
            malloc_may_fail,
            define: _,
            undefine: _,
            bits: _,
            isystem: _,
            included: _,
            std: _,
            error_functions: _,
            unknown_functions: _,
            environment: _,
            calls_outside: _,
            arguments: _,
        } = front;
        for build in builds {
            self = self.option("-p", &build.display().to_string());
        }
        if let Some(target) = target {
            self = self.option("--target", &name(target));
        }
        for dir in include {
            self = self.option("-I", &dir.display().to_string());
        }
        self.0.extend(macros.iter().map(flag));
        if *cc != cfront::Options::default().cc {
            self = self.option("--cc", cc);
        }
        if !check.is_empty() {
            self = self.option("--check", &check.iter().map(name).collect::<Vec<_>>().join(","));
        }
        if *malloc_may_fail {
            self.0.push("--malloc-may-fail".to_owned());
        }
        if let Some(entry) = entry {
            self = self.option("--entry", entry);
        }
        if !flags.is_empty() {
            self.0.push("--".to_owned());
            self.0.extend(flags.iter().cloned());
        }
        self
    }

    /// As a shell reads it.
    pub fn text(&self) -> String {
        self.0.iter().map(|word| shell::quote(word)).collect::<Vec<_>>().join(" ")
    }
}

pub fn name<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_repeated() {
        let check = |words: Words, expected: &str| assert_eq!(words.text(), expected);
        check(Words::new("certify").path(Path::new("a b.c")), "reprove certify 'a b.c'");
        check(Words::new("certify").option("--pre", "it's > 0"), r"reprove certify --pre 'it'\''s > 0'");
        check(Words::new("run").option("-D", ""), "reprove run -D ''");
    }
}

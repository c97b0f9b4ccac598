//! From the files that a certificate names to the programs that they are now.

use crate::Flaw;
use crate::format::{Front, Source};
use cfront::{Macro, Output, UnknownFunctions};
use ir::{CheckKind, Program, Target};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where sources come from.
pub trait Load {
    /// The program that the files make, which must be those that the certificate is about.
    fn program(&self, sources: &[Source], options: &cfront::Options) -> Result<Program, Flaw>;
}

/// Files, with names as the certificate has them.
pub struct Disk;

/// Preprocessed texts by name.
pub struct Given(pub BTreeMap<String, String>);

const CHECKS: [(&str, CheckKind); 5] = [
    ("overflow", CheckKind::Overflow),
    ("memory", CheckKind::Memory),
    ("div", CheckKind::Div),
    ("shift", CheckKind::Shift),
    ("unreachable", CheckKind::Unreachable),
];

pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_string()
}

/// The front end's options, as a certificate has them.
pub fn front(options: &cfront::Options) -> Front {
    let checks = CHECKS.iter().filter(|(_, kind)| options.checks.contains(kind));
    Front {
        target: if options.target == Target::ILP32 { "ilp32" } else { "lp64" }.to_owned(),
        cc: options.cc.clone(),
        include: options.include_dirs.iter().map(|d| d.display().to_string()).collect(),
        macros: options
            .macros
            .iter()
            .map(|m| match m {
                Macro::Define(text) => format!("-D{text}"),
                Macro::Undefine(name) => format!("-U{name}"),
            })
            .collect(),
        checks: checks.map(|(name, _)| (*name).to_owned()).collect(),
        error_functions: options.error_functions.clone(),
        unknown_functions: options.unknown_functions.name().to_owned(),
        models: options.models,
    }
}

pub fn options(front: &Front) -> Result<cfront::Options, String> {
    let target = match front.target.as_str() {
        "lp64" => Target::LP64,
        "ilp32" => Target::ILP32,
        other => return Err(format!("there is no target {other}")),
    };
    let macros = front.macros.iter().map(|text| {
        let define = text.strip_prefix("-D").map(|t| Macro::Define(t.to_owned()));
        define
            .or_else(|| text.strip_prefix("-U").map(|t| Macro::Undefine(t.to_owned())))
            .ok_or_else(|| format!("{text} is no macro"))
    });
    let checks = front.checks.iter().map(|name| {
        let found = CHECKS.iter().find(|(known, _)| known == name);
        found.map(|(_, kind)| *kind).ok_or_else(|| format!("there is no check {name}"))
    });
    Ok(cfront::Options {
        target,
        cc: front.cc.clone(),
        include_dirs: front.include.iter().map(PathBuf::from).collect(),
        macros: macros.collect::<Result<_, _>>()?,
        checks: checks.collect::<Result<_, _>>()?,
        error_functions: front.error_functions.clone(),
        unknown_functions: UnknownFunctions::named(&front.unknown_functions)
            .ok_or_else(|| format!("functions without a body cannot be {}", front.unknown_functions))?,
        models: front.models,
    })
}

impl Load for Disk {
    fn program(&self, sources: &[Source], options: &cfront::Options) -> Result<Program, Flaw> {
        let mut texts = Vec::new();
        for source in sources {
            let bytes = std::fs::read(&source.file)
                .map_err(|e| Flaw::Changed(format!("{} cannot be read: {e}", source.file)))?;
            same(source, &bytes)?;
            texts.push(bytes);
        }
        if let [source] = sources
            && source.file.ends_with(".ir")
        {
            let text = String::from_utf8_lossy(&texts[0]);
            let program = ir::parse(&text).map_err(|e| Flaw::Changed(format!("{}: {e}", source.file)))?;
            return verified(program);
        }
        let files: Vec<PathBuf> = sources.iter().map(|s| PathBuf::from(&s.file)).collect();
        compiled(cfront::compile(&files, options))
    }
}

impl Load for Given {
    fn program(&self, sources: &[Source], options: &cfront::Options) -> Result<Program, Flaw> {
        let mut texts = Vec::new();
        for source in sources {
            let text = self.0.get(&source.file);
            let text = text.ok_or_else(|| Flaw::Changed(format!("{} is not there", source.file)))?;
            same(source, text.as_bytes())?;
            texts.push((source.file.as_str(), text.as_str()));
        }
        compiled(cfront::compile_texts(texts, options))
    }
}

fn same(source: &Source, bytes: &[u8]) -> Result<(), Flaw> {
    match hash(bytes) == source.blake3 {
        true => Ok(()),
        false => Err(Flaw::Changed(format!("{} has changed since the certificate was made", source.file))),
    }
}

fn compiled(output: Output) -> Result<Program, Flaw> {
    match output.program {
        Some(program) => verified(program),
        None => {
            let first = output.diagnostics.iter().next().map(|d| d.message.clone()).unwrap_or_default();
            Err(Flaw::Changed(format!("the sources do not compile: {first}")))
        }
    }
}

fn verified(program: Program) -> Result<Program, Flaw> {
    match ir::verify(&program) {
        Ok(()) => Ok(program),
        Err(problems) => {
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            Err(Flaw::Open(format!("the program is not a valid one: {first}")))
        }
    }
}

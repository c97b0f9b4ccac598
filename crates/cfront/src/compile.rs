//! The whole front end: files in, one linked and lowered program out.

use crate::interface::Interface;
use crate::lower::{LinkUnit, LowerOptions, UnknownFunctions, lower, undefined_functions};
use crate::models::{self, Environment};
use crate::preprocess::{self, Input, Macro, PreprocessOptions};
use crate::{check, parse};
use base::{Diagnostic, Diagnostics, Interner, SourceId, SourceMap, Span};
use ir::{CheckKind, Program, Target};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Options {
    pub target: Target,
    /// The C compiler that preprocesses `.c` files.
    pub cc: String,
    pub include_dirs: Vec<PathBuf>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<Macro>,
    /// Flags of the compiler for all files, besides these.
    pub flags: Vec<String>,
    /// Checks beyond assertions and error calls.
    pub checks: BTreeSet<CheckKind>,
    /// Calling one of these is the error to look for.
    pub error_functions: Vec<String>,
    /// What functions without a body, and without a model, may do.
    pub unknown_functions: UnknownFunctions,
    /// Link models of the C library's functions where the program uses and does not define them.
    pub models: bool,
    /// Which of those that talk to the world outside.
    pub environment: Environment,
    /// `main` is given what a program is given (`lower/arguments`), not any parameters.
    pub arguments: bool,
    /// `malloc` and its kind may find no memory and return null.
    pub malloc_may_fail: bool,
    /// The function whose return ends the program, for checks that are about its end; None: `main`.
    pub entry: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            target: Target::LP64,
            cc: PreprocessOptions::default().cc,
            include_dirs: Vec::new(),
            macros: Vec::new(),
            flags: Vec::new(),
            checks: BTreeSet::new(),
            error_functions: ["__VERIFIER_error", "reach_error", "ldv_error"].map(String::from).to_vec(),
            unknown_functions: UnknownFunctions::default(),
            models: true,
            environment: Environment::Inputs,
            arguments: false,
            malloc_may_fail: false,
            entry: None,
        }
    }
}

#[derive(Debug)]
pub struct Output {
    /// None exactly if there are errors.
    pub program: Option<Program>,
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
    /// The files that define `main`. A program has one; who has more linked several programs.
    pub mains: Vec<PathBuf>,
    pub interface: Interface,
}

/// Compiles files to one program. Needs a large stack: see [`with_stack`].
pub fn compile(files: &[PathBuf], options: &Options) -> Output {
    let inputs: Vec<Input> = files.iter().cloned().map(Input::from).collect();
    compile_inputs(&inputs, options)
}

/// The same for files with flags of their own.
pub fn compile_inputs(inputs: &[Input], options: &Options) -> Output {
    let mut session = Session::new(options);
    for Input { path, flags } in inputs {
        let preprocess = PreprocessOptions {
            cc: options.cc.clone(),
            include_dirs: options.include_dirs.clone(),
            macros: options.macros.clone(),
            flags: flags.iter().chain(&options.flags).cloned().collect(),
            ilp32: options.target == Target::ILP32,
        };
        match preprocess::load(path, &preprocess, &mut session.sources) {
            Ok(source) => session.add(source, false),
            Err(errors) => errors.into_iter().for_each(|e| session.diagnostics.push(e)),
        }
    }
    session.finish()
}

/// Compiles one already preprocessed text.
pub fn compile_text(name: &str, text: &str, options: &Options) -> Output {
    compile_texts([(name, text)], options)
}

/// Compiles already preprocessed texts, with their names, to one program.
pub fn compile_texts<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>, options: &Options) -> Output {
    let mut session = Session::new(options);
    for (name, text) in texts {
        session.add_text(name, text, false);
    }
    session.finish()
}

/// Runs `work` in a thread with a stack for the deepest tree that the parser lets through.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
            Ok(thread) => thread.join(),
            Err(e) => Err(Box::new(format!("cannot start a thread: {e}")) as Box<dyn std::any::Any + Send>),
        }
    })
}

struct Session<'o> {
    options: &'o Options,
    sources: SourceMap,
    names: Interner,
    diagnostics: Diagnostics,
    units: Vec<LinkUnit>,
    mains: Vec<PathBuf>,
    interface: Interface,
}

impl<'o> Session<'o> {
    fn new(options: &'o Options) -> Self {
        Session {
            options,
            sources: SourceMap::new(),
            names: Interner::new(),
            diagnostics: Diagnostics::new(),
            units: Vec::new(),
            mains: Vec::new(),
            interface: Interface::default(),
        }
    }

    fn add_text(&mut self, name: &str, text: &str, is_model: bool) {
        match self.sources.add(Path::new(name), text) {
            Ok(source) => self.add(source, is_model),
            Err(base::source::TooLarge) => {
                let message = format!("{name}: the sources together are larger than 4 GiB");
                self.diagnostics.push(Diagnostic::error(Span::NONE, message));
            }
        }
    }

    fn add(&mut self, source: SourceId, is_model: bool) {
        let unit = parse::parse(source, &mut self.sources, &mut self.names, &mut self.diagnostics);
        let unit = check::check(&unit, &mut self.names, self.options.target, &mut self.diagnostics);
        if unit.functions.iter().any(|f| &*f.name == "main" && f.body.is_some()) {
            self.mains.push(self.sources.file(source).path.clone());
        }
        if !is_model {
            self.interface.add(&unit);
        }
        self.units.push(LinkUnit::new(unit, is_model));
    }

    /// Models may use other models.
    fn link_models(&mut self) {
        let mut loaded = FxHashSet::default();
        loop {
            let wanted = undefined_functions(&self.units);
            let models = wanted.iter().filter_map(|name| models::model_for(name));
            let models = models.filter(|model| model.environment <= self.options.environment);
            let new: Vec<_> = models.filter(|model| loaded.insert(model.name)).collect();
            if new.is_empty() {
                return;
            }
            for model in new {
                self.add_text(model.name, model.source, true);
            }
        }
    }

    fn finish(mut self) -> Output {
        if self.options.models && !self.diagnostics.has_errors() {
            self.link_models();
        }
        let program = (!self.diagnostics.has_errors()).then(|| {
            let options = LowerOptions {
                target: self.options.target,
                checks: self.options.checks.clone(),
                error_functions: self.options.error_functions.clone(),
                unknown_functions: self.options.unknown_functions,
                environment: self.options.environment,
                arguments: self.options.arguments,
                malloc_may_fail: self.options.malloc_may_fail,
                entry: self.options.entry.clone(),
            };
            lower(&self.units, &self.sources, &options, &mut self.diagnostics)
        });
        let program = program.filter(|_| !self.diagnostics.has_errors());
        let Session { sources, diagnostics, mains, interface, .. } = self;
        Output { program, sources, diagnostics, mains, interface }
    }
}

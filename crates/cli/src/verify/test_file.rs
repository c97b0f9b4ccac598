//! `--write-test`: a C file that makes the failure happen when compiled and run together with the program.
//!
//! It defines what the program takes from outside: input functions and functions without a body give the
//! values of the run in order, globals that are defined elsewhere and objects behind pointers from outside
//! have the content that was read. All definitions are weak, so that those of the program win. What C code
//! beside the program cannot set (variables and memory without a value) is said at the top of the file, and
//! as a warning.

mod doubts;
mod literal;
mod source;

use driver::Violation;
use interp::{ByteId, InputKind, Interp, ObjectKind, Options};
use ir::{Body, CheckKind, FuncId, GlobalId, HavocKind, Op, Program, Type};
use literal::{Addresses, c_type, literal};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

pub struct TestFile {
    pub text: String,
    /// Why the run may go another way than the violation.
    pub doubts: Vec<String>,
}

pub fn test_file(
    program: &Program,
    entry: FuncId,
    violation: &Violation,
    texts: &[(String, Arc<str>)],
    error_functions: &[String],
) -> TestFile {
    let heap = violation.counterexample.heap.clone();
    let objects = Interp::new(program, Options { heap, ..Options::new(entry) }).ok();
    let mut writer = Writer {
        program,
        entry,
        violation,
        addresses: Addresses::new(program, violation, objects.as_ref()),
        body: String::new(),
        setup: String::new(),
        doubts: BTreeSet::new(),
    };
    writer.check();
    writer.objects();
    writer.globals();
    writer.functions();
    writer.intrinsics(error_functions, texts);
    writer.entry();
    writer.unsettable();
    writer.finish()
}

struct Writer<'a> {
    program: &'a Program,
    entry: FuncId,
    violation: &'a Violation,
    addresses: Addresses<'a>,
    body: String,
    /// What runs before `main`.
    setup: String,
    doubts: BTreeSet<String>,
}

/// The values of a function in the order of its calls.
struct Queue {
    ty: Option<Type>,
    values: Vec<u128>,
    called: bool,
}

impl Writer<'_> {
    /// Objects behind pointers from outside, with what was read from them.
    fn objects(&mut self) {
        for (i, size) in self.violation.counterexample.heap.iter().enumerate() {
            let _ = writeln!(
                self.body,
                "static unsigned char reprove_object_{i}[{}] __attribute__((aligned(16)));",
                (*size).max(1)
            );
        }
        let count = self.violation.counterexample.heap.len();
        for input in &self.violation.run.inputs {
            if let InputKind::Memory {
                object: Some(ByteId { kind: ObjectKind::Heap, nth, changes: 0, offset }),
                ..
            } = input.request.kind
                && (nth as usize) < count
            {
                let target = format!("reprove_object_{nth} + {offset}");
                self.put(&target, input.request.ty, input.value);
            }
        }
    }

    /// Writes a value into memory before `main`.
    fn put(&mut self, target: &str, ty: Type, value: u128) {
        let text = self.literal(ty, value);
        let size = ty.access_size(&self.program.target);
        let _ = match ty {
            Type::Float(_) => writeln!(self.setup, "    memcpy({target}, {text}, {size});"),
            _ => writeln!(
                self.setup,
                "    {{ {} value = {text}; memcpy({target}, &value, {size}); }}",
                c_type(ty)
            ),
        };
    }

    fn literal(&mut self, ty: Type, value: u128) -> String {
        match (ty, self.addresses.expression(value as u64)) {
            (Type::Ptr, Ok(text)) => text,
            (Type::Ptr, Err(doubt)) => {
                self.doubts.insert(doubt);
                literal(ty, value)
            }
            _ => literal(ty, value),
        }
    }

    /// Globals that are defined elsewhere: nobody else defines them here.
    fn globals(&mut self) {
        for (i, global) in self.program.globals.iter().enumerate() {
            if global.init.is_some() || ir::is_stream(&global.name) || !is_name(&global.name) {
                continue;
            }
            let size = global.storage.size(&self.program.target);
            let name = &global.name;
            let _ = writeln!(
                self.body,
                "unsigned char {name}[{}] __attribute__((weak, aligned(16)));",
                size.max(1)
            );
            for input in &self.violation.run.inputs {
                if let InputKind::ExternGlobal { global, offset } = input.request.kind
                    && global == GlobalId(i as u32)
                {
                    self.put(&format!("{name} + {offset}"), input.request.ty, input.value);
                }
            }
        }
    }

    /// Input functions, and functions without a body: all that the program mentions, since it has to be
    /// linked.
    fn functions(&mut self) {
        let mut queues: BTreeMap<Arc<str>, Queue> = BTreeMap::new();
        let program = self.program;
        for (id, function) in program.function_ids().zip(&program.functions) {
            match &function.body {
                Body::Extern if !interp::is_modelled(program, id) => {
                    let queue = Queue { ty: function.ret, values: Vec::new(), called: false };
                    queues.insert(function.name.clone(), queue);
                }
                Body::Defined(cfa) => {
                    for edge in cfa.edges() {
                        if let Op::Havoc { var, kind: HavocKind::Input(name) } = &edge.op {
                            let ty = program.register(function, *var);
                            let queue = Queue { ty, values: Vec::new(), called: true };
                            queues.entry(name.clone()).or_insert(queue);
                        }
                    }
                }
                _ => {}
            }
        }
        for id in &self.violation.run.assumed {
            if let Some(queue) = queues.get_mut(&program.function(*id).name) {
                queue.called = true;
            }
        }
        for input in &self.violation.run.inputs {
            let name = match &input.request.kind {
                InputKind::Input(name) => name.clone(),
                InputKind::ExternReturn(id) => program.function(*id).name.clone(),
                _ => continue,
            };
            if let Some(queue) = queues.get_mut(&name) {
                queue.values.push(input.value);
            }
        }
        if queues.remove("builtin").is_some_and(|queue| !queue.values.is_empty()) {
            self.doubts.insert("the result of a builtin function of the compiler cannot be set".to_owned());
        }
        queues.retain(|name, queue| {
            let library = cfront::models::gives_input(name);
            if library && !queue.values.is_empty() {
                self.doubts.insert(format!("what comes from {name} of the C library cannot be set"));
            }
            !library
        });
        for (name, text) in NOT_EVERYWHERE {
            if program.find_function(name).is_some() {
                self.body.push_str(text);
            }
        }
        for (name, queue) in queues.iter().filter(|(name, _)| is_name(name)) {
            self.function(name, queue);
        }
    }

    fn function(&mut self, name: &str, queue: &Queue) {
        let Some(ty) = queue.ty else {
            let _ = match queue.called {
                true => writeln!(self.body, "WEAK void {name}() {{}}"),
                false => writeln!(self.body, "WEAK void {name}() {{ reprove_lost(\"{name} was called\"); }}"),
            };
            return;
        };
        let values: Vec<String> = queue.values.iter().map(|value| self.literal(ty, *value)).collect();
        let c_type = c_type(ty);
        if values.is_empty() {
            // A call whose result nobody used, or one that the run did not make.
            let lost =
                if queue.called { String::new() } else { format!("reprove_lost(\"{name} was called\"); ") };
            let _ = writeln!(self.body, "WEAK {c_type} {name}() {{ {lost}return 0; }}");
            return;
        }
        let (count, list) = (values.len(), values.join(", "));
        let _ = writeln!(self.body, "WEAK {c_type} {name}() {{");
        let _ = match ty {
            Type::Float(_) => {
                let size = ty.access_size(&self.program.target);
                writeln!(
                    self.body,
                    "    static const unsigned char values[][16] = {{{}}};\n    static unsigned next;\n    \
                     {c_type} value = 0;\n    if (next < {count}) memcpy(&value, values[next++], {size});\n    return value;",
                    values.iter().map(|v| literal::initialiser(v)).collect::<Vec<_>>().join(", ")
                )
            }
            _ => writeln!(
                self.body,
                "    static {c_type} const values[] = {{{list}}};\n    static unsigned next;\n    \
                 return next < {count} ? values[next++] : 0;"
            ),
        };
        let _ = writeln!(self.body, "}}");
    }

    /// What the tool gives a meaning to, for programs that do not define it.
    fn intrinsics(&mut self, error_functions: &[String], texts: &[(String, Arc<str>)]) {
        for name in ["__VERIFIER_assume", "__CPROVER_assume"] {
            let _ = writeln!(
                self.body,
                "WEAK void {name}(int holds) {{ if (!holds) reprove_lost(\"an assumption does not hold\"); }}"
            );
        }
        for name in ["__VERIFIER_assert", "__CPROVER_assert", "assert"] {
            let _ = writeln!(self.body, "WEAK void {name}(int holds) {{ if (!holds) reprove_hit(); }}");
        }
        for name in ["atomic_begin", "atomic_end"] {
            let _ = writeln!(
                self.body,
                "WEAK void __VERIFIER_{name}(void) {{}}\nWEAK void __CPROVER_{name}(void) {{}}"
            );
        }
        for name in error_functions.iter().filter(|name| is_name(name)) {
            let _ = writeln!(self.body, "WEAK void {name}() {{ reprove_hit(); }}");
            let ends = ["abort", "assert", "exit", "__builtin_trap", "__builtin_unreachable"];
            let bodies = texts.iter().filter_map(|(_, text)| source::body_of(text, name));
            if self.violation.kind == CheckKind::ErrorCall
                && bodies.into_iter().any(|body| !ends.iter().any(|end| body.contains(end)))
            {
                self.doubts.insert(format!(
                    "the program's own '{name}' is the error, but does not end the program: the run goes on"
                ));
            }
        }
    }

    /// Calls an entry function other than `main`.
    fn entry(&mut self) {
        let function = self.program.function(self.entry);
        let mut arguments = vec![None; function.params as usize];
        for input in &self.violation.run.inputs {
            if let InputKind::Param(i) = input.request.kind
                && let Some(slot) = arguments.get_mut(i as usize)
            {
                *slot = Some(input.value);
            }
        }
        if &*function.name == "main" {
            self.main_arguments(&arguments);
            return;
        }
        if !is_name(&function.name) {
            self.doubts.insert(format!("'{}' cannot be called from another file", function.name));
            return;
        }
        let name = &function.name;
        let types: Vec<Type> = function.param_types().collect();
        let params: Vec<&str> = types.iter().map(|ty| c_type(*ty)).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let ret = function.ret.map_or("void", c_type);
        let _ = writeln!(self.body, "\nextern {ret} {name}({params});");
        let mut call = String::new();
        let mut names = Vec::new();
        for (i, (ty, value)) in types.iter().zip(&arguments).enumerate() {
            let text = self.literal(*ty, value.unwrap_or(0));
            let size = ty.access_size(&self.program.target);
            let _ = match ty {
                Type::Float(_) => {
                    writeln!(
                        call,
                        "    {} argument_{i} = 0; memcpy(&argument_{i}, {text}, {size});",
                        c_type(*ty)
                    )
                }
                _ => writeln!(call, "    {} argument_{i} = {text};", c_type(*ty)),
            };
            names.push(format!("argument_{i}"));
        }
        if self.program.find_function("main").is_some() {
            self.doubts.insert(
                "the program has a main of its own; compile it with -Dmain=other_main, and this file without"
                    .to_owned(),
            );
        }
        let _ = writeln!(
            self.body,
            "int main(void) {{\n{call}    {name}({});\n    return 0;\n}}",
            names.join(", ")
        );
    }

    fn finish(self) -> TestFile {
        let doubts: Vec<String> = self.doubts.into_iter().collect();
        let program = self.program;
        let violation = self.violation;
        let at = crate::place::at(program, violation.pos);
        let m32 = if program.target.pointer_bits == 32 { "-m32 " } else { "" };
        let mut text = format!("/* Makes a check fail: {}{at}.\n", violation.kind.name());
        let _ = writeln!(text, "   cc {m32}PROGRAM.c THIS.c && ./a.out");
        if !doubts.is_empty() {
            text.push_str("\n   It may not fail as it should:\n");
            for doubt in &doubts {
                let _ = writeln!(text, "   - {}", doubt.replace("*/", "* /"));
            }
        }
        text.push_str("*/\n");
        text.push_str(PRELUDE);
        text.push_str(&self.body);
        if !self.setup.is_empty() {
            let _ = writeln!(
                text,
                "\n__attribute__((constructor)) static void reprove_setup(void) {{\n{}}}",
                self.setup
            );
        }
        TestFile { text, doubts }
    }
}

/// No headers: they would declare what is defined here.
const PRELUDE: &str = r#"
#define WEAK __attribute__((weak))
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern int puts(const char *);
extern void abort(void);
extern void _Exit(int);

static void reprove_hit(void) { puts("the check fails"); abort(); }

static void reprove_lost(const char *why) {
    puts("this run is not the violation:");
    puts(why);
    _Exit(0);
}

"#;

/// Functions that the tool knows and some C libraries do not have.
const NOT_EVERYWHERE: [(&str, &str); 2] = [
    (
        "strlcpy",
        "WEAK __SIZE_TYPE__ strlcpy(char *to, const char *from, __SIZE_TYPE__ size) {\n    \
         __SIZE_TYPE__ n = 0;\n    for (; from[n]; n++) if (n + 1 < size) to[n] = from[n];\n    \
         if (size) to[n < size ? n : size - 1] = 0;\n    return n;\n}\n",
    ),
    (
        "strlcat",
        "WEAK __SIZE_TYPE__ strlcat(char *to, const char *from, __SIZE_TYPE__ size) {\n    \
         __SIZE_TYPE__ start = 0, n = 0;\n    while (start < size && to[start]) start++;\n    \
         for (; from[n]; n++) if (start + n + 1 < size) to[start + n] = from[n];\n    \
         if (start < size) to[start + n < size ? start + n : size - 1] = 0;\n    return start + n;\n}\n",
    ),
];

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

//! What may keep a test from failing as it should.

use super::Writer;
use super::literal::literal;
use interp::{ByteId, InputKind, ObjectKind};
use ir::{CheckKind, ExprKind, LocalId};

impl Writer<'_> {
    /// Checks that a compiled program does not make by itself.
    pub(super) fn check(&mut self) {
        let sanitizer = match self.violation.kind {
            CheckKind::Assertion | CheckKind::ErrorCall => return,
            CheckKind::Memory | CheckKind::Leak => "address",
            CheckKind::Cleanup => {
                let what = "run it under valgrind --leak-check=full --show-leak-kinds=all: a program does not \
                            check this by itself";
                self.doubts.insert(what.to_owned());
                return;
            }
            CheckKind::Overflow | CheckKind::Div | CheckKind::Shift | CheckKind::Unreachable => "undefined",
        };
        self.doubts.insert(format!(
            "compile with -fsanitize={sanitizer} -fno-sanitize-recover=all: a program does not check this by itself"
        ));
    }

    /// The parameters of `main` come from the command line.
    pub(super) fn main_arguments(&mut self, arguments: &[Option<u128>]) {
        let function = self.program.function(self.entry);
        let used = |wanted: usize| {
            let mut found = false;
            for e in function.cfa().iter().flat_map(|cfa| cfa.edges()).flat_map(|edge| edge.op.exprs()) {
                e.walk(&mut |e| found |= e.kind == ExprKind::Local(LocalId(wanted as u32)));
            }
            found
        };
        if let Some(Some(argc)) = arguments.first().filter(|_| used(0)) {
            self.doubts.insert(match *argc as u32 as i32 {
                argc @ 1.. => format!("run it with {} arguments", argc - 1),
                argc => format!("main is run with argc = {argc}, which a shell cannot do"),
            });
        }
        if (1..arguments.len()).any(used) {
            self.doubts.insert("what argv points to cannot be set".to_owned());
        }
    }

    /// Values that C code beside the program has no way to set.
    pub(super) fn unsettable(&mut self) {
        let outside = self.violation.counterexample.heap.len();
        for input in &self.violation.run.inputs {
            let request = &input.request;
            let function = request.function.map(|id| self.program.function(id));
            let place = crate::place::at(self.program, request.pos);
            match &request.kind {
                InputKind::Uninit(local) => {
                    let local = local.and_then(|id| function?.locals.get(id.0 as usize));
                    let name = local.map_or("a variable", |local| &*local.name);
                    let function = function.map_or("", |f| &*f.name);
                    let value = literal(request.ty, input.value);
                    self.doubts.insert(format!(
                        "'{name}' in '{function}' is used without a value; the violation needs {value}{place}"
                    ));
                }
                InputKind::Asm => {
                    self.doubts.insert(format!("the result of inline assembly cannot be set{place}"));
                }
                InputKind::Memory { before: Some(before), .. } if *before == input.value => {}
                InputKind::Changed { before, .. } if *before == input.value => {}
                InputKind::Memory { object: Some(byte), .. } if byte.changes > 0 => {
                    self.doubts.insert(format!("a function without a body changes what is read{place}"));
                }
                InputKind::Changed { global, .. } => {
                    let name = &self.program.global(*global).name;
                    self.doubts.insert(format!("a function without a body changes '{name}'{place}"));
                }
                InputKind::Memory { object: Some(ByteId { kind: ObjectKind::Heap, nth, .. }), .. }
                    if (*nth as usize) < outside => {}
                InputKind::Memory { .. } => {
                    self.doubts.insert(format!("memory is read that was never written{place}"));
                }
                _ => {}
            }
        }
    }
}

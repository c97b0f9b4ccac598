//! Layouts against the system's gcc: random records, compared by `_Static_assert`s that our checker writes
//! and gcc reads. Ignored by default, since not every machine has a gcc for both targets.

use super::accept;
use crate::types::TypeKind;
use ir::Target;
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

fn record(random: &mut Random, id: u64) -> String {
    let mut text = format!("{} r{id} {{\n", random.pick(&["struct", "struct", "struct", "union"]));
    for field in 0..1 + random.below(7) {
        let attribute =
            random.pick(&["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(8)))"]);
        let ty =
            random.pick(&["char", "short", "int", "unsigned", "long", "long long", "unsigned long long"]);
        let line = match random.below(8) {
            0 => format!("{ty} : 0;"),
            1 => format!("{ty} : {};", 1 + random.below(8)),
            2..=4 => format!("{ty} f{field} : {}{attribute};", 1 + random.below(8)),
            5 if id > 0 => format!("__typeof__(v{}) f{field};", random.below(id)),
            6 => format!(
                "{} f{field}{attribute};",
                random.pick(&["double", "long double", "void *", "_Bool", "float"])
            ),
            _ => format!("{ty} f{field}{}{attribute};", random.pick(&["", "[3]", "[2][2]"])),
        };
        writeln!(text, "  {line}").unwrap();
    }
    let attribute =
        random.pick(&["", "", " __attribute__((packed))", " __attribute__((packed, aligned(4)))"]);
    writeln!(text, "}}{attribute} v{id};").unwrap();
    text
}

fn compare(target: Target, flag: &str, seed: u64) {
    let mut random = Random(seed);
    let mut source = String::new();
    for id in 0..200 {
        source.push_str(&record(&mut random, id));
    }
    let unit = accept(&source, target);
    for (index, global) in unit.globals.iter().enumerate() {
        let TypeKind::Record(id) = unit.types.kind(global.ty.ty) else { continue };
        let layout = unit.types.record(*id).layout.as_ref().unwrap();
        let (size, align) = (layout.size, layout.align);
        writeln!(
            source,
            "_Static_assert(sizeof v{index} == {size} && _Alignof(v{index}) == {align}, \"v{index}\");"
        )
        .unwrap();
        for field in layout.fields.iter().filter(|f| f.bits.is_none()) {
            let (name, offset) = (&field.name, field.offset);
            writeln!(
                source,
                "_Static_assert(__builtin_offsetof(__typeof__(v{index}), {name}) == {offset}, \"v{index}.{name}\");"
            )
            .unwrap();
        }
    }
    let mut gcc = Command::new("gcc")
        .args([flag, "-w", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test needs gcc");
    gcc.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = gcc.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn layouts_are_those_of_gcc() {
    for seed in 1..20 {
        compare(Target::LP64, "-m64", seed * 7919);
        compare(Target::ILP32, "-m32", seed * 7919);
    }
}

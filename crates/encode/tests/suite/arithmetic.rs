//! Random C on integers of all widths, with comparisons before what they bound: where the encoding leaves out
//! wrapping since a path excludes it, and where it simplifies what may be the same address, the interpreter
//! must see the same.

use crate::random::blocks_agree;
use crate::support::cases;
use encode::IntMode;
use std::fmt::Write;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const TYPES: [&str; 8] =
    ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"];
const VARIABLES: [&str; 6] = ["a", "b", "c", "t", "m[0]", "m[i & 1]"];
const CONSTANTS: [&str; 12] =
    ["0", "1", "2", "-1", "10", "100", "127", "255", "32767", "65536", "2147483647", "-2147483647"];

fn operand(dice: &mut Dice) -> &'static str {
    if dice.below(3) == 0 { dice.of(&CONSTANTS) } else { dice.of(&VARIABLES) }
}

fn expression(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        return operand(dice).to_owned();
    }
    let (x, y) = (expression(dice, depth - 1), expression(dice, depth - 1));
    match dice.below(12) {
        0..4 => format!("({x} + {y})"),
        4..6 => format!("({x} - {y})"),
        6 => format!("({x} * {y})"),
        7 => format!("({x} {} {})", dice.of(&["/", "%"]), dice.of(&["3", "10", "16", "-7"])),
        8 => format!("({x} {} {y})", dice.of(&["&", "|", "^"])),
        9 => format!("({x} {} {})", dice.of(&["<<", ">>"]), dice.of(&["1", "3", "7"])),
        10 => format!("{}({x})", dice.of(&["-", "~"])),
        _ => format!("({})({x})", dice.of(&TYPES)),
    }
}

fn condition(dice: &mut Dice) -> String {
    let comparison = |dice: &mut Dice| {
        let depth = dice.below(4) as u32 / 3;
        format!(
            "{} {} {}",
            expression(dice, depth),
            dice.of(&["<", "<=", ">", ">=", "==", "!="]),
            operand(dice)
        )
    };
    match dice.below(4) {
        0 => format!("{} && {}", comparison(dice), comparison(dice)),
        1 => format!("{} || {}", comparison(dice), comparison(dice)),
        _ => comparison(dice),
    }
}

fn statement(dice: &mut Dice, depth: u32, out: &mut String) {
    match dice.below(if depth == 0 { 3 } else { 6 }) {
        0..3 => {
            let depth = 1 + dice.below(2) as u32;
            let _ = writeln!(out, "{} = {};", dice.of(&VARIABLES), expression(dice, depth));
        }
        3 | 4 => {
            let _ = writeln!(out, "if ({}) {{", condition(dice));
            (0..1 + dice.below(2)).for_each(|_| statement(dice, depth - 1, out));
            out.push_str("} else {\n");
            (0..dice.below(2)).for_each(|_| statement(dice, depth - 1, out));
            out.push_str("}\n");
        }
        _ => {
            let _ = writeln!(
                out,
                "for (i = 0; i < {} && {}; i++) {{",
                dice.of(&["3", "a", "t"]),
                condition(dice)
            );
            out.push_str("if (i > 5) break;\n");
            (0..1 + dice.below(2)).for_each(|_| statement(dice, 0, out));
            out.push_str("}\n");
        }
    }
}

fn function(dice: &mut Dice) -> String {
    let [ret, a, b, c, t, m, i] = [(); 7].map(|()| dice.of(&TYPES));
    let mut text = format!("{m} m[2];\n{ret} f({a} a, {b} b, {c} c) {{\n{t} t = a; {i} i = 0;\n");
    (0..3 + dice.below(4)).for_each(|_| statement(dice, 2, &mut text));
    let _ = writeln!(text, "return {};\n}}", expression(dice, 1));
    text
}

#[test]
fn bounds_of_paths_hold() {
    let count = cases(400).cases;
    let mut compared = 0;
    for seed in 0..u64::from(count) {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        dice.below(2);
        let text = function(&mut dice);
        let output = cfront::compile_text("t.c", &text, &cfront::Options::default());
        let program = output.program.unwrap_or_else(|| panic!("{:?}\n{text}", output.diagnostics));
        for _ in 0..6 {
            let special =
                [0, 1, 2, 5, u64::MAX, 127, 128, 255, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, 1 << 63];
            let args: Vec<u128> = (0..3).map(|_| u128::from(dice.of(&special))).collect();
            let types = program.function(ir::FuncId(0)).param_types();
            let args: Vec<u128> =
                types.zip(args).map(|(ty, a)| a & interp::eval::type_mask(&program.target, ty)).collect();
            for mode in [IntMode::Bv, IntMode::Wrap] {
                compared += u32::from(blocks_agree(&program, &args, mode));
            }
        }
    }
    assert!(compared > 6 * count, "only {compared} comparisons of {count} programs");
}

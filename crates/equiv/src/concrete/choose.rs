//! Choosing values: small ones mostly, the borders of types, and what the two programs themselves compare
//! with.
//!
//! Every choice is a function of a seed and of what is asked, so the same question gets the same answer in
//! both versions whatever was asked before it.

use super::input::{Base, Pointer, Value};
use ir::{CallGraph, Callee, ExprKind, FloatType, FuncId, IntType, Op, Program, Type};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers for one question.
#[derive(Clone, Debug)]
pub struct Random(base::random::Random);

impl Random {
    /// A generator for one question: the seed, and everything that tells the question from others.
    pub fn for_question(seed: u64, parts: &[u64]) -> Random {
        let mut random = base::random::Random(seed ^ 0x5851_f42d_4c95_7f2d);
        for part in parts {
            random.0 = random.number() ^ part.wrapping_mul(0x2545_f491_4f6c_dd1d);
        }
        random.number();
        Random(random)
    }

    pub fn bits(&mut self) -> u64 {
        self.0.number()
    }

    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { self.0.below(limit) }
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.bits() % 100 < percent
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

pub fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// Numbers at which sums and products leave 32 bits, and counts that make loops long enough for that.
const BORDERS: [i128; 12] =
    [255, 256, 46_340, 46_341, 65_535, 65_536, 65_537, 100_000, 1_000_000, 127, 128, 1000];

/// Constants that occur in the code both versions can reach.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    pub ints: Vec<i128>,
    pub floats: Vec<f64>,
    /// Single characters that bytes are compared with.
    pub bytes: Vec<u8>,
    /// Functions that both programs have and whose address may be wanted; empty if nothing is called through
    /// pointers.
    pub functions: Vec<Arc<str>>,
    /// Does any of the code compute with floats?
    pub computes_floats: bool,
}

impl Constants {
    pub fn harvest(sides: [(&Program, FuncId); 2]) -> Constants {
        let (mut ints, mut bytes) = (BTreeSet::new(), BTreeSet::new());
        let mut floats: BTreeSet<u64> = BTreeSet::new();
        let (mut indirect, mut computes_floats) = (false, false);
        let mut names: Vec<BTreeSet<Arc<str>>> = Vec::new();
        for (program, root) in sides {
            if root.0 as usize >= program.functions.len() {
                return Constants::default();
            }
            let graph = CallGraph::of(program);
            for id in graph.reachable(&[root]) {
                let Some(cfa) = program.function(id).cfa() else { continue };
                for edge in cfa.edges() {
                    indirect |= matches!(&edge.op, Op::Call { callee: Callee::Indirect(_), .. });
                    for e in edge.op.exprs() {
                        e.walk(&mut |e| computes_floats |= e.ty.is_float());
                        e.walk(&mut |e| match (&e.kind, e.ty) {
                            (ExprKind::Const(bits), Type::Int(int)) => {
                                ints.insert(int.value(*bits));
                                if *bits != 0 && *bits < 256 {
                                    bytes.insert(*bits as u8);
                                }
                            }
                            (ExprKind::Const(bits), Type::Float(f)) => {
                                let bits = interp::float::convert(f, FloatType::F64, *bits);
                                floats.insert(bits as u64);
                            }
                            _ => {}
                        });
                    }
                }
            }
            names.push(graph.address_taken().iter().map(|f| program.function(*f).name.clone()).collect());
        }
        let functions = match (indirect, &names[..]) {
            (true, [old, new]) => old.intersection(new).cloned().collect(),
            _ => Vec::new(),
        };
        let floats = floats.into_iter().map(f64::from_bits).collect();
        let (ints, bytes) = (ints.into_iter().collect(), bytes.into_iter().collect());
        Constants { ints, floats, bytes, functions, computes_floats }
    }
}

/// What kind of values an input prefers, so that different seeds explore different corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood {
    Small,
    Mixed,
    Constants,
    Borders,
    Wild,
}

fn mood(seed: u64) -> Mood {
    const MOODS: [Mood; 8] = [
        Mood::Small,
        Mood::Mixed,
        Mood::Small,
        Mood::Constants,
        Mood::Mixed,
        Mood::Borders,
        Mood::Constants,
        Mood::Wild,
    ];
    MOODS[Random::for_question(seed, &[77]).below(MOODS.len())]
}

/// A value of type `ty`. `objects` is how many objects the caller has.
pub fn value(constants: &Constants, seed: u64, random: &mut Random, ty: Type, objects: usize) -> Value {
    let mood = mood(seed);
    match ty {
        Type::Bool => Value::Bits(u128::from(random.bits() & 1)),
        Type::Int(int) if int.bits == 8 => Value::Bits(int.wrap(i128::from(byte(constants, mood, random)))),
        Type::Int(int) => Value::Bits(int.wrap(number(constants, mood, random, int))),
        Type::Float(f) => {
            let number = float(constants, mood, random);
            Value::Bits(interp::float::convert(FloatType::F64, f, u128::from(number.to_bits())))
        }
        Type::Ptr => pointer(constants, random, objects),
    }
}

fn byte(constants: &Constants, mood: Mood, random: &mut Random) -> i8 {
    let known = |random: &mut Random| random.pick(&constants.bytes).copied().unwrap_or(b'a') as i8;
    match (mood, random.below(20)) {
        (Mood::Wild, 0..=12) => random.bits() as i8,
        (_, 0..=4) => 0,
        (Mood::Constants, 5..=14) | (_, 5..=9) => known(random),
        (_, 10..=12) => known(random).wrapping_add(random.below(3) as i8 - 1),
        (_, 13..=15) => b"abcABxyz"[random.below(8)] as i8,
        (_, 16) => b"0123456789"[random.below(10)] as i8,
        (_, 17) => b" \t\n-+.,\"/"[random.below(9)] as i8,
        (_, 18) => random.below(6) as i8,
        _ => random.bits() as i8,
    }
}

fn number(constants: &Constants, mood: Mood, random: &mut Random, int: IntType) -> i128 {
    let small = |random: &mut Random| random.below(16) as i128 - 4;
    let known = |random: &mut Random| {
        random.pick(&constants.ints).copied().unwrap_or(0).wrapping_add(random.below(3) as i128 - 1)
    };
    match (mood, random.below(20)) {
        (Mood::Small, 0..=17) => random.below(12) as i128 - 3,
        (Mood::Constants, 0..=13) => known(random),
        (Mood::Borders, 0..=4) => BORDERS[random.below(BORDERS.len())],
        (Mood::Borders, 5..=9) => border(random, int),
        (Mood::Wild, 0..=12) => (u128::from(random.bits()) << 64 | u128::from(random.bits())) as i128,
        (_, 0..=9) => small(random),
        (_, 10..=13) => known(random),
        (_, 14) => BORDERS[random.below(BORDERS.len())],
        (_, 15) => border(random, int),
        (_, 16) => {
            1i128.wrapping_shl(random.bits() as u32 % u32::from(int.bits)).wrapping_add(small(random) % 2)
        }
        (_, 17 | 18) => i128::from(random.bits() % 1000),
        _ => (u128::from(random.bits()) << 64 | u128::from(random.bits())) as i128,
    }
}

fn border(random: &mut Random, int: IntType) -> i128 {
    let near = random.below(3) as i128;
    if random.chance(50) {
        (int.max_bits() as i128).wrapping_sub(near)
    } else {
        (int.min_bits() as i128).wrapping_add(near)
    }
}

fn float(constants: &Constants, mood: Mood, random: &mut Random) -> f64 {
    const SPECIAL: [f64; 16] = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::EPSILON,
        1e-310,
        2_147_483_647.0,
        2_147_483_648.0,
        4_294_967_296.0,
        1e10,
        0.1,
        16_777_217.0,
    ];
    let eighths = (random.bits() % 2001) as f64 / 8.0 - 125.0;
    match (mood, random.below(16)) {
        (Mood::Small, 0..=11) => (random.below(24) as f64 - 8.0) / 2.0,
        (Mood::Constants, 0..=8) | (_, 0..=1) => {
            let known = random.pick(&constants.floats).copied().unwrap_or(1.0);
            match random.below(4) {
                0 => known,
                1 => known + 1.0,
                2 => known - 0.5,
                _ => -known,
            }
        }
        (Mood::Borders, 2..=9) | (_, 2 | 3) => SPECIAL[random.below(SPECIAL.len())],
        (Mood::Wild, 4..=10) | (_, 4) => f64::from_bits(random.bits()),
        (_, 5..=9) => eighths.trunc(),
        _ => eighths,
    }
}

/// An argument of a program, without its end: a number often.
pub fn text(constants: &Constants, random: &mut Random) -> Vec<u8> {
    match random.below(10) {
        0..=4 => (random.below(30) as i64 - 5).to_string().into_bytes(),
        5 | 6 => {
            let known = random.pick(&constants.ints).copied().unwrap_or(0);
            known.wrapping_add(random.below(3) as i128 - 1).to_string().into_bytes()
        }
        _ => {
            let len = random.below(8);
            let bytes = (0..len).map(|_| byte(constants, Mood::Constants, random) as u8);
            bytes.filter(|b| *b != 0).collect()
        }
    }
}

fn pointer(constants: &Constants, random: &mut Random, objects: usize) -> Value {
    if !constants.functions.is_empty() && random.chance(30) {
        let name = random.pick(&constants.functions).cloned().unwrap_or_else(|| "".into());
        return Value::Pointer(Pointer { base: Base::Function(name), offset: 0 });
    }
    if objects == 0 || random.chance(35) {
        return Value::NULL;
    }
    let index = random.below(objects);
    let offset = if random.chance(85) { 0 } else { 16 * (1 + random.below(3)) as i64 };
    Value::object(index, offset)
}

//! Memory that was never written, copied around: with inputs that depend on the address only, it behaves as
//! memory that was full of those bytes from the start. And calls that an `Inputs` answers by itself.

use crate::common::program;
use base::Budget;
use interp::{Cell, InputKind, InputRequest, Inputs, Interp, Options, Outcome};
use ir::{FuncId, Type};
use proptest::prelude::*;

const SIZE: u64 = 40;

/// The initial byte at an address.
fn initial(address: u64) -> u8 {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8
}

struct ByAddress;

impl Inputs for ByAddress {
    fn next(&mut self, request: &InputRequest) -> Option<u128> {
        let InputKind::Memory { address, .. } = request.kind else { return None };
        let len = if let Type::Int(int) = request.ty { u64::from(int.bits / 8) } else { return None };
        Some((0..len).fold(0, |bits, i| bits | u128::from(initial(address + i)) << (8 * i)))
    }
}

#[derive(Clone, Debug)]
enum Step {
    Copy { to: u64, from: u64, len: u64 },
    Store { at: u64, byte: u8 },
    Add { at: u64, len: u64 },
}

/// Offsets from 0 to SIZE are in the first object, those above in the second.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..SIZE * 2, 0..SIZE * 2, 0..20u64).prop_map(|(to, from, len)| Step::Copy { to, from, len }),
        (0..SIZE * 2, any::<u8>()).prop_map(|(at, byte)| Step::Store { at, byte }),
        (0..SIZE * 2, prop::sample::select(vec![1, 2, 4, 8])).prop_map(|(at, len)| Step::Add { at, len }),
    ];
    prop::collection::vec(step, 1..25)
}

fn place(at: u64) -> String {
    format!("{} + {}i64", if at < SIZE { "p" } else { "q" }, at % SIZE)
}

/// How much of `len` bytes from here stays in the object.
fn room(at: u64, len: u64) -> u64 {
    len.min(SIZE - at % SIZE)
}

proptest! {
    #[test]
    fn copies_of_unwritten_memory_are_the_original(steps in steps()) {
        let mut edges = String::new();
        let mut bytes: Vec<u8> = Vec::new();
        let mut sum = 0u64;
        let nothing = program("func main() {\n  nodes 2 entry 0 exit 1\n  0 -> 1: return\n}\n");
        let options = Options { heap: vec![SIZE, SIZE], record_inputs: false, ..Options::new(FuncId(0)) };
        let [p, q] = {
            let interp = Interp::new(&nothing, options.clone()).unwrap();
            [interp.heap_address(0).unwrap(), interp.heap_address(1).unwrap()]
        };
        let address = |at: u64| if at < SIZE { p + at } else { q + at - SIZE };
        bytes.extend((0..SIZE * 2).map(|at| initial(address(at))));
        for (i, step) in steps.iter().enumerate() {
            let op = match *step {
                Step::Copy { to, from, len } => {
                    let len = room(to, room(from, len));
                    let moved = bytes[from as usize..(from + len) as usize].to_vec();
                    bytes[to as usize..(to + len) as usize].copy_from_slice(&moved);
                    format!("copy {}, {}, {len}u64", place(to), place(from))
                }
                Step::Store { at, byte } => {
                    bytes[at as usize] = byte;
                    format!("u8[{}] = {byte}u8", place(at))
                }
                Step::Add { at, len } => {
                    let at = if room(at, len) < len { at - (len - room(at, len)) } else { at };
                    let read = &bytes[at as usize..(at + len) as usize];
                    let value = read.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
                    sum = sum.wrapping_mul(31).wrapping_add(value);
                    format!("s = (s * 31u64) + u64(u{}[{}])", len * 8, place(at))
                }
            };
            edges += &format!("  {i} -> {}: {op}\n", i + 1);
        }
        let n = steps.len();
        let text = format!(
            "func main(p: ptr, q: ptr, s: u64) -> u64 {{\n  nodes {} entry 0 exit {}\n{edges}  {n} -> {}: return s\n}}\n",
            n + 2, n + 1, n + 1
        );
        let program = program(&text);
        let mut interp = Interp::new(&program, options).unwrap();
        let run = interp.call(FuncId(0), &[p.into(), q.into(), 0], &mut ByAddress, &Budget::unlimited());
        prop_assert_eq!(&run.outcome, &Outcome::Returned(Some(sum.into())), "{}", text);
        prop_assert!(run.inputs.is_empty());
        for (base, expected) in [p, q].into_iter().zip(bytes.chunks(SIZE as usize)) {
            let cells = interp.cells(base, SIZE).unwrap();
            let found: Vec<u8> = cells.iter().map(|cell| match cell {
                Cell::Byte(byte) => *byte,
                Cell::Unwritten { origin } => initial(*origin),
            }).collect();
            prop_assert_eq!(&found[..], expected);
            let touched = interp.touched(base) as usize;
            for (i, cell) in cells.iter().enumerate().skip(touched) {
                prop_assert_eq!(*cell, Cell::Unwritten { origin: base + i as u64 });
            }
        }
    }
}

struct Known;

impl Inputs for Known {
    fn next(&mut self, _: &InputRequest) -> Option<u128> {
        Some(5)
    }

    fn calling(&mut self, function: FuncId, args: &[(Type, u128)]) -> Option<u128> {
        (function == FuncId(1)).then(|| args[0].1 * 10)
    }
}

#[test]
fn known_calls_are_not_recorded() {
    let text = "func main() -> i32 {\n  local x: i32\n  local y: i32\n  nodes 4 entry 0 exit 3\n  0 -> 1: x = call f(3i32)\n  \
                1 -> 2: y = call g(4i32)\n  2 -> 3: return x + y\n}\nfunc f(n: i32) -> i32 extern\nfunc g(n: i32) -> i32 extern\n";
    let program = program(text);
    let options = Options { record_calls: true, ..Options::new(FuncId(0)) };
    let mut interp = Interp::new(&program, options).unwrap();
    let run = interp.run(&mut Known, &Budget::unlimited());
    assert_eq!(run.outcome, Outcome::Returned(Some(35)));
    assert_eq!(run.calls.iter().map(|call| call.function).collect::<Vec<_>>(), [FuncId(2)]);
    assert_eq!((run.inputs.len(), run.assumed), (1, vec![FuncId(2)]));
}

//! Recorded values: in the order that `Run::values` promises, and without an influence on the run.

use crate::common::program;
use base::Budget;
use interp::{Interp, Options, Outcome, Run, ZeroInputs};
use ir::{FuncId, Program};
use proptest::prelude::*;

fn run(program: &Program, entry: FuncId, values: bool) -> Run {
    let options = Options {
        max_steps: 20_000,
        max_memory: 1 << 24,
        max_depth: 500,
        record_trace: true,
        record_values: values,
        ..Options::new(entry)
    };
    let mut interp = Interp::new(program, options).expect("small programs");
    interp.run(&mut ZeroInputs, &Budget::unlimited())
}

const PROGRAM: &str = r#"
global a: memory 8 align 4 "int [2]" = {0: b"\x01\x00\x00\x00\x07\x00\x00\x00"}

func twice(n: i32 "int") -> i32 "int (int)" {
  nodes 2 entry 0 exit 1
  0 -> 1: return n * 2i32
}

func main() -> i32 "int (void)" {
  local x: i32 "int"
  temp .t1: i32
  nodes 6 entry 0 exit 4
  0 -> 1: x = input "nondet_int"
  1 -> 2: assume x == 0i32
  1 -> 5: assume not x == 0i32
  2 -> 3: .t1 = call twice(i32[&@a + (i64(x + 1i32) * 4i64)])
  3 -> 4: return .t1
  5 -> 4: return 3i32
}
"#;

/// The value of each expression after the addresses that it loads from; a callee's before its caller's
/// variable.
#[test]
fn in_order() {
    let program = program(PROGRAM);
    let main = program.find_function("main").expect("main");
    let array = Interp::new(&program, Options::new(main)).expect("small").global_address(ir::GlobalId(0));
    let run = run(&program, main, true);
    assert_eq!(run.outcome, Outcome::Returned(Some(14)));
    let element = u128::from(array.expect("an array")) + 4;
    // The input; the condition; where the argument is, the argument; in the callee: its result; what the
    // caller got; its result.
    assert_eq!(run.values, [0, 1, element, 7, 14, 14, 14]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_else_changes(choices in prop::collection::vec(any::<u32>(), 0..400)) {
        let program = ir::testing::program_from(&choices);
        for id in program.function_ids() {
            let (plain, recorded) = (run(&program, id, false), run(&program, id, true));
            let limit = |o: &Outcome| matches!(o, Outcome::OutOfMemory | Outcome::StackOverflow | Outcome::Stopped(_));
            if limit(&plain.outcome) || limit(&recorded.outcome) {
                continue;
            }
            prop_assert!(plain.values.is_empty());
            match (&plain.outcome, &recorded.outcome) {
                // Of several faults in one operation another one may come first.
                (Outcome::Undefined(_), Outcome::Undefined(_)) => {}
                (a, b) => prop_assert_eq!(a, b),
            }
            prop_assert_eq!(&plain.stdout, &recorded.stdout);
        }
    }
}

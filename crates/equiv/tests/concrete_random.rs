//! Random programs: whatever they do, a program does not differ from itself, nor from a copy in which
//! everything has another number.

use base::Budget;
use equiv::concrete::{Effort, Options, Pair, SearchResult, Watch, search};
use ir::testing::program_from;
use ir::{FuncId, Global, Init, Pos, Program, Storage};
use proptest::prelude::*;

fn searched(old: &Program, new: &Program, id: FuncId) -> SearchResult {
    let effort =
        Effort { inputs: 60, steps: 500, deep_steps: 2_000, deep_total: 20_000, ..Effort::default() };
    let pair = Pair { old, new, old_fn: id, new_fn: id };
    search(pair, &|_| true, None, &Watch::default(), &effort, &Options::default(), &Budget::unlimited())
}

/// The same with more globals behind the others: heap and stack objects get other addresses.
fn moved(program: &Program) -> Program {
    let mut moved = program.clone();
    for i in 0..3 {
        moved.globals_mut().push(Global {
            name: format!("more{i}").into(),
            storage: Storage::Memory { size: 100 * i + 1, align: 4 },
            init: Some(Init::default()),
            constant: false,
            external: true,
            c_type: "char".into(),
            pos: Pos::default(),
        });
    }
    moved
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn nothing_differs_from_itself(choices in prop::collection::vec(any::<u32>(), 0..400)) {
        let program = program_from(&choices);
        for id in program.function_ids() {
            let found = searched(&program, &program, id);
            prop_assert!(found.difference.is_none(), "{}\n{:?}", ir::print(&program), found.difference);
            let found = searched(&program, &moved(&program), id);
            prop_assert!(found.difference.is_none(), "{}\n{:?}", ir::print(&program), found.difference);
        }
    }
}

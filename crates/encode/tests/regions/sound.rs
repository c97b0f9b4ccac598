//! Programs that run, with regions watched.

use crate::machine::{Machine, Stop};
use crate::random::Choices;
use crate::support;
use encode::Regions;
use encode::regions::Options;
use ir::{FuncId, GlobalId, Program, Storage, Type};
use proptest::prelude::*;
use std::path::Path;

/// The programs that test the front end, from `main`.
#[test]
fn c_programs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cfront/tests/semantics");
    let mut files: Vec<_> =
        std::fs::read_dir(dir).expect("programs").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let mut failures = Vec::new();
    let mut accesses = 0;
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let result = cfront::with_stack(move || {
            let output = cfront::compile(&[file], &cfront::Options::default());
            output.program.map_or(Ok(0), |program| run_main(&program, 0))
        });
        match result.expect("no panic") {
            Ok(count) => accesses += count,
            Err(message) => failures.push(format!("{name}: {message}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(accesses > 10_000, "{accesses}");
}

/// Runs `main` with the regions of the whole program; the answer is the number of accesses.
fn run_main(program: &Program, seed: u64) -> Result<u64, String> {
    let Some(main) = program.find_function("main") else { return Ok(0) };
    let options = Options { assume_types: false };
    let regions = Regions::analyse_with(&[program], &[vec![main]], &options);
    let mut machine = Machine::new(program, 0, &regions, seed);
    // Unknown functions know all globals.
    for (i, global) in program.globals.iter().enumerate() {
        if let (Storage::Memory { .. }, false) = (global.storage, global.constant) {
            let address = machine.global(GlobalId(i as u32));
            machine.reveal(address);
        }
    }
    finish(machine, main, &[])
}

/// Calls a function as unknown code may: with addresses of any place of its own memory and of globals.
fn run_from_outside(program: &Program, function: FuncId, seed: u64) -> Result<u64, String> {
    let options = Options { assume_types: false };
    let regions = Regions::analyse_with(&[program], &[vec![function]], &options);
    let mut machine = Machine::new(program, 0, &regions, seed);
    let mut places: Vec<u64> = Vec::new();
    for _ in 0..2 {
        let object = machine.allocate(96);
        places.extend((0..10).map(|i| object + 8 * i));
    }
    for (i, global) in program.globals.iter().enumerate() {
        if let (Storage::Memory { size, .. }, false) = (global.storage, global.constant) {
            let address = machine.global(GlobalId(i as u32));
            places.extend((0..size / 8).map(|i| address + 8 * i));
        }
    }
    // Pointers lie where pointers may lie, and point anywhere.
    for place in places.clone() {
        let to = places[machine.rng.below(places.len())];
        machine.write_pointer(place, to);
    }
    for (i, global) in program.globals.iter().enumerate() {
        if let (Storage::Register(Type::Ptr), false) = (global.storage, global.constant) {
            let to = places[machine.rng.below(places.len())];
            machine.set_register(GlobalId(i as u32), to.into());
        }
    }
    let text = program.function(function);
    let args: Vec<(Type, u128)> =
        text.param_types().map(|ty| (ty, places[machine.rng.below(places.len())].into())).collect();
    machine.seen = places;
    finish(machine, function, &args)
}

fn finish(mut machine: Machine, function: FuncId, args: &[(Type, u128)]) -> Result<u64, String> {
    match machine.call(function, args) {
        Err(Stop::Wrong(message)) => Err(message),
        _ => Ok(machine.accesses),
    }
}

fn check(choices: &[u8], seed: u64) -> Result<u64, TestCaseError> {
    let text = Choices::new(choices).program();
    let program = support::compile(&text);
    let f0 = program.find_function("f0").expect("f0");
    let runs = [run_main(&program, seed), run_from_outside(&program, f0, seed)];
    let mut accesses = 0;
    for run in runs {
        accesses += run.map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
    }
    Ok(accesses)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Any program has an answer, always the same.
    #[test]
    fn all_forms(program in ir::testing::program()) {
        let roots = vec![program.function_ids().take(2).collect::<Vec<_>>()];
        let regions = Regions::analyse(&[&program], &roots);
        prop_assert_eq!(&regions, &Regions::analyse(&[&program], &roots));
        for id in program.function_ids() {
            for (address, _) in support::accesses(&program, id) {
                let region = regions.of(0, id, address);
                prop_assert!(regions.list.get(region.0 as usize).is_some());
            }
        }
    }

    #[test]
    fn random_programs(choices in prop::collection::vec(any::<u8>(), 0..120), seed in any::<u64>()) {
        check(&choices, seed)?;
    }
}

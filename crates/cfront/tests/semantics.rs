//! What C programs do: every program in `tests/semantics` is compiled by gcc and by us, and must print the
//! same and exit with the same code. The programs have no undefined behaviour (but for signed overflow in
//! `wrap.c`, hence `-fwrapv`), so a run of ours assumes nothing, and the inputs it asks for (as the bits next
//! to a bit-field in fresh memory) have no effect. Without gcc the test fails: nothing would be compared.

use base::Budget;
use interp::{Inputs, Interp, Outcome, RandomInputs, ZeroInputs};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that use what the front end does not support, and what it must say about them.
const UNSUPPORTED: &[(&str, &str)] = &[("computed_goto.c", "the address of a label")];

/// What can be seen from outside.
#[derive(PartialEq, Eq, Debug)]
struct Behaviour {
    stdout: String,
    exit: u8,
}

#[test]
fn programs_behave_as_with_gcc() {
    let gcc = find_gcc();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics");
    let entries = std::fs::read_dir(&dir).expect("the directory of programs");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    programs.sort();
    assert!(programs.len() >= 50);
    let failures: Vec<String> = programs.iter().filter_map(|program| check(&gcc, program).err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} programs:\n{}",
        failures.len(),
        programs.len(),
        failures.join("\n")
    );
}

fn check(gcc: &Path, program: &Path) -> Result<(), String> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let expected = with_gcc(gcc, program).map_err(|e| format!("{name}: gcc: {e}"))?;
    let program = program.to_path_buf();
    let found = cfront::with_stack(move || with_us(&program)).map_err(|_| format!("{name}: panic"))?;
    if let Some((_, reason)) = UNSUPPORTED.iter().find(|(program, _)| *program == name) {
        return match found {
            Err(e) if e == *reason => Ok(()),
            _ => Err(format!("{name}: should be unsupported: {reason}")),
        };
    }
    let found = found.map_err(|e| format!("{name}: {e}"))?;
    if found == expected {
        return Ok(());
    }
    let mut lines = expected.stdout.lines().zip(found.stdout.lines()).enumerate();
    Err(match lines.find(|(_, (e, f))| e != f) {
        Some((i, (e, f))) => format!("{name}: line {} of the output:\n  gcc: {e}\n  us:  {f}", i + 1),
        None if expected.stdout != found.stdout => format!("{name}: the output has another length"),
        None => format!("{name}: exit code {} instead of {}", found.exit, expected.exit),
    })
}

fn with_gcc(gcc: &Path, program: &Path) -> Result<Behaviour, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let exe = dir.path().join("program");
    let mut command = Command::new(gcc);
    command.args(["-O0", "-fwrapv", "-w", "-o"]).arg(&exe).arg(program).arg("-lm");
    let built = command.output().map_err(|e| e.to_string())?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let run = Command::new(&exe).output().map_err(|e| e.to_string())?;
    let exit = run.status.code().ok_or("killed by a signal")? as u8;
    Ok(Behaviour { stdout: String::from_utf8_lossy(&run.stdout).into_owned(), exit })
}

fn with_us(path: &Path) -> Result<Behaviour, String> {
    let output = cfront::compile(&[path.to_path_buf()], &cfront::Options::default());
    let Some(program) = output.program else {
        return Err(output.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "));
    };
    if let Err(violations) = ir::verify(&program) {
        return Err(format!("not well-formed: {violations:?}"));
    }
    let zeros = run(&program, &mut ZeroInputs)?;
    if run(&program, &mut RandomInputs::new(1))? != zeros {
        return Err("inputs have an effect".to_string());
    }
    Ok(zeros)
}

fn run(program: &ir::Program, inputs: &mut dyn Inputs) -> Result<Behaviour, String> {
    let mut options = interp::Options::main(program).ok_or("no main")?;
    options.max_steps = 100_000_000;
    let mut interp = Interp::new(program, options).map_err(|e| e.to_string())?;
    let run = interp.run(inputs, &Budget::unlimited());
    let exit = match run.outcome {
        Outcome::Returned(Some(bits)) => bits as u8,
        Outcome::Exited(code) => code as u8,
        Outcome::Unsupported { reason, .. } => return Err(reason.to_string()),
        other => return Err(format!("{other:?}")),
    };
    if let Some(&function) = run.assumed.first() {
        return Err(format!("assumed something about {}", program.function(function).name));
    }
    Ok(Behaviour { stdout: String::from_utf8_lossy(&run.stdout).into_owned(), exit })
}

fn find_gcc() -> PathBuf {
    let gcc = PathBuf::from(std::env::var_os("CC").unwrap_or("gcc".into()));
    let machine = Command::new(&gcc).arg("-dumpmachine").output().ok();
    let fits = machine.is_some_and(|out| out.status.success() && out.stdout.starts_with(b"x86_64"));
    assert!(fits, "this test needs gcc for x86-64, and {} (set by CC) is none", gcc.display());
    gcc
}

//! Decides a file, for development.
use engine::{Bounds, Engine, Quiet, Settings, Task, Unwind};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut target = ir::Target::ILP32;
    let mut unwind = Unwind::Auto { most: None };
    let mut timeout = 30.0;
    let mut files = Vec::new();
    let mut folder = None;
    let mut audit = false;
    let mut slice = true;
    let mut explain = false;
    for arg in args {
        if arg == "lp64" {
            target = ir::Target::LP64;
        } else if let Some(k) = arg.strip_prefix("k=") {
            unwind = Unwind::Fixed(Bounds::new(k.parse().unwrap_or(1)));
        } else if let Some(k) = arg.strip_prefix("t=") {
            timeout = k.parse().unwrap_or(30.0);
        } else if let Some(dir) = arg.strip_prefix("s=") {
            folder = Some(std::path::PathBuf::from(dir));
        } else if arg == "noslice" {
            slice = false;
        } else if arg == "audit" {
            audit = true;
        } else if arg == "explain" {
            explain = true;
        } else {
            files.push(arg);
        }
    }
    let result = cfront::with_stack(move || {
        let store = folder.and_then(|dir| store::Store::open(&dir, store::Options::default()).ok());
        for file in files {
            let options = cfront::Options { target, ..Default::default() };
            let compiled = cfront::compile(&[std::path::PathBuf::from(&file)], &options);
            let Some(program) = compiled.program else {
                println!("{file}: does not compile");
                continue;
            };
            let Some(entry) = program.find_function("main") else { continue };
            let start = Instant::now();
            let budget = base::Budget {
                deadline: Some(start + Duration::from_secs_f64(timeout)),
                ..base::Budget::unlimited()
            };
            let settings = Settings { unwind: unwind.clone(), audit, slice, ..Settings::default() };
            let task = Task {
                program: &program,
                base: None,
                entry,
                label: if store.is_some() { "program" } else { &file },
                settings: &settings,
                store: store.as_ref(),
                budget: &budget,
                progress: &Quiet,
            };
            let answer = bmc::Bmc.verify(&task);
            let verdict = match &answer.verdict {
                engine::Verdict::Safe => "SAFE".to_owned(),
                engine::Verdict::Unsafe(_) => "UNSAFE".to_owned(),
                engine::Verdict::Unknown(reason) => format!("UNKNOWN ({reason})"),
            };
            let figures: Vec<String> =
                answer.figures.iter().map(|f| format!("{}={:.3}", f.name, f.value)).collect();
            if explain {
                for d in &answer.decisions {
                    println!("  {} {}: {}", d.outcome, d.about, d.reason);
                }
            }
            println!("{verdict}\t{:.2}\t{file}\t{}", start.elapsed().as_secs_f64(), figures.join(" "));
        }
    });
    if result.is_err() {
        println!("crashed");
    }
}

//! Operations per second on small hot loops: `cargo run --release -p interp --example speed`.

use base::Budget;
use interp::{Interp, Options, ZeroInputs};
use std::time::Instant;

/// `for (i = 0; i < N; i++) s += i ^ (s << 1);`
const REGISTERS: &str = r#"target lp64
func main() -> i32 {
  local i: i32
  local s: i32
  nodes 6 entry 0 exit 5
  0 -> 1: i = 0i32
  1 -> 2: s = 0i32
  2 -> 3: assume i < 20000000i32
  2 -> 4: assume not i < 20000000i32
  3 -> 5: return 0i32
  4 -> 5: return s
}
"#;

/// A sieve over an array in memory, ten times.
const MEMORY: &str = r#"target lp64
global sieve: memory 4000000 align 4 = {}
func main() -> i32 {
  local r: i32
  local i: i32
  local j: i32
  local n: i32
  nodes 16 entry 0 exit 15
  0 -> 1: r = 0i32
  1 -> 2: assume r < 10i32
  1 -> 14: assume not r < 10i32
  2 -> 3: i = 2i32
  3 -> 4: fill &@sieve, 0u8, 4000000u64
  4 -> 5: assume i < 1000000i32
  4 -> 12: assume not i < 1000000i32
  5 -> 6: assume i32[&@sieve + (i64(i) * 4i64)] == 0i32
  5 -> 11: assume not i32[&@sieve + (i64(i) * 4i64)] == 0i32
  6 -> 7: n = n + 1i32
  7 -> 8: j = i + i
  8 -> 9: assume j < 1000000i32
  8 -> 11: assume not j < 1000000i32
  9 -> 10: i32[&@sieve + (i64(j) * 4i64)] = 1i32
  10 -> 8: j = j + i
  11 -> 4: i = i + 1i32
  12 -> 13: r = r + 1i32
  13 -> 1: skip
  14 -> 15: return n
}
"#;

const CALLS: &str = r#"target lp64
func fib(n: i32) -> i32 {
  temp a: i32
  temp b: i32
  nodes 6 entry 0 exit 5
  0 -> 1: assume n < 2i32
  0 -> 2: assume not n < 2i32
  1 -> 5: return n
  2 -> 3: a = call fib(n - 1i32)
  3 -> 4: b = call fib(n - 2i32)
  4 -> 5: return a + b
}
func main() -> i32 {
  local r: i32
  nodes 3 entry 0 exit 2
  0 -> 1: r = call fib(34i32)
  1 -> 2: return r
}
"#;

fn main() {
    let registers = REGISTERS.replace("nodes 6", "nodes 8").replace(
        "3 -> 5: return 0i32",
        "3 -> 6: s = s + (i ^ (s << 1i32))\n  6 -> 7: i = i + 1i32\n  7 -> 2: skip",
    );
    for (name, text) in [("registers", &registers[..]), ("memory", MEMORY), ("calls", CALLS)] {
        for target in ["lp64", "ilp32"] {
            let text = match target {
                "ilp32" => text.replace("lp64", "ilp32").replace("i64", "i32").replace("u64", "u32"),
                _ => text.to_owned(),
            };
            match measure(&text) {
                Ok(line) => println!("{name:10} {target:6} {line}"),
                Err(error) => println!("{name:10} {target:6} {error}"),
            }
        }
    }
}

fn measure(text: &str) -> Result<String, String> {
    let program = ir::parse(text).map_err(|e| e.to_string())?;
    ir::verify(&program).map_err(|list| format!("{list:?}"))?;
    let options = Options::main(&program).ok_or("no main")?;
    let mut interp = Interp::new(&program, options).map_err(|e| e.to_string())?;
    let start = Instant::now();
    let run = interp.run(&mut ZeroInputs, &Budget::unlimited());
    let seconds = start.elapsed().as_secs_f64();
    let rate = run.steps as f64 / seconds / 1e6;
    Ok(format!("{:?}: {} edges in {seconds:.2} s, {rate:.0} million a second", run.outcome, run.steps))
}

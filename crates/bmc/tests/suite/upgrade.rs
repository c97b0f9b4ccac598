//! Histories of one program whose functions lean on each other: what the upgrade check says of each version
//! is what is true of it.
//!
//! Every function has several bodies, right and wrong ones, that mean the same, more or less; a step of a
//! history exchanges one or two. The assertions hold for reasons that lie a few calls below, so that
//! summaries are not trivial and fall for real.

use crate::support::{Ask, ask, audit_fault, decided, with_stack, word};
use engine::{Scenario, System};
use ir::{Program, Target};
use std::collections::BTreeMap;
use store::Store;
use testing::Random;
use testing::observe::observe;
use testing::with_prelude as compile;

/// Functions and their bodies.
const FUNCTIONS: [(&str, &[&str]); 8] = [
    (
        "int larger(int x, int y)",
        &[
            "return x > y ? x : y;",
            "if (x >= y) return x; return y;",
            "int d = x - y; return d > 0 ? x : y;",
            "return y < x ? x : y + 0;",
            "return x;",
            "int t[2] = { x, y }; return t[x < y];",
            "calls++; return x > y ? x : y;",
        ],
    ),
    (
        "int clamp(int x)",
        &[
            "if (x < 0) return 0; if (x > 100) return 100; return x;",
            "return x < 0 ? 0 : x > 100 ? 100 : x;",
            "return x & 63;",
            "return x > 100 ? 100 : x;",
            "return 50;",
            "if (x < 0 || x > 100) return (unsigned)x % 101; return x;",
            "return larger(0, x > 100 ? 100 : x);",
            "int y = outside(x); __VERIFIER_assume(y >= 0 && y <= 100); return y;",
        ],
    ),
    (
        "int step(int x)",
        &[
            "return larger(clamp(x), 10);",
            "int y = clamp(x); return y < 10 ? 10 : y;",
            "return clamp(x) + 1;",
            "return larger(10, clamp(x));",
            "if (x == 12345) exit(0); return larger(clamp(x), limit);",
            "return larger(clamp(x), 10) - 10;",
        ],
    ),
    (
        "void add(int *to, int x)",
        &[
            "*to += clamp(x);",
            "int old = *to; *to = old + step(x);",
            "*to = larger(*to, clamp(x));",
            "if (x > 3) *to += 7; else *to += clamp(x);",
            "*to += clamp(x); last = to;",
            "int *kept = malloc(4); *kept = clamp(x); *to += *kept; free(kept);",
            "struct pair p = { step(x), *to }; *to = p.a + p.b;",
        ],
    ),
    (
        "int sum(int n)",
        &[
            "int s = 0; for (int i = 0; i < 3; i++) add(&s, n + i); return s;",
            "int s = 0; for (int i = 0; i < 2; i++) add(&s, n - i); return s;",
            "int s = 0; add(&s, n); add(&s, step(n)); return s;",
            "int s = 0, t = 0; add(n & 1 ? &s : &t, n); return s + t;",
            "if ((n & 3) == 0) return clamp(n); return sum((n & 3) - 1) + 1;",
            "int s[3] = { 1, 2, 3 }; add(&s[(unsigned)n % 3], n); return s[0] + s[1] + s[2];",
            "int s = 0; for (int i = 0; i < (n & 3); i++) add(&s, i); return s;",
        ],
    ),
    ("void note(void)", &["calls++;", "calls = calls + 1;", "if (calls < 100) calls++;", "calls += 2;", ";"]),
    ("int pick(int x)", &[
        "int (*f)(int) = x & 1 ? step : clamp; return f(x);",
        "int (*f)(int) = x & 1 ? clamp : clamp; note(); return f(x);",
        "static int (*const table[2])(int) = { clamp, step }; return table[x & 1](x);",
        "return x & 1 ? step(x) : clamp(x);",
    ]),
    (
        "int main(void)",
        &[
            "int x = __VERIFIER_nondet_int(); int r = sum(x); note(); __VERIFIER_assert(r >= 0 && r <= 303);",
            "int x = __VERIFIER_nondet_int(); int r = sum(x); note(); note(); __VERIFIER_assert(r >= 0 && r <= 400 && calls <= 20);",
            "int x = __VERIFIER_nondet_int(); note(); int r = step(x); __VERIFIER_assert(r >= 1 && r <= 101); __VERIFIER_assert(sum(r) >= 0);",
            "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); __VERIFIER_assert(larger(x, y) >= x && larger(x, y) >= y);
             int r = pick(y); __VERIFIER_assert(r >= 0 && r < 102);",
            "int x = __VERIFIER_nondet_int(), a = 5, b = 6; add(x & 1 ? &a : &b, x); __VERIFIER_assert(a >= 5 && b >= 6);
             __VERIFIER_assert(a == 5 || b == 6); add(&a, 200); __VERIFIER_assert(a <= 5 + 202);",
        ],
    ),
];

const GLOBALS: [&[&str]; 2] = [
    &["int calls;", "unsigned calls;", "int calls = 3;", "short calls;"],
    &["int limit = 10;", "const int limit = 10;", "char limit = 11;"],
];

/// Which body each function has, and in which order they come.
#[derive(Clone, Debug)]
struct Version {
    bodies: [usize; 8],
    globals: [usize; 2],
    order: usize,
}

impl Version {
    fn print(&self) -> String {
        let mut text = "struct pair { int a, b; }; int *last; extern int outside(int);\n".to_owned();
        for (list, k) in GLOBALS.iter().zip(self.globals) {
            text.push_str(list[k]);
            text.push('\n');
        }
        for (head, _) in FUNCTIONS {
            text.push_str(&format!("{head};\n"));
        }
        for i in 0..FUNCTIONS.len() {
            let at = (i * 3 + self.order) % FUNCTIONS.len();
            let (head, bodies) = FUNCTIONS[at];
            text.push_str(&format!("{head} {{ {} }}\n", bodies[self.bodies[at]]));
        }
        text
    }

    fn next(&self, random: &mut Random) -> Version {
        let mut new = self.clone();
        for _ in 0..1 + random.below(2) {
            match random.below(10) {
                8 => {
                    let k = random.below(GLOBALS.len());
                    new.globals[k] = random.below(GLOBALS[k].len());
                }
                9 => new.order = random.below(8),
                at => new.bodies[at] = random.below(FUNCTIONS[at].1.len()),
            }
        }
        new
    }
}

fn question<'a>(seed: u64) -> Ask<'a> {
    let mut ask = if seed.is_multiple_of(2) { Ask::bound(4) } else { Ask::up_to(4) };
    ask.settings.bmc.system = if seed.is_multiple_of(3) { System::McMillan } else { System::Pudlak };
    ask.settings.bmc.scenario = if seed.is_multiple_of(5) { Scenario::Lazy } else { Scenario::Eager };
    ask.seconds = 10.0;
    ask
}

/// What is wrong with the answers about these versions, if anything is.
fn complaint(history: &[Version], seed: u64, tally: &mut BTreeMap<String, u32>) -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let store = Store::open(folder.path(), store::Options::default()).ok()?;
    let plain = question(seed);
    let target = if seed % 4 < 2 { Target::LP64 } else { Target::ILP32 };
    let mut old: Option<Program> = None;
    for (i, version) in history.iter().enumerate() {
        let text = version.print();
        let program = match compile(&text, target, &[]) {
            Ok(program) => program,
            Err(what) => return Some(format!("{what}\n{text}")),
        };
        let seen = observe(&program, 60);
        let scratch = ask(&program, &plain);
        let mut upgrade = plain.clone().store(&store).audited();
        upgrade.base = old.as_ref().filter(|_| seed.is_multiple_of(7));
        let answer = ask(&program, &upgrade);
        for what in answer.decisions.iter().map(|d| d.outcome.to_string()).chain([word(&answer)]) {
            *tally.entry(what).or_default() += 1;
        }
        let because = |what: String| {
            let why: Vec<String> = answer
                .decisions
                .iter()
                .map(|d| format!("  {} {}: {}\n", d.outcome, d.about, d.reason))
                .collect();
            Some(format!("version {i}: {what}\n{}{text}", why.concat()))
        };
        if let Some(fault) = audit_fault(&answer) {
            return because(fault);
        }
        if [&scratch, &answer].iter().any(|a| word(a) == "safe") && (seen.fails || seen.undefined) {
            return because(format!(
                "from scratch {}, upgraded {}, but {seen:?}",
                word(&scratch),
                word(&answer)
            ));
        }
        if decided(&scratch) && decided(&answer) && word(&scratch) != word(&answer) {
            return because(format!("from scratch {}, upgraded {}", word(&scratch), word(&answer)));
        }
        old = Some(program);
    }
    None
}

fn histories(seeds: std::ops::Range<u64>, length: usize, demand: &[&str]) {
    with_stack(|| {
        let mut wrong = Vec::new();
        let mut tally = BTreeMap::new();
        for seed in seeds {
            let mut random = Random(seed ^ 0x5eed);
            let first = Version { bodies: [0; 8], globals: [0; 2], order: 0 };
            let mut history = vec![Version { bodies: [0, 0, 0, 0, 0, 0, 0, random.below(5)], ..first }];
            while history.len() < length {
                history.push(history[history.len() - 1].next(&mut random));
            }
            if complaint(&history, seed, &mut tally).is_none() {
                continue;
            }
            // The last step, or as many as it takes.
            let mut shorter = history.clone();
            let mut k = 0;
            while k < shorter.len() {
                let mut fewer = shorter.clone();
                fewer.remove(k);
                if complaint(&fewer, seed, &mut BTreeMap::new()).is_some() { shorter = fewer } else { k += 1 }
            }
            let what = complaint(&shorter, seed, &mut BTreeMap::new()).unwrap_or_default();
            let first = shorter.first().map(Version::print).unwrap_or_default();
            let report = format!("seed {seed}, {} versions: {what}\nfrom\n{first}", shorter.len());
            println!("{report}");
            wrong.push(report);
        }
        println!("{tally:?}");
        assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n====\n"));
        assert!(demand.iter().all(|kind| tally.contains_key(*kind)), "{tally:?}");
    });
}

#[test]
fn a_few_histories() {
    histories(0..8, 5, &["safe", "unsafe", "new", "reused", "rechecked", "rejected", "rebuilt"]);
}

#[test]
#[ignore = "long"]
fn long_histories() {
    let start = std::env::var("REPROVE_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    histories(start..start + 300, 10, &["safe", "unsafe"]);
}

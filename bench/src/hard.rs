//! Programs that take longer, and more memory, than anybody has: for measuring how limits are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What `factors.c` and the like begin with.
const HEAD: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern unsigned long __VERIFIER_nondet_ulong(void);\n\
                    extern void __VERIFIER_error(void);\n";

/// By name: the program, and a second version that nobody can compare with it in time.
const PROGRAMS: [(&str, &str, &str); 5] = [
    // Arithmetic: one question that a solver does not answer.
    (
        "factors",
        "unsigned long f(unsigned long a, unsigned long b) { return a * b; }\n\
         int main(void) { unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n\
         if (a > 1 && b > 1 && a < 4294967296ul && b < 4294967296ul && f(a, b) == 4611686018427387847ul)\n\
         __VERIFIER_error(); return 0; }\n",
        "return a * b;|return (a >> 32) * b * 4294967296ul + (a & 4294967295ul) * b;",
    ),
    // A loop that no bound suffices for, and whose invariant nobody finds.
    (
        "collatz",
        "int main(void) { unsigned long n = __VERIFIER_nondet_uint(), steps = 0;\n\
         if (n == 0) return 0;\n\
         while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; if (steps * n == 77777) __VERIFIER_error(); }\n\
         return (int)steps; }\n",
        "3 * n + 1|n + n + n + 1",
    ),
    // Memory at unknown places: formulas grow fast.
    (
        "scatter",
        "unsigned table[4096];\n\
         int main(void) { for (unsigned i = 0; i < 4096; i++) {\n\
         unsigned at = __VERIFIER_nondet_uint() % 4096; table[at] = table[(at * 7) % 4096] * 3 + i;\n\
         if (table[at] == 123456789u) __VERIFIER_error(); } return 0; }\n",
        "* 3 + i|+ table[(at * 7) % 4096] * 2 + i",
    ),
    // Many paths through many rounds.
    (
        "mixing",
        "int main(void) { unsigned h = 17, n = __VERIFIER_nondet_uint();\n\
         for (unsigned i = 0; i < n; i++) { unsigned c = __VERIFIER_nondet_uint();\n\
         h = (h ^ c) * 16777619u; if (c & 1) h += c * c; else h -= c >> 3; h = (h << 13) | (h >> 19);\n\
         if (h == 0xdeadbeefu && i > 40) __VERIFIER_error(); } return 0; }\n",
        "(h << 13)|(h * 8192u)",
    ),
    // It just runs.
    (
        "forever",
        "int main(void) { volatile unsigned long i = 0; for (;;) i = i * 3 + 1; return 0; }\n",
        "i * 3 + 1|i + i + i + 1",
    ),
];

/// The files of hard programs in a folder.
pub struct Hard {
    /// Old and new versions.
    pub pairs: Vec<(String, PathBuf, PathBuf)>,
    /// A compiler that says nothing for a minute.
    pub slow_cc: PathBuf,
}

pub fn write(folder: &Path) -> io::Result<Hard> {
    let mut pairs = Vec::new();
    for (name, text, change) in PROGRAMS {
        let (from, to) = change.split_once('|').unwrap_or((change, change));
        let [old, new] = ["old", "new"].map(|version| folder.join(format!("{name}-{version}.c")));
        fs::write(&old, format!("{HEAD}{text}"))?;
        fs::write(&new, format!("{HEAD}{}", text.replace(from, to)))?;
        pairs.push((name.to_owned(), old, new));
    }
    let [old, new] = ["old", "new"].map(|version| folder.join(format!("large-{version}.c")));
    fs::write(&old, large(1))?;
    fs::write(&new, large(2))?;
    pairs.push(("large".to_owned(), old, new));
    let slow_cc = folder.join("slow-cc");
    fs::write(&slow_cc, "exec sleep 60\n")?;
    Ok(Hard { pairs, slow_cc })
}

/// Reading it takes a while.
fn large(version: u32) -> String {
    let mut text = HEAD.to_owned();
    const FUNCTIONS: usize = 12_000;
    for i in 0..FUNCTIONS {
        let callee = if i > 0 { format!("f{}(x / 2)", i - 1) } else { "x".to_owned() };
        text += &format!(
            "unsigned f{i}(unsigned x) {{ unsigned s = {version}; for (unsigned i = 0; i < x; i++) {{\n\
             if (i % 3 == {}) s += i * x; else s ^= i << 2; }}\n\
             switch (x & 3) {{ case 0: s += 1; break; case 1: s *= 3; break; default: s -= x; }}\n\
             return x > 10 ? {callee} + s : s; }}\n",
            i % 3
        );
    }
    text + &format!(
        "int main(void) {{ if (f{}(__VERIFIER_nondet_uint()) == 42) __VERIFIER_error(); return 0; }}\n",
        FUNCTIONS - 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both versions can be read, and are different.
    #[test]
    fn versions_differ() {
        for (name, text, change) in PROGRAMS {
            let (from, to) = change.split_once('|').unwrap();
            assert!(text.contains(from), "{name}");
            let changed = text.replace(from, to);
            for text in [text, &changed] {
                let text = format!("{HEAD}{text}");
                let output = cfront::compile_text("hard.i", &text, &cfront::Options::default());
                assert!(output.program.is_some(), "{name}");
            }
        }
    }
}

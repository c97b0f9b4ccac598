//! Pairs of versions, from the benchmark sets and of our own, and what the answer about each should be.

pub mod own;

use std::fs;
use std::path::{Path, PathBuf};

/// Two versions and the answer that is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub name: String,
    pub old: PathBuf,
    pub new: PathBuf,
    pub expected: Expected,
    /// Where the expectation is not what the set's label says: why.
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Equivalent,
    Different,
    /// Equivalent for mathematical integers; overflow may make a difference, which counts if it is found.
    UnlessOverflow,
}

impl Expected {
    pub fn name(self) -> &'static str {
        match self {
            Expected::Equivalent => "equivalent",
            Expected::Different => "different",
            Expected::UnlessOverflow => "equivalent, or overflow",
        }
    }

    pub fn allows(self, equivalent: bool) -> bool {
        match self {
            Expected::Equivalent => equivalent,
            Expected::Different => !equivalent,
            Expected::UnlessOverflow => true,
        }
    }
}

/// Labels that are wrong, by set and pair: what is right, and why.
const WRONG_LABELS: &[(&str, &str, Expected, &str)] = &[
    (
        "llreve",
        "loop/scale/loop",
        Expected::Different,
        "the files are a family by the number of loops, not versions: f(1) is 1 with one loop and 2 with two",
    ),
    (
        "llreve",
        "argon2/fill_memory_blocks",
        Expected::Different,
        "labelled by its folder; the new version does not wait for its threads, and goes on where the old one exits",
    ),
    (
        "llreve",
        "bitvect/shift_bit",
        Expected::Different,
        "labelled by its folder; the new version divides by x & -x, which is 0 for 0",
    ),
    (
        "llreve",
        "float/average",
        Expected::Different,
        "labelled by its folder; a sum of rounded quotients is not the quotient of the sum",
    ),
    ("eqbench", "CLEVER/fib/Eq", Expected::Different, "labelled wrongly, as the set's index says"),
    ("eqbench", "CLEVER/is_prime2/Eq", Expected::Different, "labelled wrongly, as the set's index says"),
];

/// Pairs that are left out, by set: the beginning of the name, and why.
const LEFT_OUT: &[(&str, &str, &str)] = &[("eqbench", "caldat/", "computes with floats")];

/// The folders of llreve that hold the programs of the paper's Table 1.
const PAPER: [&str; 5] = ["rec", "loop", "heap", "faulty", "notyetworking"];

/// All pairs of llreve.
pub fn llreve(data: &Path) -> Result<Vec<Pair>, String> {
    let root = data.join("equiv/llreve");
    let mut pairs = Vec::new();
    for row in rows(&root.join("VERDICTS.tsv"))? {
        let [dir, pair, expected, ..] = row.as_slice() else { continue };
        let name = format!("{dir}/{pair}");
        let file = |n: u32| root.join(dir).join(format!("{pair}_{n}.c"));
        let expected = match expected.as_str() {
            "NOT_EQUIVALENT" => Expected::Different,
            _ => Expected::Equivalent,
        };
        pairs.push(relabelled("llreve", Pair { name, old: file(1), new: file(2), expected, note: None }));
    }
    Ok(pairs)
}

/// The pairs of llreve that the paper measures, as far as the set has them.
pub fn paper(data: &Path) -> Result<Vec<Pair>, String> {
    let folder = |pair: &Pair| pair.name.rsplit_once('/').map(|(dir, _)| dir.to_owned());
    let mut pairs = llreve(data)?;
    pairs.retain(|pair| folder(pair).is_some_and(|dir| PAPER.contains(&dir.as_str())));
    Ok(pairs)
}

/// Is it one of llreve's pairs about machine integers?
pub fn needs_machine_integers(pair: &Pair) -> bool {
    pair.name.starts_with("bitvect/")
}

/// The pairs of EqBench, and what is left out.
pub fn eqbench(data: &Path) -> Result<(Vec<Pair>, Vec<String>), String> {
    let root = data.join("equiv/eqbench");
    let (mut pairs, mut out) = (Vec::new(), Vec::new());
    for row in rows(&root.join("PAIRS.tsv"))? {
        let [name, expected, old, new, ..] = row.as_slice() else { continue };
        let left_out = |(set, start, _): &&(&str, &str, &str)| *set == "eqbench" && name.starts_with(start);
        if let Some((_, _, why)) = LEFT_OUT.iter().find(left_out) {
            out.push(format!("{name}: {why}"));
            continue;
        }
        let expected = if expected == "Eq" { Expected::Equivalent } else { Expected::Different };
        let folder = root.join("benchmarks").join(name);
        let (old, new) = (folder.join(old), folder.join(new));
        pairs.push(relabelled("eqbench", Pair { name: name.clone(), old, new, expected, note: None }));
    }
    Ok((pairs, out))
}

/// The faulty versions of the Siemens programs, each against the original.
pub fn siemens(data: &Path) -> Result<Vec<Pair>, String> {
    let root = data.join("equiv/siemens");
    let mut pairs = Vec::new();
    for program in folders(&root)? {
        let file = |version: &str| root.join(&program).join(version).join(format!("{program}.c"));
        let mut versions = folders(&root.join(&program))?;
        versions.retain(|v| v != "source");
        versions.sort_by_key(|v| v.trim_start_matches('v').parse::<u32>().unwrap_or(u32::MAX));
        for version in versions {
            pairs.push(Pair {
                name: format!("{program}/{version}"),
                old: file("source"),
                new: file(&version),
                expected: Expected::Different,
                note: None,
            });
        }
    }
    Ok(pairs)
}

fn relabelled(set: &str, mut pair: Pair) -> Pair {
    if let Some((_, _, expected, why)) =
        WRONG_LABELS.iter().find(|(s, name, _, _)| *s == set && *name == pair.name)
    {
        pair.expected = *expected;
        pair.note = Some((*why).to_owned());
    }
    pair
}

/// The rows of a table with a header line.
fn rows(path: &Path) -> Result<Vec<Vec<String>>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

fn folders(path: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

//! The picture of the crates in ARCHITECTURE.md is what `cargo metadata` says: who depends on whom, in an order
//! in which dependencies come first, and no dependency that nothing uses. `REPROVE_BLESS=1` writes the picture.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const BEGIN: &str = "```crates\n";
const END: &str = "```\n";

struct Crate {
    folder: PathBuf,
    /// Of the workspace, for the crate itself and not for its tests.
    uses: BTreeSet<String>,
    /// The names under which all dependencies are used in the crate itself.
    names: Vec<String>,
    /// The library that it links, as its manifest calls it.
    links: Option<String>,
}

#[test]
fn the_picture_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = root.join("ARCHITECTURE.md");
    let text = fs::read_to_string(&page).unwrap();
    let crates = crates(&root);
    let order = listed(&text);
    let known: BTreeSet<&str> = order.iter().copied().collect();
    for name in crates.keys().filter(|name| *name != "bench") {
        assert!(known.contains(name.as_str()), "the crate {name} is not in the code map of ARCHITECTURE.md");
    }
    let picture: String =
        order.iter().filter_map(|name| Some(line(name, &crates, crates.get(*name)?))).collect();
    let begin = text.find(BEGIN).expect("ARCHITECTURE.md has a picture of the crates") + BEGIN.len();
    let end = begin + text[begin..].find(END).expect("the picture ends");
    if env::var_os("REPROVE_BLESS").is_some() {
        fs::write(&page, format!("{}{picture}{}", &text[..begin], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[begin..end], picture, "REPROVE_BLESS=1 writes the picture as it is");
    }
}

#[test]
fn dependencies_come_first() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let crates = crates(&root);
    let mut above = BTreeSet::new();
    for name in listed(&text) {
        let Some(found) = crates.get(name) else { continue };
        let below: Vec<&String> = found.uses.iter().filter(|used| !above.contains(used.as_str())).collect();
        assert!(below.is_empty(), "the code map has {name} before {below:?}, on which it depends");
        above.insert(name);
    }
}

#[test]
fn dependencies_are_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = crates(&root);
    for (name, found) in &crates {
        let mut code = String::new();
        read_all(&found.folder.join("src"), &mut code);
        // A build script hears of the library that a crate links only if its crate depends on that one itself.
        let build = fs::read_to_string(found.folder.join("build.rs")).unwrap_or_default();
        let linked = |used: &String| {
            let links = crates.get(used).and_then(|c| c.links.as_ref());
            links.is_some_and(|l| build.contains(&format!("DEP_{}_", l.to_uppercase())))
        };
        let unused = found.names.iter().filter(|used| !mentions(&code, used) && !linked(used));
        let unused: Vec<&String> = unused.collect();
        assert!(unused.is_empty(), "{name} depends on {unused:?}, which its sources do not mention");
    }
}

/// The crates of the code map, in its order.
fn listed(text: &str) -> Vec<&str> {
    let map =
        text.split("## Code map").nth(1).expect("a code map").split("\n### ").next().unwrap_or_default();
    map.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// A crate with what it depends on, without what follows from that.
fn line(name: &str, crates: &BTreeMap<String, Crate>, own: &Crate) -> String {
    let mut indirect = BTreeSet::new();
    let mut work: Vec<&String> =
        own.uses.iter().filter_map(|u| crates.get(u)).flat_map(|c| &c.uses).collect();
    while let Some(used) = work.pop() {
        if indirect.insert(used) {
            work.extend(crates.get(used).iter().flat_map(|c| &c.uses));
        }
    }
    let direct: Vec<&str> = own.uses.iter().filter(|u| !indirect.contains(u)).map(String::as_str).collect();
    format!("{name:<10} {}", direct.join(" ")).trim_end().to_owned() + "\n"
}

fn crates(root: &Path) -> BTreeMap<String, Crate> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let done = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let metadata: Value = serde_json::from_slice(&done.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let one = |package: &Value| {
        let own = |d: &&Value| d["kind"].is_null() && !d["optional"].as_bool().unwrap_or(false);
        let list: Vec<&Value> = package["dependencies"].as_array().unwrap().iter().filter(own).collect();
        let name = |d: &&Value| d["rename"].as_str().or(d["name"].as_str()).map(|n| n.replace('-', "_"));
        let uses = list.iter().filter_map(|d| d["name"].as_str()).filter(|n| ours.contains(n));
        let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap().to_owned();
        let uses = uses.map(str::to_owned).collect();
        let links = package["links"].as_str().map(|l| l.replace('-', "_"));
        let found = Crate { folder, uses, names: list.iter().filter_map(name).collect(), links };
        (package["name"].as_str().unwrap().to_owned(), found)
    };
    packages.iter().map(one).collect()
}

fn read_all(folder: &Path, code: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_all(&path, code);
        } else if path.extension().is_some_and(|e| e == "rs") {
            code.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// Is a path of this crate written somewhere, or an attribute of its macros?
fn mentions(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let after = &code[at + name.len()..];
        !before.is_some_and(inside)
            && (after.starts_with("::") || after.starts_with(" as ") || after.starts_with(';'))
    })
}

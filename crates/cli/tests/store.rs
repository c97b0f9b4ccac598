//! `reprove store` as a whole: what it prints, and how it exits.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use store::{Artefact, Id, Key, Options, Store};

fn reprove(folder: &Path, words: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reprove"));
    command.args(words.split_whitespace()).current_dir(folder).env_remove("REPROVE_STORE");
    run(&mut command)
}

fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Runs a command below `store`; all of `expected` is in what it prints (bad input: says on standard error).
fn check(folder: &Path, words: &str, code: i32, expected: &[&str]) -> String {
    let (found, out, err) = reprove(folder, &format!("store {words}"));
    let context = format!("store {words}\n{out}{err}");
    assert_eq!(found, Some(code), "{context}");
    let (text, other) = if code == 2 { (err, out) } else { (out, err) };
    assert_eq!(other, "", "{context}");
    for part in expected {
        assert!(text.contains(part), "no '{part}' in: {context}");
    }
    text
}

fn key(name: &str) -> Key {
    Key::of(&[name.as_bytes()])
}

/// Bytes that no compression makes shorter, so that they can be found in the file again.
const NOISE: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut i = 0;
    while i < 64 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (state >> 24) as u8;
        i += 1;
    }
    bytes
};

/// Two summaries, and the verdict that needs one of them.
fn fill(folder: &Path) {
    let store = Store::open(&folder.join(".reprove"), Options::default()).unwrap();
    let verdict = Artefact::new("verdict", key("main"), b"safe".to_vec()).label("ring.c");
    let all = [
        Artefact::new("summary", key("push"), NOISE.to_vec()).label("push"),
        Artefact::new("summary", key("pop"), vec![7; 1000]).label("pop"),
        verdict.link(Id::new("summary", key("push"))),
    ];
    store.put_all(&all).unwrap();
}

fn filled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path());
    folder
}

fn flip_payload(folder: &Path) {
    let path = folder.join(".reprove/store.db");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(NOISE.len()).position(|w| w == NOISE).unwrap();
    bytes[at + 20] ^= 4;
    fs::write(path, bytes).unwrap();
}

fn json(text: &str) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!((&value["version"], &value["command"]), (&1.into(), &"store".into()));
    value
}

#[test]
fn ls() {
    let folder = filled();
    let text = check(folder.path(), "ls", 0, &["3 artefacts; 3 payloads in "]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0].split_whitespace().collect::<Vec<_>>(),
        ["kind", "label", "key", "bytes", "stored", "used"]
    );
    let short = |name| key(name).to_string()[..12].to_string();
    assert!(lines[1].starts_with(&format!("summary  pop     {}  1000 ", short("pop"))), "{text}");
    assert!(lines[2].starts_with(&format!("summary  push    {}  64 ", short("push"))), "{text}");
    assert!(lines[3].starts_with(&format!("verdict  ring.c  {}  4 ", short("main"))), "{text}");
    assert!(lines[1].ends_with("just now"), "{text}");
    let text = check(folder.path(), "ls --kind summary --label push", 0, &["1 of 3 artefacts"]);
    assert_eq!(text.lines().count(), 4, "{text}");
    check(folder.path(), "ls --kind nothing", 0, &["0 of 3 artefacts"]);

    let document = json(&check(folder.path(), "ls --json --kind verdict", 0, &[]));
    let entry = &document["entries"][0];
    assert_eq!(entry["key"], key("main").to_string());
    assert_eq!(entry["links"][0]["key"], key("push").to_string());
    assert_eq!(document["statistics"]["entries"], 3);
    assert_eq!(document["damaged"], false);
}

#[test]
fn show() {
    let folder = filled();
    let (main, push) = (key("main").to_string(), key("push").to_string());
    let all = [format!("key       {main}"), format!("needs     summary {push}\n"), "4 bytes, ".to_string()];
    check(folder.path(), &format!("show {}", &main[..8]), 0, &all.each_ref().map(String::as_str));
    let document = json(&check(folder.path(), &format!("show {main} --json"), 0, &[]));
    assert_eq!(document["label"], "ring.c");
    let payload = check(folder.path(), &format!("show {main} --payload"), 0, &[]);
    assert_eq!(payload, "safe");
    check(folder.path(), "show 00zz", 2, &["no artefact has a key that begins with '00zz'"]);
    let store = Store::open(&folder.path().join(".reprove"), Options::default()).unwrap();
    store.put(&Artefact::new("other", key("main"), Vec::new())).unwrap();
    drop(store);
    check(
        folder.path(),
        &format!("show {main}"),
        2,
        &["2 artefacts have keys that begin with", "other ", "verdict "],
    );
}

#[test]
fn gc() {
    let folder = filled();
    check(folder.path(), "gc --older-than 1d", 0, &["removed 0 artefacts, kept 3"]);
    let dry = "gc --unreachable-from verdict --dry-run";
    check(folder.path(), dry, 0, &["would remove summary ", " pop\n", "would remove 1 artefacts, kept 2"]);
    check(folder.path(), "ls", 0, &["3 artefacts"]);
    check(folder.path(), "gc --unreachable-from verdict", 0, &["removed 1 artefacts, kept 2"]);
    check(folder.path(), "ls", 0, &["2 artefacts", "push", "ring.c"]);
    let document = json(&check(folder.path(), "gc --max-size 0 --json", 0, &[]));
    assert_eq!((&document["kept"], &document["removed"][1]["label"]), (&0.into(), &"push".into()));
    check(folder.path(), "ls", 0, &["0 artefacts; 0 payloads in 0 bytes"]);
    check(folder.path(), "gc --max-size lots", 2, &["a number of bytes, or of k, M or G"]);
    check(folder.path(), "gc --older-than 5", 2, &["a number of s, m, h, d or w"]);
}

#[test]
fn audit() {
    let folder = filled();
    check(folder.path(), "audit", 0, &["3 artefacts, all whole"]);
    flip_payload(folder.path());
    let expected = ["the payload fails its checksum", "links to summary ", "1 of 3 artefacts are whole"];
    check(folder.path(), "audit", 1, &expected);
    check(folder.path(), "audit", 1, &expected);
    let document = json(&check(folder.path(), "audit --json", 1, &[]));
    assert_eq!(
        (&document["whole"], &document["exit_code"], &document["fixed"]),
        (&1.into(), &1.into(), &false.into())
    );
    assert_eq!(document["findings"].as_array().unwrap().len(), 2);
    check(
        folder.path(),
        "audit --fix",
        0,
        &["fails its checksum", "repaired: 1 artefacts are left, all whole"],
    );
    check(folder.path(), "audit", 0, &["1 artefacts, all whole"]);
}

#[test]
fn audit_of_a_ruin() {
    let folder = filled();
    let path = folder.path().join(".reprove/store.db");
    fs::write(&path, "no database at all, but a text that somebody wrote where one was, as long as a header")
        .unwrap();
    check(folder.path(), "audit", 1, &["the database is damaged: ", "0 of 0 artefacts are whole"]);
    check(folder.path(), "ls", 2, &["error: the proof store", "is damaged", "`reprove store audit --fix`"]);
    check(folder.path(), "audit --fix", 0, &["could not be used at all", "repaired: 0 artefacts are left"]);
    check(folder.path(), "audit", 0, &["0 artefacts, all whole"]);
}

#[test]
fn which_store() {
    let folder = filled();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = folder.path().join(".reprove");
    for words in ["ls", "show 12", "gc", "audit", "audit --fix"] {
        check(
            elsewhere.path(),
            words,
            2,
            &["error: there is no proof store in .reprove; `reprove verify` makes one"],
        );
        let json = check(elsewhere.path(), &format!("{words} --store none"), 2, &["there is no proof store"]);
        assert!(!json.contains("panicked"));
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "looking makes no store");
    check(elsewhere.path(), &format!("ls --store {}", path.display()), 0, &["3 artefacts"]);
    check(elsewhere.path(), &format!("--store {} ls", path.display()), 0, &["3 artefacts"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_reprove"));
    command.args(["store", "ls"]).current_dir(elsewhere.path()).env("REPROVE_STORE", &path);
    let (code, out, err) = run(&mut command);
    assert!(code == Some(0) && out.contains("3 artefacts"), "{out}{err}");
    // SQLite would read an address from this name.
    let odd = elsewhere.path().join("file:odd?mode=memory");
    fs::rename(&path, &odd).unwrap();
    check(elsewhere.path(), "ls --store file:odd?mode=memory", 0, &["3 artefacts"]);
    check(elsewhere.path(), "gc --max-size 0 --store file:odd?mode=memory", 0, &["removed 3 artefacts"]);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    fs::write(elsewhere.path().join("file"), "").unwrap();
    check(
        elsewhere.path(),
        "ls --store file",
        2,
        &["the proof store file is not a folder; name another one"],
    );
    let (code, out, _) = reprove(elsewhere.path(), "store ls --json --store file");
    assert_eq!(code, Some(2));
    assert!(json(&out)["entries"].is_null());
}

//! Programs that were proved safe, by all that their executions depend on.
//!
//! Whatever the analysis would do: the same program, started in the same states, is as safe as it was.

use ir::fingerprint::{SEMANTICS_VERSION, run_print};
use ir::{FuncId, Program};
use store::{Artefact, Key, Store};

const KIND: &str = "predicate safe";
const VERSION: u32 = 3;

/// What a verdict about a (sliced) program depends on.
pub fn key(program: &Program, entry: FuncId) -> Key {
    let print = run_print(program, b"predicate", entry);
    let head = format!("{VERSION} {SEMANTICS_VERSION} {}", program.target.name);
    Key::of(&[head.as_bytes(), &print.0])
}

/// Was there a proof?
pub fn safe_before(store: &Store, key: &Key) -> bool {
    store.get(KIND, key).is_some()
}

/// The bytes that it took; what cannot be stored is proved again.
pub fn remember(store: &Store, key: Key, label: &str) -> u64 {
    let payload = b"safe".to_vec();
    let size = payload.len() as u64;
    match store.put(&Artefact::new(KIND, key, payload).label(label)) {
        Ok(()) => size,
        Err(_) => 0,
    }
}

//! The store from outside: as a map, under fire, and among other processes.

mod collect;
mod damage;
mod kill;
mod messages;
mod model;
mod together;

use std::path::Path;
use std::process::{Command, Stdio};
use store::{Artefact, Key, Options, Store};

/// A folder that goes away. In memory where the system has that: these tests wait for disks far longer than
/// they work.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn open(folder: &Path) -> Store {
    Store::open(folder, Options::default()).unwrap()
}

fn key(n: u64) -> Key {
    Key::of(&[&n.to_le_bytes()])
}

/// Bytes that a checker can make again from the number; compressible, and different for every number.
fn payload(n: u64) -> Vec<u8> {
    let length = (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as usize;
    let mut bytes = format!("payload {n} ").into_bytes();
    bytes.extend((0..length).map(|i| (n as usize + i / 7) as u8));
    bytes
}

fn artefact(kind: &str, n: u64) -> Artefact {
    Artefact::new(kind, key(n), payload(n)).label(format!("f{}", n % 10))
}

/// Numbers for tests: reproducible, no more random than they need to be.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }
}

/// This test binary again, as another process that plays the role.
fn process(role: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "as_child_process", "--nocapture"]);
    command.env(ROLE, role).env(FOLDER, folder).stdin(Stdio::null());
    command
}

const ROLE: &str = "STORE_TEST_ROLE";
const FOLDER: &str = "STORE_TEST_FOLDER";

#[test]
#[ignore = "run by other tests, as their child processes"]
fn as_child_process() {
    let (Ok(role), Some(folder)) = (std::env::var(ROLE), std::env::var_os(FOLDER)) else { return };
    let folder = Path::new(&folder);
    let (role, argument) = role.split_once(' ').unwrap_or((&role, ""));
    match role {
        "batches" => kill::write_batches(folder, argument.parse().unwrap()),
        "fill" => together::fill(folder, argument.parse().unwrap()),
        "repair" => damage::repair(folder),
        "open" => messages::open_and_tell(folder),
        _ => panic!("no such role: {role}"),
    }
}

//! Proofs that programs are safe: right ones are accepted, and no other.

#[path = "../../../slice/tests/support/c.rs"]
mod c;
mod contracts;
mod files;
#[path = "../../../bmc/tests/suite/make.rs"]
#[expect(dead_code, reason = "made for another crate's tests, which edit programs, too")]
mod make;
mod random;
mod support;
mod unwinding;

//! Proofs that programs are safe: right ones are accepted, and no other.

mod contracts;
mod files;
mod random;
mod support;
mod unwinding;

//! How memory is divided: for C programs, access by access, and for all programs, by running them.

mod machine;
mod partition;
mod random;
mod scale;
mod sound;
mod support;

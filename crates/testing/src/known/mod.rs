//! Random C programs whose failing runs are known, to test what engines miss.
//!
//! The one idea: a claim of safety is tested best on programs that are not safe. [`flow`] makes programs out
//! of loops, jumps, endless ways and early ends; the interpreter runs them on all short sequences of small
//! inputs ([`runs`]); of those that fail, it is known how often the run goes through each loop and how deep
//! it calls. Whoever claims such a program safe, or safe up to a bound within which the run stays, is wrong
//! ([`claims`]). [`leak`] makes programs that lose objects on the heap, [`memory`] programs about arrays,
//! pointers, structs and the heap, to be compared with another tool.

pub mod claims;
pub mod flow;
pub mod leak;
mod lines;
pub mod memory;
pub mod runs;

/// What the programs may use without declaring it.
pub const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
extern void abort(void);
extern void exit(int);
extern void *malloc(unsigned long);
extern void free(void *);
";

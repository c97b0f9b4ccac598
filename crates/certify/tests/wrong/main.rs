//! Wrong proofs of every kind, made by a generator: none is accepted for a program that fails.
//!
//! True proofs of small programs (`programs`, `made`) are changed in many ways (`edit`), and shown to the
//! checker for the program that they are about and for others that are known to fail, since the interpreter
//! has run them. The oracle (`judge`) is simple: what is accepted must be true. So
//! - of a program with a failing run nothing is accepted, whatever it is (`failing`, `random`, `weakened`);
//! - of a safe program nothing is accepted that says something that is false in a state that a run comes to
//!   (`reached`);
//! - of two versions with a known difference no proof is accepted, of two that are the same no difference
//!   (`comparisons`, `differences`);
//! - and the checker answers, with a [`certify::Flaw`], in its time and within its memory (`judge`, `large`).
//!
//! A change is a number. On failure the changes that are needed are printed, with the seed.

mod comparisons;
mod differences;
mod edit;
mod failing;
mod judge;
mod large;
mod made;
mod programs;
mod random;
mod reached;
mod versions;
mod weakened;

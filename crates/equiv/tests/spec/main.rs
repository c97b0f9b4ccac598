//! Conditions of the user: how they are read, what they mean, what is said about wrong ones.

mod annotations;
mod c;
mod terms;

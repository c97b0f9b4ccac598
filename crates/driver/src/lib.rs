//! The way of a verification: plan, reuse, run, confirm, keep.

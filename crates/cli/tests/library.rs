//! Verdicts about programs that use the C library, end in their own way, have inline assembly, or use CBMC's
//! primitives. A model that is missing makes a wrong SAFE, one that is too weak a wrong UNSAFE; each kind of
//! model has cases for both.

mod support;
use support::check;

#[test]
fn what_comes_in() {
    check(include_str!("library/input.txt"));
}

#[test]
fn files_that_are_open() {
    check(include_str!("library/files.txt"));
}

#[test]
fn what_goes_out() {
    check(include_str!("library/output.txt"));
}

#[test]
fn text_the_end_threads_and_signals() {
    check(include_str!("library/text-and-end.txt"));
}

#[test]
fn assembly_primitives_and_pointers_to_functions() {
    check(include_str!("library/primitives.txt"));
}

/// Why a program leaves what can be verified is part of the answer.
#[test]
fn refusals_have_reasons() {
    check(include_str!("library/refusals.txt"));
}

#[test]
fn names_of_the_library_with_other_types() {
    check(include_str!("library/foreign.txt"));
}

#[test]
fn who_sets_errno() {
    check(include_str!("library/errno.txt"));
}

#[test]
fn ranges_of_sorting_and_text() {
    check(include_str!("library/ranges.txt"));
}

#[test]
fn answers_that_are_left_open() {
    check(include_str!("library/choices.txt"));
}

#[test]
fn what_printing_reads() {
    check(include_str!("library/printed.txt"));
}

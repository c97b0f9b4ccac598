//! Verdicts about parts of the language whose meaning is easily missed. Each part has cases for a wrong SAFE
//! and for a wrong UNSAFE.

mod support;
use support::check;

#[test]
fn left_shifts_of_signed_values() {
    check(include_str!("language/shift.txt"));
}

#[test]
fn functions_with_names_of_inputs() {
    check(include_str!("language/inputs.txt"));
}

#[test]
fn a_bool_is_zero_or_one() {
    check(include_str!("language/bool.txt"));
}

#[test]
fn volatile_objects_are_listed() {
    check(include_str!("language/volatile.txt"));
}

#[test]
fn variables_end_with_their_blocks() {
    check(include_str!("language/blocks.txt"));
}

#[test]
fn arguments_of_main() {
    check(include_str!("language/arguments.txt"));
}

#[test]
fn arrays_of_unknown_length() {
    check(include_str!("language/extern.txt"));
}

#[test]
fn structs_by_value() {
    check(include_str!("language/values.txt"));
}

#[test]
fn pointers_to_code_from_outside() {
    check(include_str!("language/pointers.txt"));
}

#[test]
fn loops_of_any_length() {
    check(include_str!("language/loops.txt"));
}

#[test]
fn variable_arguments() {
    check(include_str!("language/variadic.txt"));
}

#[test]
fn orders_of_evaluation_that_matter_are_listed() {
    check(include_str!("language/order.txt"));
}

#[test]
fn what_others_can_reach() {
    check(include_str!("language/reach.txt"));
}

#[test]
fn indices_and_sums() {
    check(include_str!("language/index.txt"));
}

#[test]
fn copies_and_places_in_arrays() {
    check(include_str!("language/copies.txt"));
}

#[test]
fn weak_symbols_are_listed() {
    check(include_str!("language/weak.txt"));
}

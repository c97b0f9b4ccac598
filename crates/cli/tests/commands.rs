//! The command line by example: every console block below `tests/cmd` and `docs/guide` is run, and its output
//! and exit code compared. `TRYCMD=overwrite cargo test -p cli --test commands` accepts the present outputs; read them
//! before committing.

fn cases(store: &str) -> trycmd::TestCases {
    // No colours, messages of the C compiler in English, and no width but that of a pipe.
    let cases = trycmd::TestCases::new();
    cases.env("NO_COLOR", "1").env("LC_ALL", "C").env("REPROVE_STORE", store);
    cases
}

#[test]
fn commands() {
    cases(".reprove")
        .case("../../tests/cmd/*.md")
        .case("../../docs/guide/*.md")
        .skip("../../tests/cmd/equiv.md");
}

/// What is shown of a comparison does not depend on the ones before.
#[test]
fn comparisons() {
    cases("none").case("../../tests/cmd/equiv.md");
}

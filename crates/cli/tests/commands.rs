//! The command line by example: every console block below `tests/cmd` and `docs/guide` is run, and its output
//! and exit code compared. `TRYCMD=overwrite cargo test -p cli --test commands` accepts the present outputs; read them
//! before committing.

#[test]
fn commands() {
    // No colours, messages of the C compiler in English, and no width but that of a pipe.
    let cases = trycmd::TestCases::new();
    let cases = cases.env("NO_COLOR", "1").env("LC_ALL", "C").env("REPROVE_STORE", ".reprove");
    cases.case("../../tests/cmd/*.md").case("../../docs/guide/*.md");
}

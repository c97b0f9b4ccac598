//! Families of programs that grow: each is a function from a number N and an edit to the text of a C program.
//!
//! All programs are correct, but for the edit that breaks a check. They have in common what edits need: a
//! function that nobody calls, a macro that says which inputs there are, and a `main` that reads an input for
//! every call. So every edit makes sense in every family, and changes one place.

mod calls;
mod draft;
mod loops;
mod mixture;
mod shape;
mod shared;

use crate::edit::Edit as Tokens;
use crate::rng::Rng;
use draft::Draft;
use shape::Shape;

/// What grows with N.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Family {
    /// Functions that have nothing to do with each other, each with a loop of up to 999 rounds.
    Wide,
    /// The same with up to five rounds.
    WideBounded,
    /// Each function calls the one before.
    Chain,
    /// Each function calls two others.
    Tree,
    /// Many callers of one function.
    Diamond,
    /// Phases that share global variables.
    Globals,
    /// Functions that change the same structure on the heap.
    Heap,
    /// Functions with a loop in a loop.
    Nested,
    /// A state machine that calls a handler in each state.
    Machine,
    /// Parts of all the others, put together at random.
    Mixture,
}

/// What somebody does to the first version of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Edit {
    /// In the function that is furthest from `main`, a statement without effect.
    Leaf,
    /// The same in one halfway.
    Middle,
    /// The same in `main`.
    Root,
    /// A function that nobody calls is gone.
    Removed,
    /// The one halfway has another name.
    Renamed,
    /// The functions are in another order.
    Order,
    /// A function that nobody calls does something else.
    Unreachable,
    /// Comments and white space.
    Layout,
    /// A macro has another value, or a global variable begins with another one.
    Global,
    /// One more function, which `main` calls.
    Added,
    /// The one halfway fails its check.
    Broken,
    /// After that, back to the first version.
    Mended,
}

impl Family {
    pub const ALL: [Family; 10] = [
        Family::Wide,
        Family::WideBounded,
        Family::Chain,
        Family::Tree,
        Family::Diamond,
        Family::Globals,
        Family::Heap,
        Family::Nested,
        Family::Machine,
        Family::Mixture,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Family::Wide => "wide",
            Family::WideBounded => "wide-bounded",
            Family::Chain => "chain",
            Family::Tree => "tree",
            Family::Diamond => "diamond",
            Family::Globals => "globals",
            Family::Heap => "heap",
            Family::Nested => "nested",
            Family::Machine => "machine",
            Family::Mixture => "mixture",
        }
    }

    /// Does no loop run more than [`ROUNDS`] times, so that unwinding is a proof?
    pub fn bounded(self) -> bool {
        !matches!(self, Family::Wide | Family::Machine | Family::Mixture)
    }

    /// The text of the program of size `n`: the first version, or an edited one.
    pub fn source(self, n: usize, edit: Option<Edit>, seed: u64) -> String {
        let mut rng = Rng::part(seed, self as u64);
        let shape = Shape::new(self, n, "", edit);
        let mut draft = self.draft(&shape, &mut rng);
        match edit {
            Some(Edit::Added) => draft.add_function(),
            Some(Edit::Order) => draft.functions.reverse(),
            _ => {}
        }
        let text = draft.text(self.inputs(edit), edit);
        if edit == Some(Edit::Layout) { reformatted(text, &mut rng) } else { text }
    }

    /// Inputs are smaller than this.
    fn inputs(self, edit: Option<Edit>) -> u32 {
        match (self, edit) {
            // Here it is a variable that changes.
            (Family::Globals, _) => 1000,
            (Family::WideBounded, Some(Edit::Global)) => ROUNDS,
            (Family::WideBounded, _) => ROUNDS + 1,
            (_, Some(Edit::Global)) => 900,
            (_, _) => 1000,
        }
    }

    /// The numbers of the function that is furthest from `main`, and of one halfway.
    fn ends(self, n: usize) -> (usize, usize) {
        match self {
            Family::Tree => calls::tree_ends(n),
            Family::Diamond => (n, n / 2),
            _ => (0, n / 2),
        }
    }

    fn draft(self, shape: &Shape, rng: &mut Rng) -> Draft {
        match self {
            Family::Wide | Family::WideBounded => loops::wide(shape),
            Family::Chain => calls::chain(shape),
            Family::Tree => calls::tree(shape),
            Family::Diamond => calls::diamond(shape),
            Family::Globals => shared::globals(shape),
            Family::Heap => shared::heap(shape),
            Family::Nested => loops::nested(shape),
            Family::Machine => shared::machine(shape),
            Family::Mixture => mixture::mixture(shape, rng),
        }
    }
}

/// Rounds of a loop in a bounded family, at most.
pub const ROUNDS: u32 = 5;

impl Edit {
    pub const ALL: [Edit; 12] = [
        Edit::Leaf,
        Edit::Middle,
        Edit::Root,
        Edit::Removed,
        Edit::Renamed,
        Edit::Order,
        Edit::Unreachable,
        Edit::Layout,
        Edit::Global,
        Edit::Added,
        Edit::Broken,
        Edit::Mended,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Edit::Leaf => "leaf",
            Edit::Middle => "middle",
            Edit::Root => "root",
            Edit::Removed => "removed",
            Edit::Renamed => "renamed",
            Edit::Order => "order",
            Edit::Unreachable => "unreachable",
            Edit::Layout => "layout",
            Edit::Global => "global",
            Edit::Added => "added",
            Edit::Broken => "broken",
            Edit::Mended => "mended",
        }
    }

    /// Does the program do what it did?
    pub fn without_effect(self) -> bool {
        !matches!(self, Edit::Global | Edit::Added | Edit::Broken | Edit::Mended)
    }
}

fn reformatted(text: String, rng: &mut Rng) -> String {
    [Tokens::Layout, Tokens::Comments].iter().fold(text, |text, edit| edit.apply(&text, rng).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{argv, ctoken, gcc, proc};
    use clap::ValueEnum;
    use clap::builder::PossibleValue;
    use std::time::Duration;

    fn versions() -> impl Iterator<Item = Option<Edit>> {
        Edit::ALL.into_iter().map(Some).chain([None])
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        let check = |value: Option<PossibleValue>, name| assert_eq!(value.unwrap().get_name(), name);
        Family::ALL.into_iter().for_each(|family| check(family.to_possible_value(), family.name()));
        Edit::ALL.into_iter().for_each(|edit| check(edit.to_possible_value(), edit.name()));
        assert_eq!((Family::value_variants(), Edit::value_variants()), (&Family::ALL[..], &Edit::ALL[..]));
    }

    #[test]
    fn a_seed_gives_one_text() {
        for family in Family::ALL {
            for edit in versions() {
                for n in [1, 2, 10] {
                    let [a, b] = [family.source(n, edit, 7), family.source(n, edit, 7)];
                    assert_eq!(a, b, "{family:?} {n} {edit:?}");
                }
            }
        }
        assert_ne!(Family::Mixture.source(30, None, 1), Family::Mixture.source(30, None, 2));
    }

    #[test]
    fn edits_change_what_they_say() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let code = |text: &str| {
            let tokens = ctoken::tokenize(text).into_iter().filter(|token| token.is_code());
            tokens.map(|token| token.text).filter(|text| text != "\\").collect::<Vec<_>>()
        };
        for family in Family::ALL {
            let first = family.source(10, None, 1);
            for edit in Edit::ALL {
                let edited = family.source(10, Some(edit), 1);
                let what = format!("{family:?} {edit:?}\n{edited}");
                assert_eq!(edited == first, edit == Edit::Mended, "{what}");
                let (old, new) = (lines(&first), lines(&edited));
                let more = new.iter().filter(|line| !old.contains(line)).count();
                let fewer = old.iter().filter(|line| !new.contains(line)).count();
                match edit {
                    Edit::Leaf | Edit::Middle | Edit::Root | Edit::Broken => {
                        assert_eq!((more, fewer), (1, 0), "{what}");
                    }
                    Edit::Global | Edit::Unreachable => assert_eq!((more, fewer), (1, 1), "{what}"),
                    Edit::Order => assert_eq!((more, fewer), (0, 0), "{what}"),
                    Edit::Layout => assert_eq!(code(&edited), code(&first), "{what}"),
                    Edit::Removed => assert!(more == 0 && fewer > 0, "{what}"),
                    Edit::Added => assert!(more > 0 && fewer == 0, "{what}"),
                    Edit::Renamed => assert!(more > 0 && more == fewer, "{what}"),
                    Edit::Mended => {}
                }
            }
        }
    }

    #[test]
    fn gcc_has_no_objection() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("t.c");
        for family in Family::ALL {
            for edit in versions() {
                let text = family.source(10, edit, 1);
                std::fs::write(&file, &text).unwrap();
                let flags = argv!["gcc", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", file.display()];
                let ran = proc::run(&flags, Duration::from_secs(60)).unwrap();
                assert!(ran.ok(), "{family:?} {edit:?}: {}\n{text}", ran.stderr);
            }
        }
    }

    /// Compiled programs on random inputs: a check fails if it is broken, and never otherwise.
    #[test]
    fn only_what_is_broken_fails() {
        let dir = tempfile::tempdir().unwrap();
        let (file, exe) = (dir.path().join("t.c"), dir.path().join("t"));
        // Most inputs are small: that is what breaks.
        let inputs = "\nstatic unsigned state;\n\
                      static unsigned any(void) { return (state = state * 1103515245u + 12345u) >> 8; }\n\
                      unsigned __VERIFIER_nondet_uint(void) {\n\
                      if (!state) state = (unsigned)atoi(getenv(\"SEED\"));\n\
                      return any() % 4 ? any() % 6 : any() % 2000; }\n";
        for family in Family::ALL {
            for edit in versions() {
                std::fs::write(&file, family.source(6, edit, 1) + inputs).unwrap();
                let built = gcc::build(&file, &exe, &["-O1"]).unwrap();
                assert!(built.ok(), "{family:?} {edit:?}: {}", built.stderr);
                let fails = |seed: u32| {
                    let command = argv!["env", format!("SEED={seed}"), exe.display()];
                    let ran = proc::run(&command, Duration::from_secs(10)).unwrap();
                    assert!(!ran.timed_out, "{family:?} {edit:?} {seed}");
                    ran.stderr.contains("Assertion")
                };
                match edit {
                    Some(Edit::Broken) => assert!((1..200).any(fails), "{family:?}"),
                    _ => assert!(!(1..10).any(fails), "{family:?} {edit:?}"),
                }
            }
        }
    }
}

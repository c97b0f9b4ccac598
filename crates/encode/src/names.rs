//! Names of variables in formulas. A variable is known by its name alone, also where formulas are read back
//! from a store or a certificate; so its kind is part of the name, written and read here only.
//!
//! - `&x`, `&f.x`, `&f()`, `&f...`: the address of a global, of a local, of a function, of the extra
//!   arguments of an activation. It is the same in every state.
//! - `!...`: auxiliary, of no state.
//! - `old.x` and `new.x`: of one of two states or versions (the state at the entry is an old one).
//! - `::g` is a global where locals have plain names, `memory.r` what a region holds, `p@start` a parameter
//!   as it came in, `world!` and its like are what lies outside of the program.

use logic::Term;
use std::fmt::Display;

/// In front of the names of auxiliary variables.
pub const AUXILIARY: &str = "!";
/// In front of the names of the old and the new version's variables.
pub const VERSIONS: [&str; 2] = ["old.", "new."];
pub const OLD: &str = VERSIONS[0];

pub fn is_address(variable: Term) -> bool {
    variable.var_name().is_some_and(names_address)
}

/// Is this the name of an address?
pub fn names_address(name: &str) -> bool {
    name.starts_with('&')
}

/// Is this a variable of no state, that each passage of a transition has anew?
pub fn is_auxiliary(variable: Term) -> bool {
    variable.var_name().is_some_and(|name| name.starts_with(AUXILIARY))
}

/// May a variable of a state have this name?
pub fn names_state(name: &str) -> bool {
    !names_address(name) && !name.starts_with(AUXILIARY)
}

pub fn auxiliary(name: impl Display) -> String {
    format!("{AUXILIARY}{name}")
}

/// The address of a global object; one without a name goes by its content.
pub fn address(global: &str) -> String {
    format!("&{global}")
}

pub fn address_of_local(function: &str, local: &str) -> String {
    format!("&{function}.{local}")
}

pub fn address_of_function(function: &str) -> String {
    format!("&{function}()")
}

pub fn address_of_arguments(function: &str) -> String {
    format!("&{function}...")
}

/// What may be called by a name in every version, and outlives activations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Addressed<'a> {
    Function(&'a str),
    /// Or something else whose address has no name of this form.
    Global(&'a str),
}

pub fn addressed(address: &str) -> Option<Addressed<'_>> {
    let name = address.strip_prefix('&')?;
    Some(name.strip_suffix("()").map_or(Addressed::Global(name), Addressed::Function))
}

pub fn old(name: impl Display) -> String {
    format!("{OLD}{name}")
}

/// Which version a variable belongs to, if its name says so, and the rest of the name.
pub fn split_version(name: &str) -> (Option<usize>, &str) {
    let found = (0..).zip(VERSIONS).find_map(|(side, prefix)| Some((side, name.strip_prefix(prefix)?)));
    found.map_or((None, name), |(side, rest)| (Some(side), rest))
}

pub fn global(name: &str) -> String {
    format!("::{name}")
}

/// The name of a global or local without the mark of globals.
pub fn unmarked(name: &str) -> &str {
    name.strip_prefix("::").unwrap_or(name)
}

pub fn memory(region: &str) -> String {
    format!("memory.{region}")
}

pub fn at_start(param: &str) -> String {
    format!("{param}@start")
}

/// The name of what lies outside of the program, or of a part of how a function ends.
pub fn token(name: &str) -> String {
    format!("{name}!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        let var = |name: &str| Term::var(name, logic::Sort::Int);
        let addresses =
            [address("g"), address_of_local("f", "x"), address_of_function("f"), address_of_arguments("f")];
        for name in addresses {
            assert!(is_address(var(&name)) && !is_auxiliary(var(&name)) && !names_state(&name));
        }
        assert!(is_auxiliary(var(&auxiliary("x"))) && !names_state(&auxiliary("x")));
        for name in [global("g"), memory("r"), at_start("p"), token("world"), old("x")] {
            assert!(names_state(&name) && !is_address(var(&name)) && !is_auxiliary(var(&name)));
        }
        assert_eq!(split_version(&old("x")), (Some(0), "x"));
        assert_eq!(split_version("new.::g"), (Some(1), "::g"));
        assert_eq!(split_version("x"), (None, "x"));
        assert_eq!(unmarked(&global("g")), "g");
        assert_eq!(addressed(&address_of_function("f")), Some(Addressed::Function("f")));
        assert_eq!(addressed(&address("g")), Some(Addressed::Global("g")));
        assert_eq!(addressed("g"), None);
    }
}

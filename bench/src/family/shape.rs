//! How large a family is, what its functions are called, and where it is edited.

use super::{Edit, Family};

/// What a family needs to know to write its functions, which are numbered from 0.
pub struct Shape {
    pub n: usize,
    /// Of all names: it keeps apart what several families define in one program.
    pub prefix: String,
    pub edit: Option<Edit>,
    /// The function that is furthest from `main`, and one halfway.
    leaf: usize,
    middle: usize,
}

impl Shape {
    /// There is always one function at least.
    pub fn new(family: Family, n: usize, prefix: &str, edit: Option<Edit>) -> Shape {
        let n = n.max(1);
        let (leaf, middle) = family.ends(n);
        Shape { n, prefix: prefix.to_owned(), edit, leaf, middle }
    }

    /// What function `i` is called.
    pub fn name(&self, i: usize) -> String {
        let renamed = self.edit == Some(Edit::Renamed) && i == self.middle;
        format!("{}f{i}{}", self.prefix, if renamed { "_renamed" } else { "" })
    }

    /// A statement without effect, if function `i` is edited that way.
    pub fn idle(&self, i: usize, statement: &str) -> Option<String> {
        let here = match self.edit {
            Some(Edit::Leaf) => i == self.leaf,
            Some(Edit::Middle) => i == self.middle,
            _ => false,
        };
        here.then(|| statement.to_owned())
    }

    /// A statement with which a check of function `i` fails, if it is edited that way.
    pub fn broken(&self, i: usize, statement: &str) -> Option<String> {
        (self.edit == Some(Edit::Broken) && i == self.middle).then(|| statement.to_owned())
    }
}

//! A simple condition under which different versions are equivalent.

use crate::concrete::Difference;
use crate::verdict::Request;

/// Tried in order; the first one under which equivalence is proved.
pub fn find(_request: &Request, _difference: &Difference) -> Option<String> {
    None
}

//! `errno` after calls of library functions whose models, or whose operations, say nothing about it.

use super::function::Lower;
use super::outside;
use crate::hir::FuncId;

/// The model that gives `errno` any value but zero, or leaves it.
const MAY_SET: &str = "__reprove_may_set_errno";

/// Functions with models that report errors by `errno` (C11, POSIX), besides those whose models do so
/// themselves.
fn reports_errors(name: &str) -> bool {
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    matches!(name, "strtod" | "strtof" | "strtold" | "mktime" | "raise" | "kill" | "signal" | "sigaction")
        || matches!(
            base,
            "fmod" | "remainder" | "drem" | "fdim" | "ldexp" | "scalbn" | "scalbln" | "ilogb" | "logb"
        )
        || matches!(base, "lrint" | "llrint" | "lround" | "llround" | "nextafter")
}

impl Lower<'_, '_> {
    /// After a call of this function.
    pub fn errno_after(&mut self, id: FuncId) {
        let name = &self.hir_function(id).name;
        let defined = self.cx.is_defined(self.unit, id);
        let reports = if defined { reports_errors(name) } else { outside::is_harmless(name) };
        if reports && !self.is_own(id) && !self.in_model() {
            self.may_set_errno();
        }
    }

    /// What happens here may have set it.
    pub fn may_set_errno(&mut self) {
        if self.cx.uses_errno() {
            self.helper(MAY_SET, Vec::new(), None);
        }
    }
}

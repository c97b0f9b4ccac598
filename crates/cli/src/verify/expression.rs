//! Conditions of the IR as somebody might have written them in C.
//!
//! Only what has an obvious spelling: variables with a name, elements of arrays, numbers, arithmetic,
//! comparisons. Everything else is better shown by its line of the source.

use crate::equiv::values::{array, scalar, show};
use ir::names::unnumbered;
use ir::{BinOp, Expr, ExprKind, Function, LocalOrigin, Program, Spelling, Storage, Type, UnOp};

/// Longer ones are not easier to read than the source.
const LONGEST: usize = 60;

pub fn condition(program: &Program, function: &Function, e: &Expr) -> Option<String> {
    let text = Writer { program, function }.truth(e, true)?;
    (text.len() <= LONGEST).then_some(text)
}

struct Writer<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl Writer<'_> {
    /// A condition, or its opposite.
    fn truth(&self, e: &Expr, holds: bool) -> Option<String> {
        match &e.kind {
            ExprKind::Unary(UnOp::Not, inner) if e.ty == Type::Bool => self.truth(inner, !holds),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                // A float that is not less may be no number.
                let float = a.ty.is_float() && matches!(op, BinOp::Lt | BinOp::Le);
                if float && !holds {
                    return None;
                }
                // Numbers stand at the right.
                let swapped = a.as_const().is_some() && b.as_const().is_none();
                let (left, right) = if swapped { (b, a) } else { (a, b) };
                let name = match (op, swapped, holds) {
                    (BinOp::Eq, _, true) | (BinOp::Ne, _, false) => "==",
                    (BinOp::Eq, _, false) | (BinOp::Ne, _, true) => "!=",
                    (BinOp::Lt, false, true) | (BinOp::Le, true, false) => "<",
                    (BinOp::Lt, true, true) | (BinOp::Le, false, false) => ">",
                    (BinOp::Le, false, true) | (BinOp::Lt, true, false) => "<=",
                    _ => ">=",
                };
                Some(format!("{} {name} {}", self.operand(left)?, self.operand(right)?))
            }
            _ => None,
        }
    }

    fn operand(&self, e: &Expr) -> Option<String> {
        let text = self.value(e)?;
        Some(if matches!(e.kind, ExprKind::Binary(..)) { format!("({text})") } else { text })
    }

    fn value(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Const(bits) => Some(show(*bits, e.ty, false)),
            ExprKind::Local(id) => {
                let local = self.function.locals.get(id.0 as usize)?;
                let name = unnumbered(&local.name);
                (local.origin != LocalOrigin::Temp).then(|| name.to_owned())
            }
            ExprKind::Global(id) => Some(self.program.globals.get(id.0 as usize)?.name.to_string()),
            ExprKind::Load(address) => self.place(address, e.ty),
            // Most conversions are not written.
            ExprKind::Cast(inner) if inner.ty != Type::Bool && inner.ty.is_int() && e.ty.is_int() => {
                self.value(inner)
            }
            ExprKind::Unary(UnOp::Neg, inner) => Some(format!("-{}", self.operand(inner)?)),
            ExprKind::Unary(UnOp::Not, inner) if e.ty != Type::Bool => {
                Some(format!("~{}", self.operand(inner)?))
            }
            ExprKind::Binary(op, a, b) => {
                let Spelling::Sign(name) = op.spelling() else { return None };
                if op.is_comparison() || matches!(op, BinOp::PtrAdd | BinOp::PtrSub) {
                    return None;
                }
                (e.ty != Type::Bool).then_some(())?;
                Some(format!("{} {name} {}", self.operand(a)?, self.operand(b)?))
            }
            _ => None,
        }
    }

    /// A variable in memory, or an element of an array.
    fn place(&self, address: &Expr, ty: Type) -> Option<String> {
        let target = &self.program.target;
        let size = ty.access_size(target);
        match &address.kind {
            ExprKind::Binary(BinOp::PtrAdd, base, offset) => {
                let (name, c_type, _) = self.object(base)?;
                let (element, lengths) = array(c_type)?;
                if lengths.len() != 1 || scalar(&element, target)?.access_size(target) != size {
                    return None;
                }
                Some(format!("{name}[{}]", self.index(offset, size)?))
            }
            _ => {
                let (name, c_type, bytes) = self.object(address)?;
                if scalar(c_type, target).is_some() && bytes == size {
                    return Some(name.to_owned());
                }
                let (element, lengths) = array(c_type)?;
                let first = lengths.len() == 1 && scalar(&element, target)?.access_size(target) == size;
                first.then(|| format!("{name}[0]"))
            }
        }
    }

    fn index(&self, offset: &Expr, size: u64) -> Option<String> {
        match &offset.kind {
            ExprKind::Const(bits) => {
                let value = offset.ty.as_int()?.value(*bits);
                (value % i128::from(size) == 0).then(|| (value / i128::from(size)).to_string())
            }
            ExprKind::Binary(BinOp::Mul, a, b) if b.as_const() == Some(u128::from(size)) => self.value(a),
            ExprKind::Binary(BinOp::Mul, a, b) if a.as_const() == Some(u128::from(size)) => self.value(b),
            _ if size == 1 => self.value(offset),
            _ => None,
        }
    }

    /// A memory variable: its name, C type and size.
    fn object(&self, address: &Expr) -> Option<(&str, &str, u64)> {
        let (name, c_type, storage) = match address.kind {
            ExprKind::AddrLocal(id) => {
                let local = self.function.locals.get(id.0 as usize)?;
                let name = unnumbered(&local.name);
                (local.origin != LocalOrigin::Temp).then_some((name, &*local.c_type, local.storage))?
            }
            ExprKind::AddrGlobal(id) => {
                let global = self.program.globals.get(id.0 as usize)?;
                (&*global.name, &*global.c_type, global.storage)
            }
            _ => return None,
        };
        match storage {
            Storage::Memory { size, .. } => Some((name, c_type, size)),
            Storage::Register(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use ir::{Op, Program};

    fn compile(text: &str) -> Program {
        let output = cfront::compile_text("t.c", text, &cfront::Options::default());
        output.program.expect("a program")
    }

    /// The first branch of `f`.
    fn check(body: &str, expected: Option<&str>) {
        let program = compile(&format!(
            "int g; unsigned char bytes[9]; int a[3]; struct {{ int x, y; }} s; int *q;\n\
             int f(int x, int y, unsigned u, double d, int *p) {{ int *r = &g; if ({body}) return 1; return *r; }}"
        ));
        let function = program.function(program.find_function("f").expect("f"));
        let edges = function.cfa().expect("a body").edges();
        let branch = edges.iter().find_map(|edge| match &edge.op {
            Op::Assume { cond, .. } => Some(cond),
            _ => None,
        });
        let found = super::condition(&program, function, branch.expect("a branch"));
        assert_eq!(found.as_deref(), expected, "{body}");
    }

    #[test]
    fn conditions() {
        check("x > 3", Some("x > 3"));
        check("3 < x", Some("x > 3"));
        check("x", Some("x != 0"));
        // The branches are swapped instead.
        check("!x", Some("x != 0"));
        check("!(x <= y)", Some("x <= y"));
        check("x + 1 <= y * -2", Some("(x + 1) <= (y * -2)"));
        check("u / 2 == 4294967295u", Some("(u / 2) == 4294967295"));
        check("g < 5", Some("g < 5"));
        check("a[x] != 0", Some("a[x] != 0"));
        check("a[2] == a[0]", Some("a[2] == a[0]"));
        check("bytes[y] > 9", Some("bytes[y] > 9"));
        check("d < 0.5", Some("d < 0.5"));
        check("*p == 1", None);
        check("p == 0", Some("p == NULL"));
    }
}

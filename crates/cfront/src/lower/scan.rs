//! `scanf` with a literal format: how many conversions succeed comes from outside, and those that do store
//! any value of their type. All other calls are the model's (`models/scan.c`).

use super::format::{self, Length, Scanned};
use super::function::Lower;
use super::{Lowered, fold};
use crate::hir::*;
use crate::types::TypeTable;
use ir::{BinOp, Callee, HavocKind, Op, Type, Var};
use std::sync::Arc;

/// Which argument of a function of the family is the format; the rest follows.
fn format_position(name: &str) -> Option<usize> {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    match plain {
        "scanf" => Some(0),
        "fscanf" | "sscanf" => Some(1),
        _ => None,
    }
}

/// No string is longer, for lack of anything better.
const LONGEST: i128 = 1 << 28;

/// Does it store characters up to some end?
fn is_string(conversion: &Scanned) -> bool {
    matches!(conversion.kind, b's' | b'[') && !conversion.allocate
}

/// That an integer can be written in so many characters, a sign among them; none if every value can.
fn fits(kind: u8, width: i32, ty: Type, value: &ir::Expr) -> Option<ir::Expr> {
    let base: i128 = match kind {
        b'd' | b'u' => 10,
        b'o' => 8,
        b'x' | b'X' => 16,
        _ => return None,
    };
    let int = ty.as_int()?;
    let power = |n: i32| base.checked_pow(u32::try_from(n).ok()?);
    let (most, least) = (power(width)? - 1, 1 - power(width - 1)?);
    // What does not fit the type wraps.
    let largest = (int.mask() >> u32::from(int.signed)) as i128;
    if most > largest {
        return None;
    }
    let upper = fold::binary(BinOp::Le, value.clone(), ir::Expr::int(ty, most));
    let lower = fold::binary(BinOp::Le, ir::Expr::int(ty, least), value.clone());
    Some(fold::binary(if int.signed { BinOp::And } else { BinOp::Or }, upper, lower))
}

impl<'a> Lower<'_, 'a> {
    /// Lowers a call of the family; none if its format says nothing that could be known here.
    pub fn scan_call(&mut self, name: &Arc<str>, e: &'a Expr, args: &'a [Expr]) -> Lowered<Option<ir::Expr>> {
        let Some(position) = format_position(name) else { return Ok(None) };
        let Some(bytes) = args.get(position).and_then(|arg| self.literal(arg)) else { return Ok(None) };
        let Some(list) = format::scanf(bytes) else { return Ok(None) };
        let targets = &args[position + 1..];
        if targets.len() < list.len() || !targets.iter().all(|t| self.types.is_pointer(t.ty.ty)) {
            return Ok(None);
        }
        let mut text = None;
        for (i, arg) in args[..=position].iter().enumerate() {
            if i == position {
                self.effect(arg)?;
                continue;
            }
            let from = self.value(arg)?;
            let from = self.freeze(from);
            match name.ends_with("sscanf") {
                true => text = Some(from),
                false => self.check_access(&from, 1, false),
            }
        }
        let mut pointers = Vec::new();
        for target in targets {
            let pointer = self.value(target)?;
            pointers.push(self.freeze(pointer));
        }
        self.at(e.span);
        let room = text.filter(|_| list.iter().any(is_string)).map(|text| {
            let word = self.target().intptr(false);
            let room = self.temp(word);
            let most = ir::Expr::int(word, LONGEST);
            self.helper("__reprove_scan_limit", vec![text, most], Some(Var::Local(room)));
            self.local_expr(room, word)
        });
        let assigned = list.iter().filter(|c| c.kind != b'n').count();
        let result = self.havoc(Type::I32, HavocKind::Input(name.clone()));
        let number = |n: i128| ir::Expr::int(Type::I32, n);
        for cond in [
            fold::binary(BinOp::Le, number(-1), result.clone()),
            fold::binary(BinOp::Le, result.clone(), number(assigned as i128)),
        ] {
            self.b.emit(Op::Assume { cond, holds: true });
        }
        let mut done = 0;
        let end = self.b.node();
        for (conversion, pointer) in list.iter().zip(pointers) {
            let further = fold::binary(BinOp::Lt, number(done), result.clone());
            let store = self.b.node();
            if conversion.kind == b'n' {
                // What comes before it in the format may be where the input ends.
                let after = self.b.node();
                let reached = self.havoc(Type::U8, HavocKind::Input(name.clone()));
                self.b.branch(fold::binary(BinOp::Or, further, fold::truth(reached)), store, after);
                self.b.start(store);
                self.store_count(conversion.length, pointer);
                self.b.jump(after);
                self.b.start(after);
            } else {
                self.b.branch(further, store, end);
                self.b.start(store);
                self.store_scanned(name, conversion, pointer, room.clone());
                done += 1;
            }
        }
        self.b.jump(end);
        self.b.start(end);
        let (failed, after) = (self.b.node(), self.b.node());
        self.b.branch(fold::binary(BinOp::Lt, result.clone(), number(0)), failed, after);
        self.b.start(failed);
        self.helper("__reprove_scan_failed", vec![], None);
        self.b.jump(after);
        self.b.start(after);
        Ok(Some(result))
    }

    /// `%n`: how many characters were read so far.
    fn store_count(&mut self, length: Length, pointer: ir::Expr) {
        let count = self.temp(Type::I32);
        self.helper("__reprove_scan_count", vec![], Some(Var::Local(count)));
        let ty = Type::int(length.bytes(&self.target()) * 8, true);
        let value = fold::cast(&self.target(), ty, self.local_expr(count, Type::I32));
        self.store_result(pointer, value);
    }

    /// `room`: how long the text is that is read, if that is known.
    fn store_scanned(
        &mut self,
        name: &Arc<str>,
        conversion: &Scanned,
        pointer: ir::Expr,
        room: Option<ir::Expr>,
    ) {
        let target = self.target();
        let word = target.intptr(false);
        let size = |n: i128| ir::Expr::int(word, n);
        let wide = conversion.length == Length::Long;
        let width = size(conversion.width.map_or(LONGEST, i128::from));
        let most = match room {
            Some(room) => ir::Expr::ite(fold::binary(BinOp::Lt, room.clone(), width.clone()), room, width),
            None => width,
        };
        let ty = match conversion.kind {
            b'd' | b'i' => Type::int(conversion.length.bytes(&target) * 8, true),
            b'u' | b'o' | b'x' | b'X' => Type::int(conversion.length.bytes(&target) * 8, false),
            b'p' => Type::Ptr,
            b'c' if !conversion.allocate => {
                let count = conversion.width.map_or(1, i128::from);
                if count != 1 || wide {
                    self.havoc_range(pointer, size(count * if wide { 4 } else { 1 }));
                    return;
                }
                Type::I8
            }
            b'c' | b's' | b'[' => {
                let word = ir::Expr::int(Type::I32, i128::from(conversion.kind == b's'));
                match (conversion.allocate, wide) {
                    (true, _) => self.helper("__reprove_scan_new", vec![pointer, most], None),
                    (false, true) => self.helper("__reprove_scan_wide", vec![pointer, most], None),
                    (false, false) => self.helper("__reprove_scan_string", vec![pointer, most, word], None),
                }
                return;
            }
            _ => match conversion.length {
                Length::Long => Type::F64,
                Length::LongDouble => {
                    let bytes = self.types.size_of(TypeTable::LONGDOUBLE).unwrap_or(16);
                    self.havoc_range(pointer, size(i128::from(bytes)));
                    return;
                }
                _ => Type::F32,
            },
        };
        let value = self.havoc(ty, HavocKind::Input(name.clone()));
        if let Some(cond) = conversion.width.and_then(|width| fits(conversion.kind, width, ty, &value)) {
            self.b.emit(Op::Assume { cond, holds: true });
        }
        self.store_result(pointer, value);
    }

    /// Calls a function of a model that the function being lowered depends on.
    pub fn helper(&mut self, name: &str, args: Vec<ir::Expr>, dst: Option<Var>) {
        if let Some(function) = self.cx.model_function(name) {
            self.b.emit(Op::Call { dst, callee: Callee::Direct(function), args });
        }
    }

    /// The bytes of a string literal.
    pub fn literal(&self, mut e: &'a Expr) -> Option<&'a [u8]> {
        loop {
            match &e.kind {
                ExprKind::Decay(inner) | ExprKind::AddrOf(inner) | ExprKind::Convert(inner) => e = inner,
                ExprKind::String(id) => {
                    return Some(&self.cx.units[self.unit].unit.strings[id.0 as usize].bytes);
                }
                _ => return None,
            }
        }
    }
}

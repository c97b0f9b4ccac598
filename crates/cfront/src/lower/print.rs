//! `printf` and its kind with a literal format. Text in memory is put together piece by piece, by functions
//! of `models/print.c`; of what goes to a stream only `%n` matters, which stores how much was written. Calls
//! whose format is not known write any text.

use super::format::{self, Conversion, Length, Number, Piece};
use super::function::Lower;
use super::{Lowered, fold, output};
use crate::hir::*;
use crate::types::{TypeKind, TypeTable};
use ir::{BinOp, Callee, HavocKind, Op, Type, Var};
use std::sync::Arc;

/// Where the text goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sink {
    Stream,
    /// Into the buffer that is the first argument; its size is this argument, if it is limited.
    Buffer(Option<usize>),
    /// Into a new block, whose address is stored where the first argument says.
    Block,
}

/// Where the text goes, and which argument is the format.
fn sink(name: &str) -> Option<(Sink, usize)> {
    Some(match name {
        "printf" => (Sink::Stream, 0),
        "fprintf" | "dprintf" | "__printf_chk" => (Sink::Stream, 1),
        "__fprintf_chk" | "__dprintf_chk" => (Sink::Stream, 2),
        "sprintf" => (Sink::Buffer(None), 1),
        "__sprintf_chk" => (Sink::Buffer(None), 3),
        "snprintf" => (Sink::Buffer(Some(1)), 2),
        "__snprintf_chk" => (Sink::Buffer(Some(1)), 4),
        "asprintf" => (Sink::Block, 1),
        "__asprintf_chk" => (Sink::Block, 2),
        _ => return None,
    })
}

/// Functions of models that calls in this unit are lowered to, though they do not mention them.
pub(super) fn helpers<'u>(unit: &'u Unit, used: &'u [FuncId]) -> impl Iterator<Item = Arc<str>> + use<'u> {
    let counts =
        |bytes: &[u8]| bytes.contains(&b'%') && format::printf(bytes).is_some_and(|p| p.iter().any(is_count));
    let prints = |id: &FuncId| matches!(sink(&unit.functions[id.0 as usize].name), Some((Sink::Stream, _)));
    let wanted = used.iter().any(prints) && unit.strings.iter().any(|s| counts(&s.bytes));
    let end = wanted.then(|| "__reprove_print_end".into());
    let reads = if output::needs_helper(unit, used) { &output::HELPERS[..] } else { &[] };
    end.into_iter().chain(reads.iter().map(|name| Arc::from(*name)))
}

/// Of a function that prints to a stream: which argument is the format.
pub(super) fn stream_format(name: &str) -> Option<usize> {
    sink(name).filter(|(sink, _)| *sink == Sink::Stream).map(|(_, position)| position)
}

fn is_count(piece: &Piece) -> bool {
    matches!(piece, Piece::Conversion(c) if c.kind == b'n')
}

/// A text that is being put together: the buffer, its size, and where the next piece goes.
struct Text {
    to: ir::Expr,
    room: ir::Expr,
    at: ir::Expr,
}

impl<'a> Lower<'_, 'a> {
    /// Lowers a call of the family; none if it is an ordinary one.
    pub fn print_call(
        &mut self,
        name: &Arc<str>,
        id: FuncId,
        e: &'a Expr,
        args: &'a [Expr],
    ) -> Lowered<Option<ir::Expr>> {
        let Some((sink, position)) = sink(name) else { return Ok(None) };
        let word = self.target().intptr(false);
        let Some(pieces) = args.get(position).and_then(|a| self.literal(a)).and_then(format::printf) else {
            return Ok(None);
        };
        if !self.fits(&pieces, &args[position + 1..])
            || self.cx.model_function("__reprove_print_end").is_none()
            || (sink == Sink::Stream && !pieces.iter().any(is_count))
        {
            return Ok(None);
        }
        let mut values = Vec::new();
        for arg in args {
            let value = self.value(arg)?;
            values.push(self.freeze(value));
        }
        self.at(e.span);
        let extra = values[position + 1..].to_vec();
        let nothing =
            || Text { to: ir::Expr::null(), room: ir::Expr::int(word, 0), at: ir::Expr::int(word, 0) };
        let result = match sink {
            Sink::Stream => {
                let result = self.temp(Type::I32);
                let function = self.cx.function(self.unit, id);
                let callee = Callee::Direct(function);
                self.b.emit(Op::Call { dst: Some(Var::Local(result)), callee, args: values });
                let last = pieces.iter().rposition(is_count).map_or(0, |i| i + 1);
                self.text(nothing(), &pieces[..last], &extra);
                self.local_expr(result, Type::I32)
            }
            Sink::Buffer(limit) => {
                let room = match limit {
                    Some(limit) => fold::cast(&self.target(), word, values[limit].clone()),
                    None => ir::Expr::int(word, -1),
                };
                let to = values[0].clone();
                let start = Text { to, room, at: ir::Expr::int(word, 0) };
                let text = self.text(start, &pieces, &extra);
                self.end_text(text)
            }
            Sink::Block => {
                let length = self.text(nothing(), &pieces, &extra).at;
                let block = self.temp(Type::Ptr);
                let args = vec![values[0].clone(), length.clone()];
                self.helper("__reprove_print_block", args, Some(Var::Local(block)));
                let result = self.temp(Type::I32);
                let (made, none, done) = (self.b.node(), self.b.node(), self.b.node());
                let block = self.local_expr(block, Type::Ptr);
                self.b.branch(fold::truth(block.clone()), made, none);
                self.b.start(made);
                let room = fold::binary(BinOp::Add, length, ir::Expr::int(word, 1));
                let start = Text { to: block, room, at: ir::Expr::int(word, 0) };
                let text = self.text(start, &pieces, &extra);
                let value = self.end_text(text);
                self.b.emit(Op::Assign { var: Var::Local(result), value });
                self.b.jump(done);
                self.b.start(none);
                self.b.emit(Op::Assign { var: Var::Local(result), value: ir::Expr::int(Type::I32, -1) });
                self.b.jump(done);
                self.b.start(done);
                self.local_expr(result, Type::I32)
            }
        };
        Ok(Some(result))
    }

    /// Are the arguments those that the format asks for?
    fn fits(&self, pieces: &[Piece], args: &[Expr]) -> bool {
        let mut rest = args.iter().map(|arg| self.types.ir_type(arg.ty.ty));
        let long_double = self.types.ir_type(TypeTable::LONGDOUBLE);
        let mut next = |fits: &dyn Fn(Type) -> bool| rest.next().flatten().is_some_and(fits);
        pieces.iter().all(|piece| {
            let Piece::Conversion(c) = piece else { return true };
            for number in [c.width, c.precision] {
                if number == Some(Number::Argument) && !next(&|ty| ty.is_int()) {
                    return false;
                }
            }
            match c.kind {
                b's' | b'p' | b'n' => next(&|ty| ty == Type::Ptr),
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' => next(&|ty| ty.is_int() || ty == Type::Ptr),
                _ if c.length == Length::LongDouble => next(&|ty| Some(ty) == long_double),
                _ => next(&|ty| ty == Type::F64),
            }
        })
    }

    fn text(&mut self, mut text: Text, pieces: &[Piece], args: &[ir::Expr]) -> Text {
        let mut rest = args.iter().cloned();
        for piece in pieces {
            match piece {
                Piece::Text(bytes) => {
                    let word = self.target().intptr(false);
                    let literal = self.cx.text(bytes);
                    let from = ir::Expr { ty: Type::Ptr, kind: ir::ExprKind::AddrGlobal(literal) };
                    let args = vec![from, ir::Expr::int(word, bytes.len() as i128)];
                    self.piece(&mut text, "__reprove_print_text", args);
                }
                Piece::Conversion(conversion) => self.conversion(&mut text, conversion, &mut rest),
            }
        }
        text
    }

    /// Puts one piece behind the others.
    fn piece(&mut self, text: &mut Text, helper: &str, args: Vec<ir::Expr>) {
        let word = self.target().intptr(false);
        let at = self.temp(word);
        let mut all = vec![text.to.clone(), text.room.clone(), text.at.clone()];
        all.extend(args);
        self.helper(helper, all, Some(Var::Local(at)));
        text.at = self.local_expr(at, word);
    }

    fn conversion(&mut self, text: &mut Text, c: &Conversion, args: &mut impl Iterator<Item = ir::Expr>) {
        let target = self.target();
        let int = |n: i32| ir::Expr::int(Type::I32, i128::from(n));
        let mut next = || args.next().unwrap_or_else(|| int(0));
        let upper = if c.kind.is_ascii_uppercase() { 32 } else { 0 };
        let mut flags = int(c.flags | upper);
        let width = match c.width {
            None => int(0),
            Some(Number::Known(n)) => int(n),
            Some(Number::Argument) => {
                // A negative one means `-`.
                let given = fold::cast(&target, Type::I32, next());
                let left = fold::binary(BinOp::Lt, given.clone(), int(0));
                flags = ir::Expr::ite(left.clone(), int(c.flags | upper | 1), flags);
                ir::Expr::ite(left, fold::neg(given.clone()), given)
            }
        };
        let precision = match c.precision {
            None => int(-1),
            Some(Number::Known(n)) => int(n),
            Some(Number::Argument) => fold::cast(&target, Type::I32, next()),
        };
        let value = next();
        let bytes = c.length.bytes(&target);
        let number = |signed: bool| {
            let narrow = fold::cast(&target, Type::int(bytes * 8, signed), value.clone());
            fold::cast(&target, Type::int(if bytes <= 4 { 32 } else { 64 }, signed), narrow)
        };
        match c.kind {
            b'd' | b'i' => {
                let helper = if bytes <= 4 { "__reprove_print_int" } else { "__reprove_print_long" };
                self.piece(text, helper, vec![number(true), flags, width, precision]);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let base = match c.kind {
                    b'u' => 10,
                    b'o' => 8,
                    _ => 16,
                };
                let helper = if bytes <= 4 { "__reprove_print_uint" } else { "__reprove_print_ulong" };
                self.piece(text, helper, vec![number(false), int(base), flags, width, precision]);
            }
            b'c' => {
                let byte = fold::cast(&target, Type::I32, value);
                self.piece(text, "__reprove_print_char", vec![byte, flags, width]);
            }
            b's' => self.piece(text, "__reprove_print_string", vec![value, flags, width, precision]),
            b'p' => self.piece(text, "__reprove_print_pointer", vec![value, flags, width]),
            b'n' => {
                let count = fold::cast(&target, Type::int(bytes * 8, true), text.at.clone());
                self.store_result(value, count);
            }
            _ => {
                let plain = int(i32::from(matches!(c.kind, b'f' | b'F')));
                let helper = match c.length {
                    Length::LongDouble => "__reprove_print_long_double",
                    _ => "__reprove_print_double",
                };
                self.piece(text, helper, vec![value, plain, flags, width, precision]);
            }
        }
    }

    fn end_text(&mut self, text: Text) -> ir::Expr {
        let result = self.temp(Type::I32);
        let args = vec![text.to, text.room, text.at];
        self.helper("__reprove_print_end", args, Some(Var::Local(result)));
        self.local_expr(result, Type::I32)
    }

    /// Where `%n` in a format that is not known before may write: by position, with the type.
    pub fn counted(&mut self, name: &str, args: &[Expr]) -> Vec<(usize, Type)> {
        let Some((sink, position)) = sink(name) else { return Vec::new() };
        // The models of those that write to memory do it themselves.
        if sink != Sink::Stream && self.cx.model_function("__reprove_print_end").is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (i, arg) in args.iter().enumerate().skip(position + 1) {
            let TypeKind::Pointer(to) = self.types.kind(arg.ty.ty) else { continue };
            let counted = self.types.is_integer(to.ty) && self.types.size_of(to.ty) != Some(1);
            match self.types.ir_type(to.ty) {
                Some(ty) if counted && !to.quals.is_const => found.push((i, ty)),
                _ => {}
            }
        }
        found
    }

    /// Stores what `%n` may store.
    pub fn store_counts(&mut self, name: &Arc<str>, places: Vec<(ir::Expr, Type)>) {
        for (pointer, ty) in places {
            let (store, after) = (self.b.node(), self.b.node());
            let choice = self.havoc(Type::U8, HavocKind::Input(name.clone()));
            self.b.branch(fold::truth(choice), store, after);
            self.b.start(store);
            let count = self.havoc(ty, HavocKind::Input(name.clone()));
            let zero = ir::Expr::int(ty, 0);
            self.b.emit(Op::Assume { cond: fold::binary(BinOp::Le, zero, count.clone()), holds: true });
            self.store_result(pointer, count);
            self.b.jump(after);
            self.b.start(after);
        }
    }
}

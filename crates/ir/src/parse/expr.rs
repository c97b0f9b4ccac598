//! Expressions of the text form, read with a stack of our own so that no input can exhaust the machine's.

use super::{Parsed, Parser};
use crate::expr::{BinOp, Expr, ExprKind, HeapRule, Spelling, UnOp};
use crate::lex::{Tok, raw_constant, type_named};
use crate::program::{LocalId, Storage};
use crate::types::{FloatType, Target, Type};
use crate::verify::MAX_DEPTH;

/// What waits for the operand being read.
enum Frame {
    Paren,
    Prefix(UnOp),
    Infix(BinOp, Deep),
    Load(Type),
    Cast(Type),
    Form { form: Form, args: Vec<Expr>, depth: usize, token: usize },
}

/// An expression and how deep it nests.
struct Deep {
    expr: Expr,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Form {
    Unary(UnOp),
    Overflows(BinOp),
    Ite,
    Valid(bool),
    Freeable,
    ObjectSize,
    HeapKept(HeapRule),
}

/// An operand that is complete, or what has to be read before it is.
enum Start {
    Value(Expr),
    Open(Frame),
}

impl Parser<'_> {
    /// An operand, or two with an operator between them.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.read(true)
    }

    /// An expression that needs no parentheses next to an operator.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        self.read(false)
    }

    fn read(&mut self, infix: bool) -> Parsed<Expr> {
        let mut stack: Vec<Frame> = Vec::new();
        loop {
            let mut value = match self.start()? {
                Start::Value(expr) => Deep { expr, depth: 1 },
                Start::Open(frame) => {
                    stack.push(frame);
                    continue;
                }
            };
            // Did an operator make `value`, with no parentheses around it yet?
            let mut infix_done = false;
            loop {
                match stack.pop() {
                    Some(Frame::Prefix(op)) => {
                        value = self.above(value.depth, Expr::unary(op, value.expr))?
                    }
                    Some(Frame::Infix(op, left)) => {
                        let depth = left.depth.max(value.depth);
                        value = self.above(depth, self.binary(op, left.expr, value.expr))?;
                        infix_done = true;
                    }
                    frame if (infix || frame.is_some()) && self.infix_op(value.expr.ty).is_some() => {
                        if infix_done {
                            return self.fail("operators do not chain; use parentheses");
                        }
                        stack.extend(frame);
                        stack.extend(self.infix_op(value.expr.ty).map(|op| Frame::Infix(op, value)));
                        self.next += 1;
                        break;
                    }
                    None => return Ok(value.expr),
                    Some(Frame::Paren) => {
                        self.punct(")")?;
                        infix_done = false;
                    }
                    Some(Frame::Load(ty)) => {
                        self.punct("]")?;
                        value = self.above(value.depth, Expr::load(ty, value.expr))?;
                        infix_done = false;
                    }
                    Some(Frame::Cast(ty)) => {
                        self.punct(")")?;
                        value = self.above(value.depth, Expr::cast(ty, value.expr))?;
                        infix_done = false;
                    }
                    Some(Frame::Form { form, mut args, depth, token }) => {
                        args.push(value.expr);
                        let depth = depth.max(value.depth);
                        if self.eat(",") {
                            stack.push(Frame::Form { form, args, depth, token });
                            break;
                        }
                        self.punct(")")?;
                        value = self.above(depth, self.form(form, args, token)?)?;
                        infix_done = false;
                    }
                }
            }
        }
    }

    /// `expr`, whose operands nest `depth` deep.
    fn above(&self, depth: usize, expr: Expr) -> Parsed<Deep> {
        if depth >= MAX_DEPTH {
            return self.fail(format!("expressions nest at most {MAX_DEPTH} deep"));
        }
        Ok(Deep { expr, depth: depth + 1 })
    }

    fn start(&mut self) -> Parsed<Start> {
        let token = self.next;
        match self.peek().clone() {
            Tok::Punct(punct) => {
                self.next += 1;
                Ok(match punct {
                    "(" => Start::Open(Frame::Paren),
                    "-" => Start::Open(Frame::Prefix(UnOp::Neg)),
                    "~" | "!" => Start::Open(Frame::Prefix(UnOp::Not)),
                    "@" => Start::Value(self.global_ref(false)?),
                    "&" if self.eat("@") => Start::Value(self.global_ref(true)?),
                    "&" => Start::Value(self.local_ref(true)?),
                    _ => return self.fail_at(token, "expected an expression"),
                })
            }
            Tok::Number(digits, suffix) => {
                let bits = type_named(&suffix)
                    .and_then(|ty| Some((ty, number_bits(&digits, ty, &self.program.target)?)));
                match bits {
                    Some((ty, bits)) => {
                        self.next += 1;
                        Ok(Start::Value(Expr { ty, kind: ExprKind::Const(bits) }))
                    }
                    None if suffix.is_empty() => self.fail("a constant needs a type, as in 7i32"),
                    None => self.fail(format!("{digits} is no constant of type {suffix}")),
                }
            }
            Tok::Word(word) => self.word_start(&word),
            Tok::Str(_) => Ok(Start::Value(self.local_ref(false)?)),
            _ => self.fail("expected an expression"),
        }
    }

    fn word_start(&mut self, word: &str) -> Parsed<Start> {
        let token = self.next;
        if let Some(ty) = type_named(word) {
            self.next += 1;
            if self.eat("[") {
                return Ok(Start::Open(Frame::Load(ty)));
            }
            self.punct("(")?;
            return Ok(Start::Open(Frame::Cast(ty)));
        }
        if let Some((ty, digits)) = raw_constant(word) {
            return match u128::from_str_radix(digits, 16) {
                Ok(bits) => {
                    self.next += 1;
                    Ok(Start::Value(Expr { ty, kind: ExprKind::Const(bits) }))
                }
                Err(_) => self.fail("expected a hexadecimal number after #"),
            };
        }
        let constant = match word {
            "true" => Some(Expr::bool(true)),
            "false" => Some(Expr::bool(false)),
            "null" => Some(Expr::null()),
            "varargs" => Some(Expr { ty: Type::Ptr, kind: ExprKind::VarArgs }),
            _ => None,
        };
        if let Some(value) = constant {
            self.next += 1;
            return Ok(Start::Value(value));
        }
        if word == "func" {
            self.next += 1;
            let id = self.function_name()?;
            return Ok(Start::Value(Expr { ty: Type::Ptr, kind: ExprKind::AddrFunc(id) }));
        }
        if let Some(form) = form_named(word) {
            self.next += 1;
            self.punct("(")?;
            if matches!(form, Form::HeapKept(_)) && self.eat(")") {
                return Ok(Start::Value(self.form(form, Vec::new(), token)?));
            }
            return Ok(Start::Open(Frame::Form { form, args: Vec::new(), depth: 0, token }));
        }
        Ok(Start::Value(self.local_ref(false)?))
    }

    fn infix_op(&self, left: Type) -> Option<BinOp> {
        let Tok::Punct(punct) = self.peek() else { return None };
        let spelled = |op: &BinOp| op.spelling() == Spelling::Sign(punct);
        // Those of integers come first.
        Some(match BinOp::ALL.into_iter().find(spelled)? {
            BinOp::Add if left == Type::Ptr => BinOp::PtrAdd,
            BinOp::Sub if left == Type::Ptr => BinOp::PtrSub,
            op => op,
        })
    }

    fn binary(&self, op: BinOp, a: Expr, b: Expr) -> Expr {
        match op {
            BinOp::PtrSub => Expr::ptr_sub(self.program.target.intptr(true), a, b),
            _ => Expr::binary(op, a, b),
        }
    }

    fn form(&self, form: Form, args: Vec<Expr>, token: usize) -> Parsed<Expr> {
        let bool = |kind| Expr { ty: Type::Bool, kind };
        let mut args = args.into_iter();
        let found = (args.next(), args.next(), args.next(), args.next());
        Ok(match (form, found) {
            (Form::Unary(op), (Some(a), None, ..)) => Expr::unary(op, a),
            (Form::Overflows(op), (Some(a), Some(b), None, _)) => Expr::binary(op, a, b),
            (Form::Ite, (Some(c), Some(a), Some(b), None)) => Expr::ite(c, a, b),
            (Form::Valid(write), (Some(ptr), Some(size), None, _)) => {
                bool(ExprKind::Valid { ptr: Box::new(ptr), size: Box::new(size), write })
            }
            (Form::Freeable, (Some(ptr), None, ..)) => bool(ExprKind::Freeable(Box::new(ptr))),
            (Form::ObjectSize, (Some(ptr), None, ..)) => {
                Expr { ty: self.program.target.intptr(false), kind: ExprKind::ObjectSize(Box::new(ptr)) }
            }
            (Form::HeapKept(rule), (also, None, ..)) => {
                bool(ExprKind::HeapKept { rule, also: also.map(Box::new) })
            }
            _ => return self.fail_at(token, "wrong number of operands"),
        })
    }

    fn global_ref(&mut self, address: bool) -> Parsed<Expr> {
        let token = self.next;
        let name = self.name("a global's name")?;
        let Some(&id) = self.globals.get(&name) else {
            return self.fail_at(token, format!("there is no global {name:?}"));
        };
        if address {
            return Ok(Expr { ty: Type::Ptr, kind: ExprKind::AddrGlobal(id) });
        }
        match self.program.global(id).storage {
            Storage::Register(ty) => Ok(Expr { ty, kind: ExprKind::Global(id) }),
            Storage::Memory { .. } => self.fail_at(token, format!("{name:?} is in memory, not a register")),
        }
    }

    fn local_ref(&mut self, address: bool) -> Parsed<Expr> {
        let token = self.next;
        let name = self.name("a variable's name")?;
        let (Some(&id), Some(scope)) = (self.locals.get(&name), self.scope) else {
            return self.fail_at(token, format!("there is no variable {name:?} in this function"));
        };
        if address {
            return Ok(Expr { ty: Type::Ptr, kind: ExprKind::AddrLocal(id) });
        }
        let LocalId(index) = id;
        match self.program.function(scope).locals[index as usize].storage {
            Storage::Register(ty) => Ok(Expr { ty, kind: ExprKind::Local(id) }),
            Storage::Memory { .. } => self.fail_at(token, format!("{name:?} is in memory, not a register")),
        }
    }
}

fn form_named(word: &str) -> Option<Form> {
    let is_word = |spelling| matches!(spelling, Spelling::Name(name) if name == word);
    let unary = UnOp::ALL.into_iter().find(|op| is_word(op.spelling(Type::F64))).map(Form::Unary);
    let overflows = || BinOp::ALL.into_iter().find(|op| is_word(op.spelling())).map(Form::Overflows);
    let other = || {
        Some(match word {
            "ite" => Form::Ite,
            "valid_read" => Form::Valid(false),
            "valid_write" => Form::Valid(true),
            "freeable" => Form::Freeable,
            "object_size" => Form::ObjectSize,
            _ => return HeapRule::ALL.into_iter().find(|rule| rule.name() == word).map(Form::HeapKept),
        })
    };
    unary.or_else(overflows).or_else(other)
}

/// The bits of a number in a type that has decimal constants, if it fits.
fn number_bits(digits: &str, ty: Type, target: &Target) -> Option<u128> {
    match ty {
        Type::Int(int) if int.signed => {
            let value: i128 = digits.parse().ok()?;
            let bits = int.wrap(value);
            (int.value(bits) == value).then_some(bits)
        }
        Type::Int(int) => digits.parse().ok().filter(|&bits| bits <= int.mask()),
        Type::Ptr => {
            let mask = target.intptr(false).as_int()?.mask();
            digits.parse().ok().filter(|&bits| bits <= mask)
        }
        Type::Float(FloatType::F32) => {
            digits.parse::<f32>().ok().filter(|x| x.is_finite()).map(|x| u128::from(x.to_bits()))
        }
        Type::Float(FloatType::F64) => {
            digits.parse::<f64>().ok().filter(|x| x.is_finite()).map(|x| u128::from(x.to_bits()))
        }
        _ => None,
    }
}

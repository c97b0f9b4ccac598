//! Operations in words a C programmer reads: names without marks, constants without types, conversions left
//! out.

use ir::fingerprint::is_literal;
use ir::{Callee, Expr, ExprKind, Function, HavocKind, InitValue, LocalId, Op, Program, Spelling, Type, Var};

/// Writes expressions and operations with the names of one function.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
}

/// Longer texts are cut: a reason is one line.
const LIMIT: usize = 160;

impl Words<'_> {
    pub fn op(&self, op: &Op) -> String {
        let e = |expr: &Expr| self.expr(expr);
        let text = match op {
            Op::Skip => "skip".to_string(),
            Op::Assume { cond, .. } => format!("if ({})", e(cond)),
            Op::Assign { var, value } => format!("{} = {}", self.var(*var), e(value)),
            Op::Store { addr, value } => format!("{} = {}", self.place(addr), e(value)),
            Op::Havoc { var, kind: HavocKind::Input(name) } => format!("{} = {name}()", self.var(*var)),
            Op::Havoc { var, kind: HavocKind::Uninit } => self.var(*var),
            Op::Havoc { var, kind: HavocKind::Asm } => format!("asm({})", self.var(*var)),
            Op::Copy { dst, src, len } => format!("memmove({}, {}, {})", e(dst), e(src), e(len)),
            Op::Fill { dst, byte, len } => format!("memset({}, {}, {})", e(dst), e(byte), e(len)),
            Op::Alloc { var, size, .. } => format!("{} = alloc({})", self.var(*var), e(size)),
            Op::Free { ptr } => format!("free({})", e(ptr)),
            Op::Lifetime { ptr, begins: true } => format!("begin({})", e(ptr)),
            Op::Lifetime { ptr, begins: false } => format!("end({})", e(ptr)),
            Op::Call { dst, callee, args } => {
                let callee = match callee {
                    Callee::Direct(id) => {
                        self.program.functions.get(id.0 as usize).map_or("?".into(), |f| f.name.to_string())
                    }
                    Callee::Indirect(target) => format!("(*{})", self.tight(target)),
                };
                let args: Vec<String> = args.iter().map(e).collect();
                let call = format!("{callee}({})", args.join(", "));
                dst.map_or(call.clone(), |dst| format!("{} = {call}", self.var(dst)))
            }
            Op::Return(value) => value.as_ref().map_or("return".into(), |v| format!("return {}", e(v))),
            Op::Check { cond, .. } => format!("assert({})", e(cond)),
            Op::Halt(code) => code.as_ref().map_or("abort()".into(), |v| format!("exit({})", e(v))),
        };
        shorten(text)
    }

    pub fn expr(&self, expr: &Expr) -> String {
        let mut out = String::new();
        self.write(&mut out, expr, false);
        shorten(out)
    }

    fn tight(&self, expr: &Expr) -> String {
        let mut out = String::new();
        self.write(&mut out, expr, true);
        out
    }

    fn local(&self, id: LocalId) -> String {
        self.function.locals.get(id.0 as usize).map_or("?".into(), |l| l.name.to_string())
    }

    fn global(&self, id: ir::GlobalId) -> String {
        self.program.globals.get(id.0 as usize).map_or("?".into(), |g| g.name.to_string())
    }

    /// A string literal as it is written in C.
    fn literal(&self, id: ir::GlobalId) -> Option<String> {
        let global = self.program.globals.get(id.0 as usize).filter(|g| is_literal(g))?;
        let items = global.init.iter().flat_map(|init| &init.items);
        let bytes: Vec<u8> = items.flat_map(|item| bytes(&item.value)).copied().collect();
        let text = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
        Some(format!("\"{}\"", text.escape_ascii()))
    }

    fn var(&self, var: Var) -> String {
        match var {
            Var::Local(id) => self.local(id),
            Var::Global(id) => self.global(id),
        }
    }

    /// What a load or store accesses: a variable by its name, anything else as `*p`.
    fn place(&self, addr: &Expr) -> String {
        match &addr.kind {
            ExprKind::AddrLocal(id) => self.local(*id),
            ExprKind::AddrGlobal(id) => self.global(*id),
            _ => format!("*{}", self.tight(addr)),
        }
    }

    fn write(&self, out: &mut String, e: &Expr, tight: bool) {
        // What is cut off anyway need not be written; this also bounds the depth.
        if out.len() > LIMIT {
            return;
        }
        let mut e = e;
        while let ExprKind::Cast(inner) = &e.kind {
            e = inner;
        }
        match &e.kind {
            ExprKind::Const(bits) => out.push_str(&constant(e.ty, *bits)),
            ExprKind::Local(id) => out.push_str(&self.local(*id)),
            ExprKind::Global(id) => out.push_str(&self.global(*id)),
            ExprKind::AddrLocal(id) => out.push_str(&format!("&{}", self.local(*id))),
            ExprKind::AddrGlobal(id) => match self.literal(*id) {
                Some(text) => out.push_str(&text),
                None => out.push_str(&format!("&{}", self.global(*id))),
            },
            ExprKind::AddrFunc(id) => {
                out.push_str(self.program.functions.get(id.0 as usize).map_or("?", |f| &f.name));
            }
            ExprKind::VarArgs => out.push_str("..."),
            ExprKind::Load(addr) => match &addr.kind {
                ExprKind::AddrLocal(_) | ExprKind::AddrGlobal(_) => out.push_str(&self.place(addr)),
                _ => {
                    out.push('*');
                    self.write(out, addr, true);
                }
            },
            ExprKind::Cast(_) => {}
            ExprKind::Unary(op, a) => match op.c_spelling(e.ty) {
                Spelling::Sign(sign) => {
                    out.push_str(sign);
                    self.write(out, a, true);
                }
                Spelling::Name(name) => self.call(out, name, &[a]),
            },
            ExprKind::Binary(op, a, b) => match op.spelling() {
                Spelling::Sign(sign) => {
                    out.push_str(if tight { "(" } else { "" });
                    self.write(out, a, true);
                    out.push_str(&format!(" {sign} "));
                    self.write(out, b, true);
                    out.push_str(if tight { ")" } else { "" });
                }
                Spelling::Name(name) => self.call(out, name, &[a, b]),
            },
            ExprKind::Ite(list) => {
                out.push_str(if tight { "(" } else { "" });
                self.write(out, &list[0], true);
                out.push_str(" ? ");
                self.write(out, &list[1], true);
                out.push_str(" : ");
                self.write(out, &list[2], true);
                out.push_str(if tight { ")" } else { "" });
            }
            ExprKind::Valid { ptr, size, write: true } => self.call(out, "writable", &[ptr, size]),
            ExprKind::Valid { ptr, size, write: false } => self.call(out, "readable", &[ptr, size]),
            ExprKind::Freeable(ptr) => self.call(out, "freeable", &[ptr]),
            ExprKind::ObjectSize(ptr) => self.call(out, "object_size", &[ptr]),
            ExprKind::HeapKept { rule, also } => {
                self.call(out, rule.name(), &also.as_deref().into_iter().collect::<Vec<_>>())
            }
        }
    }

    fn call(&self, out: &mut String, name: &str, args: &[&Expr]) {
        out.push_str(name);
        out.push('(');
        for (i, arg) in args.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            self.write(out, arg, false);
        }
        out.push(')');
    }
}

fn bytes(value: &InitValue) -> &[u8] {
    match value {
        InitValue::Bytes(bytes) => bytes,
        InitValue::Scalar(_) => &[],
    }
}

fn shorten(mut text: String) -> String {
    if text.len() > LIMIT {
        let mut end = LIMIT;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("...");
    }
    text
}

fn constant(ty: Type, bits: u128) -> String {
    match ty {
        Type::Bool => (bits != 0).to_string(),
        Type::Int(int) if int.signed => int.value(bits).to_string(),
        Type::Float(ir::FloatType::F32) => f32::from_bits(bits as u32).to_string(),
        Type::Float(ir::FloatType::F64) => f64::from_bits(bits as u64).to_string(),
        Type::Float(_) => format!("{bits:#x}"),
        Type::Int(_) | Type::Ptr => bits.to_string(),
    }
}

//! What there is before the program starts.

use crate::content::{Content, Start};
use crate::exec::{Exec, Input};
use crate::objects::{Kind, ObjectId};
use engine::Site;
use ir::fingerprint::{Fingerprint, is_literal};
use ir::{Expr, ExprKind, FuncId, GlobalId, InitValue, Program, Storage, Type};
use logic::{Sort, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Names of globals that mean the same in another version of the program.
pub fn names(program: &Program) -> Vec<String> {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut name = |global: &ir::Global| {
        if !is_literal(global) {
            return global.name.to_string();
        }
        let items = global.init.iter().flat_map(|init| &init.items);
        let bytes: Vec<u8> = items
            .flat_map(|item| match &item.value {
                InitValue::Bytes(bytes) => bytes.clone(),
                InitValue::Scalar(_) => Vec::new(),
            })
            .collect();
        let name = format!("str {}", Fingerprint::of(&bytes).short());
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        format!("{name}#{count}")
    };
    program.globals.iter().map(&mut name).collect()
}

impl Exec<'_> {
    /// Gives every global and every function its place, and every global its value.
    pub(crate) fn make_globals(&mut self) {
        let program = self.program;
        let width = self.pointer_width();
        for (i, function) in program.functions.iter().enumerate() {
            let name = format!("fn {}", function.name);
            self.objects.make(name, Kind::Function(FuncId(i as u32)), Term::bv(1, width), 1, 0);
        }
        for (i, global) in program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            if let Storage::Memory { size, .. } = global.storage {
                let name = self.global_name(id);
                let size_term = Term::bv(u128::from(size), width);
                if let Some(object) = self.objects.make(name, Kind::Global(id), size_term, size, 0)
                    && global.constant
                {
                    self.objects.set_constant(object);
                }
            }
        }
        for (i, global) in program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            match global.storage {
                Storage::Register(ty) => self.register(id, ty),
                Storage::Memory { size, .. } => {
                    if let Some(object) = self.objects.find(&self.global_name(id)) {
                        let content = self.initial_content(id, size);
                        self.initial_objects.insert(object, Rc::new(content));
                    }
                }
            }
        }
    }

    fn register(&mut self, id: GlobalId, ty: Type) {
        let global = self.program.global(id);
        let value = match global.initial_register() {
            Some(e) => {
                let value = self.constant_expr(&e);
                value.or_else(|| Some(self.any_initial(id, 0, self.ops.sort(ty).ok()?)))
            }
            None => {
                let Ok(sort) = self.ops.sort(ty) else { return };
                let value = Term::var(&format!("global {}", global.name), sort);
                let (site, guard) = (Site::ExternGlobal(id), Term::bool(true));
                if ty == Type::Ptr {
                    self.pointers.outside_pointer(value, || format!("*{}", global.name));
                }
                let pointer = ty == Type::Ptr;
                self.inputs.push(Input { guard, site, value, pointer, kept: None });
                Some(value)
            }
        };
        if let Some(value) = value {
            self.initial.insert(id, value);
        }
    }

    fn initial_content(&mut self, id: GlobalId, size: u64) -> Content {
        let global = self.program.global(id);
        let Some(init) = &global.init else { return Content::new(Start::Unwritten) };
        let mut content = Content::new(Start::Zero);
        for item in &init.items {
            match &item.value {
                InitValue::Bytes(bytes) => {
                    for (at, byte) in (item.offset..size).zip(bytes) {
                        if *byte != 0 {
                            content.put(at, Term::bv(u128::from(*byte), 8), 1);
                        }
                    }
                }
                InitValue::Scalar(e) => {
                    let bytes = e.ty.access_size(&self.program.target);
                    let any = Sort::Bv(8 * bytes as u32);
                    let value =
                        self.constant_expr(e).unwrap_or_else(|| self.any_initial(id, item.offset, any));
                    if item.offset + bytes <= size {
                        content.put(item.offset, value, bytes);
                    }
                }
            }
        }
        content
    }

    /// An initialiser that cannot be expressed is any value, not the zero of those that are not there.
    fn any_initial(&self, id: GlobalId, offset: u64, sort: Sort) -> Term {
        Term::var(&format!("initial {}+{offset}", self.program.global(id).name), sort)
    }

    /// The value of an initialiser.
    fn constant_expr(&mut self, e: &Expr) -> Option<Term> {
        match &e.kind {
            ExprKind::Const(bits) => self.ops.constant(e.ty, *bits).ok(),
            ExprKind::AddrGlobal(id) => {
                let object = self.objects.find(&self.global_name(*id))?;
                Some(self.address(object))
            }
            ExprKind::AddrFunc(id) => {
                let object = self.objects.find(&format!("fn {}", self.program.function(*id).name))?;
                Some(self.address(object))
            }
            ExprKind::Cast(inner) => {
                let value = self.constant_expr(inner)?;
                self.ops.cast(inner.ty, e.ty, value).ok()
            }
            ExprKind::Unary(op, inner) => {
                let value = self.constant_expr(inner)?;
                self.ops.unary(*op, e.ty, value).ok()
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.constant_expr(a)?, self.constant_expr(b)?);
                let value = self.ops.binary(*op, a.ty, x, y).ok();
                self.ops.traps.clear();
                value
            }
            _ => None,
        }
    }

    /// What an object holds that nobody in the active calls has touched.
    pub(crate) fn initial_object(&mut self, id: ObjectId) -> Rc<Content> {
        let start = match self.objects.get(id).kind {
            Kind::Function(_) => Start::Zero,
            _ => Start::Unwritten,
        };
        self.initial_objects.entry(id).or_insert_with(|| Rc::new(Content::new(start))).clone()
    }
}

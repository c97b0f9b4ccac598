//! The objects of the program that live as long as it does: globals with their initialisers, and literals.

use super::Linked;
use crate::hir::*;
use crate::lower::fold;
use crate::type_name::type_to_string;
use crate::types::{ArrayLen, QualType, TypeKind, TypeTable};
use ir::{Pos, Storage};

impl Linked<'_> {
    /// The program's global for a unit's global.
    pub fn global(&mut self, unit: usize, id: GlobalId) -> ir::GlobalId {
        let key = self.links[unit].globals[id.0 as usize];
        if let Some(id) = self.globals[key].ir {
            return id;
        }
        let (u, g) = self.globals[key].site;
        let hir = &self.units[u].unit.globals[g.0 as usize];
        let types = &self.units[u].unit.types;
        let pos = self.pos(hir.span);
        let name = self.unique_name(hir.name.clone(), hir.linkage, hir.span);
        let entity = &self.globals[key];
        let storage = match types.ir_type(hir.ty.ty) {
            Some(ty) if !entity.in_memory => Storage::Register(ty),
            _ => Storage::Memory {
                size: if entity.size > 0 { entity.size } else { unknown_extent(types, hir) },
                align: types.align_of(hir.ty.ty).unwrap_or(1).max(hir.align.unwrap_or(1)),
            },
        };
        let external = entity.external;
        let ir_id = ir::GlobalId(self.program.globals.len() as u32);
        self.globals[key].ir = Some(ir_id);
        self.program.globals_mut().push(ir::Global {
            name,
            storage,
            init: None,
            constant: is_const(types, hir.ty),
            external: external || is_volatile(types, hir.ty),
            c_type: type_to_string(types, hir.ty).into(),
            pos,
        });
        // The initialiser may refer to this very global: it is in place by now.
        let init = match &hir.definition {
            Definition::Declared
                if ir::is_stream(&hir.name) && types.ir_type(hir.ty.ty) == Some(ir::Type::Ptr) =>
            {
                Some(self.standard_stream(&hir.name, pos))
            }
            Definition::Declared | Definition::Alias(_) => None,
            Definition::Tentative => Some(ir::Init::default()),
            Definition::Defined(init) => Some(self.global_init(u, init, storage)),
        };
        self.program.globals_mut()[ir_id.0 as usize].init = init;
        ir_id
    }

    /// What `stdin` and its like point to: an object that nobody looks into.
    fn standard_stream(&mut self, name: &str, pos: ir::Pos) -> ir::Init {
        let id = ir::GlobalId(self.program.globals.len() as u32);
        self.program.globals_mut().push(ir::Global {
            name: format!(".{name}").into(),
            storage: Storage::Memory { size: 1, align: 16 },
            init: Some(ir::Init::default()),
            constant: false,
            external: false,
            c_type: "FILE".into(),
            pos,
        });
        let address = ir::Expr { ty: ir::Type::Ptr, kind: ir::ExprKind::AddrGlobal(id) };
        ir::Init { items: vec![ir::InitItem { offset: 0, value: ir::InitValue::Scalar(address) }] }
    }

    fn global_init(&mut self, unit: usize, init: &GlobalInit, storage: Storage) -> ir::Init {
        let mut items = Vec::with_capacity(init.items.len());
        for item in &init.items {
            let value = match (&item.value, storage) {
                (ConstValue::Bytes(bytes), Storage::Register(ty)) => {
                    let mut bits = [0u8; 16];
                    let n = (ty.access_size(&self.options.target) as usize).min(bytes.len());
                    bits[..n].copy_from_slice(&bytes[..n]);
                    let kind = ir::ExprKind::Const(u128::from_le_bytes(bits));
                    ir::InitValue::Scalar(ir::Expr { ty, kind })
                }
                (ConstValue::Bytes(bytes), Storage::Memory { .. }) => ir::InitValue::Bytes(bytes.clone()),
                (ConstValue::Address { base, offset, size }, _) => {
                    let base = self.address(unit, *base);
                    let target = &self.options.target;
                    let offset = ir::Expr::int(target.intptr(true), i128::from(*offset));
                    let address = fold::ptr_add(base, offset);
                    let ty = match storage {
                        Storage::Register(ty) => ty,
                        Storage::Memory { .. } if *size == target.pointer_bits / 8 => ir::Type::Ptr,
                        Storage::Memory { .. } => ir::Type::int(*size * 8, false),
                    };
                    ir::InitValue::Scalar(fold::cast(target, ty, address))
                }
            };
            items.push(ir::InitItem { offset: item.offset, value });
        }
        ir::Init { items }
    }

    fn address(&mut self, unit: usize, base: AddressBase) -> ir::Expr {
        let kind = match base {
            AddressBase::Global(id) => ir::ExprKind::AddrGlobal(self.global(unit, id)),
            AddressBase::Function(id) => ir::ExprKind::AddrFunc(self.pointed_function(unit, id)),
            AddressBase::String(id) => ir::ExprKind::AddrGlobal(self.string(unit, id)),
        };
        ir::Expr { ty: ir::Type::Ptr, kind }
    }

    /// The object of a string literal; equal literals share one.
    pub fn string(&mut self, unit: usize, id: StringId) -> ir::GlobalId {
        let units = self.units;
        let literal = &units[unit].unit.strings[id.0 as usize];
        let types = &units[unit].unit.types;
        let c_type = type_to_string(types, QualType::plain(literal.ty));
        self.constant(&literal.bytes, types.align_of(literal.ty).unwrap_or(1), c_type)
    }

    /// The object of a text that is part of a literal.
    pub fn text(&mut self, bytes: &[u8]) -> ir::GlobalId {
        let mut bytes = bytes.to_vec();
        bytes.push(0);
        let c_type = format!("char[{}]", bytes.len());
        self.constant(&bytes, 1, c_type)
    }

    fn constant(&mut self, bytes: &[u8], align: u64, c_type: String) -> ir::GlobalId {
        if let Some(&id) = self.strings.get(bytes) {
            return id;
        }
        let id = ir::GlobalId(self.program.globals.len() as u32);
        let items = if bytes.iter().all(|b| *b == 0) {
            vec![]
        } else {
            vec![ir::InitItem { offset: 0, value: ir::InitValue::Bytes(bytes.to_vec()) }]
        };
        self.program.globals_mut().push(ir::Global {
            name: format!(".str.{}", self.strings.len()).into(),
            storage: Storage::Memory { size: bytes.len() as u64, align },
            init: Some(ir::Init { items }),
            constant: true,
            external: false,
            c_type: c_type.into(),
            pos: Pos::default(),
        });
        self.strings.insert(bytes.to_vec(), id);
        id
    }
}

/// `extern T a[];` has memory for so many bytes, or a little less: whole elements.
const UNKNOWN_EXTENT: u64 = 1 << 16;

/// The size of an array whose length nobody says. A tentative definition has one element.
fn unknown_extent(types: &TypeTable, global: &Global) -> u64 {
    let TypeKind::Array(element, ArrayLen::Unknown) = types.kind(global.ty.ty) else {
        return 0;
    };
    let size = types.size_of(element.ty).unwrap_or(0);
    match global.definition {
        Definition::Declared => size * (UNKNOWN_EXTENT / size.max(1)).max(1),
        _ => size,
    }
}

/// An object that no valid program writes: const itself, or an array of const elements.
fn is_const(types: &TypeTable, ty: QualType) -> bool {
    if ty.quals.is_volatile {
        return false;
    }
    ty.quals.is_const || matches!(types.kind(ty.ty), TypeKind::Array(elem, _) if is_const(types, *elem))
}

/// Somebody else may change it at any time.
fn is_volatile(types: &TypeTable, ty: QualType) -> bool {
    ty.quals.is_volatile || matches!(types.kind(ty.ty), TypeKind::Array(elem, _) if is_volatile(types, *elem))
}

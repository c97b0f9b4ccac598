//! The first state: globals hold what their initialisers say.

use super::Whole;
use crate::mode::Unsupported;
use crate::regions::{Layout, ObjectKind, RegionId};
use ir::{BinOp, Expr, ExprKind, Global, GlobalId, InitValue, Storage, Type};
use logic::Term;
use std::collections::BTreeSet;

impl Whole {
    /// What holds of the entry function's variables (without prefix) when the program starts. Of large objects only the first
    /// cells are described.
    pub fn initial(&self) -> Result<Term, Unsupported> {
        let mut encoder = self.encoder(self.entry);
        let state = self.variables(self.entry, "")?;
        let mut parts = vec![self.typed(self.entry, &state)];
        let mut room = MOST_CELLS;
        let used = self.accessed_globals();
        for (i, global) in self.program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let Some(init) = &global.init else { continue };
            match global.storage {
                Storage::Register(ty) => {
                    let Some(Some(variable)) = state.globals.get(i).copied() else { continue };
                    let value = match init.items.first().map(|item| &item.value) {
                        Some(InitValue::Scalar(e)) => encoder.expr(e, &state)?,
                        Some(InitValue::Bytes(bytes)) => encoder.constant(ty, number(bytes))?,
                        None => encoder.constant(ty, 0)?,
                    };
                    parts.push(variable.equals(value));
                }
                Storage::Memory { size, .. } => {
                    if !used.contains(&id) {
                        continue;
                    }
                    let mut offset = 0;
                    while offset < size && room > 0 {
                        room -= 1;
                        let address = at(id, offset, &self.program.target);
                        let region = self.regions.of(0, self.entry, &address);
                        let layout = encoder.layout(region)?;
                        let ty = unit(layout);
                        let step = ty.access_size(&self.program.target).max(1);
                        if let Some(value) = content(global, offset, step, ty, &self.program.target) {
                            let place = encoder.expr(&address, &state)?;
                            let value = encoder.expr(&value, &state)?;
                            let held = encoder.load(&state, region, place, ty)?;
                            parts.push(held.equals(value));
                        }
                        offset += step;
                    }
                }
            }
        }
        parts.append(&mut encoder.facts);
        Ok(Term::all(parts))
    }
}

impl Whole {
    fn accessed_globals(&self) -> BTreeSet<GlobalId> {
        let regions = (0..self.regions.list.len() as u32).map(RegionId);
        let objects = regions.flat_map(|r| self.regions.objects(r));
        objects
            .filter_map(|(_, object)| match object {
                ObjectKind::Global(id) => Some(*id),
                _ => None,
            })
            .collect()
    }
}

const MOST_CELLS: u32 = 2000;

/// What is read from a region at once.
pub(super) fn unit(layout: Layout) -> Type {
    match layout {
        Layout::Cells(ty) => ty,
        Layout::Bytes => Type::U8,
    }
}

fn at(global: GlobalId, offset: u64, target: &ir::Target) -> Expr {
    let base = Expr { ty: Type::Ptr, kind: ExprKind::AddrGlobal(global) };
    if offset == 0 {
        return base;
    }
    let by = Expr { ty: target.intptr(false), kind: ExprKind::Const(u128::from(offset)) };
    Expr { ty: Type::Ptr, kind: ExprKind::Binary(BinOp::PtrAdd, Box::new(base), Box::new(by)) }
}

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |n, b| n << 8 | u128::from(*b))
}

/// The value of type `ty` that an initialiser puts at an offset; None if it is put together from parts.
fn content(global: &Global, offset: u64, size: u64, ty: Type, target: &ir::Target) -> Option<Expr> {
    let mut bytes = vec![0u8; size as usize];
    for item in &global.init.as_ref()?.items {
        match &item.value {
            InitValue::Bytes(list) => {
                for (b, i) in list.iter().zip(item.offset..) {
                    if let Some(slot) = i.checked_sub(offset).and_then(|k| bytes.get_mut(k as usize)) {
                        *slot = *b;
                    }
                }
            }
            InitValue::Scalar(e) => {
                // Scalars are at most 16 bytes long.
                if item.offset == offset && e.ty == ty {
                    return Some(e.clone());
                }
                if item.offset < offset + size && offset < item.offset + 16 {
                    let bits = e.as_const()?;
                    let width = scalar_bytes(e.ty, target)?;
                    for k in 0..width {
                        let i = item.offset + k;
                        if let Some(slot) = i.checked_sub(offset).and_then(|k| bytes.get_mut(k as usize)) {
                            *slot = (bits >> (8 * k)) as u8;
                        }
                    }
                }
            }
        }
    }
    Some(Expr { ty, kind: ExprKind::Const(number(&bytes)) })
}

/// The bytes of a constant; None for types whose size is not that of their bits.
fn scalar_bytes(ty: Type, target: &ir::Target) -> Option<u64> {
    match ty {
        Type::Int(int) => Some(u64::from(int.bits).div_ceil(8)),
        Type::Ptr => Some(u64::from(target.pointer_bits) / 8),
        Type::Float(ir::FloatType::F32) => Some(4),
        Type::Float(ir::FloatType::F64) => Some(8),
        _ => None,
    }
}

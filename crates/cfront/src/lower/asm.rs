//! Inline assembly: nothing is known of what it does, but what it can write.

use super::function::Lower;
use super::place::Place;
use super::{Lowered, fold, outside, unsupported};
use crate::hir::*;
use crate::types::TypeId;
use base::Span;
use ir::{Callee, HavocKind, Op, Pos, Type, Var};

/// The function without a body that stands for assembly that writes memory.
const ASSEMBLY: &str = ".asm";

/// An assembler statement.
pub(super) struct Asm<'a> {
    pub text: AsmText,
    pub memory: bool,
    pub inputs: &'a [Expr],
    pub outputs: &'a [AsmOutput],
    pub labels: &'a [LabelId],
}

impl<'a> Lower<'_, 'a> {
    /// The outputs get any value, unless there is no instruction that could write them; with `memory`, all memory that the
    /// assembly can get at does, too; `asm goto` goes on anywhere.
    pub(super) fn asm(&mut self, asm: Asm<'a>, span: Span) -> Lowered<()> {
        let tied = |i: usize| asm.outputs.iter().any(|o| o.tied == Some(i));
        let mut values = Vec::new();
        for (i, input) in asm.inputs.iter().enumerate() {
            let pointer = asm.memory && self.types.is_pointer(input.ty.ty);
            let wanted =
                pointer || (asm.text == AsmText::Empty && tied(i) && self.types.is_scalar(input.ty.ty));
            values.push(if wanted {
                let value = self.value(input)?;
                Some(self.freeze(value))
            } else {
                self.effect(input)?;
                None
            });
        }
        let places =
            asm.outputs.iter().map(|o| Ok((o, self.place(&o.place)?))).collect::<Lowered<Vec<_>>>()?;
        if asm.memory {
            let mut args: Vec<ir::Expr> =
                values.iter().flatten().filter(|v| v.ty == Type::Ptr).cloned().collect();
            for (output, place) in &places {
                if output.updated && self.types.is_pointer(output.place.ty.ty) {
                    args.push(self.read(place, span)?);
                }
            }
            self.at(span);
            let function = self.cx.assembly_function();
            self.b.emit(Op::Call { dst: None, callee: Callee::Direct(function), args });
        }
        for (output, place) in places {
            let ty = output.place.ty.ty;
            let same = output.tied.and_then(|i| values.get(i).cloned().flatten());
            if output.kept {
                continue;
            }
            match (self.types.ir_type(ty), same) {
                (Some(to), Some(value))
                    if asm.text == AsmText::Empty && to.is_float() == value.ty.is_float() =>
                {
                    self.write(&place, fold::cast(&self.target(), to, value), span)?;
                }
                (Some(_), _) => {
                    let value = self.havoc_c(ty, HavocKind::Asm, span)?;
                    self.write(&place, value, span)?;
                }
                (None, _) => self.havoc_memory(&place, ty, span)?,
            }
        }
        for &label in asm.labels {
            let (node, next) = (self.label(label), self.b.node());
            let choice = self.havoc(Type::U8, HavocKind::Asm);
            self.b.branch(fold::truth(choice), node, next);
            self.b.start(next);
        }
        Ok(())
    }

    /// Gives every byte of an aggregate output any value.
    fn havoc_memory(&mut self, place: &Place, ty: TypeId, span: Span) -> Lowered<()> {
        let size = self.size_of(ty, span)?;
        match place {
            Place::Memory { addr, .. } if size <= 64 => {
                for i in 0..size {
                    let value = self.havoc(Type::U8, HavocKind::Asm);
                    let at = ir::Expr::int(self.target().intptr(true), i128::from(i));
                    self.b.emit(Op::Store { addr: fold::ptr_add(addr.clone(), at), value });
                }
                Ok(())
            }
            Place::Memory { addr, .. } => {
                let len = ir::Expr::int(self.target().intptr(false), i128::from(size));
                self.havoc_range(addr.clone(), len);
                Ok(())
            }
            Place::Split { leaves, .. } => {
                for (_, local) in leaves.clone().iter() {
                    self.loose.insert(*local);
                    self.b.emit(Op::Havoc { var: Var::Local(*local), kind: HavocKind::Asm });
                }
                Ok(())
            }
            _ => unsupported(span, "inline assembly writes a struct that is no object"),
        }
    }
}

impl super::link::Linked<'_> {
    fn assembly_function(&mut self) -> ir::FuncId {
        if let Some(id) = self.assembly {
            return id;
        }
        // As SV-COMP's rules have it, nothing but outputs changes.
        let (body, havocs) =
            outside::unknown("inline assembly", true, self.options.unknown_functions, Pos::default());
        let id = ir::FuncId(self.program.functions.len() as u32);
        self.program.functions.push(ir::Function {
            name: ASSEMBLY.into(),
            ret: None,
            params: 0,
            variadic: true,
            locals: Vec::new(),
            body,
            havocs,
            c_type: "void ()".into(),
            pos: Pos::default(),
        });
        self.assembly = Some(id);
        id
    }
}

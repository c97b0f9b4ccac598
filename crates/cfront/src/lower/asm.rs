//! Inline assembly: nothing is known of what it does, but what it can write.

use super::function::Lower;
use super::place::Place;
use super::{Lowered, fold, outside, unsupported};
use crate::Environment;
use crate::hir::*;
use crate::types::TypeId;
use base::Span;
use ir::{Callee, HavocKind, Op, Pos, Type, Var};
use std::sync::Arc;

/// The function without a body that stands for assembly that writes memory.
const ASSEMBLY: &str = ".asm";

/// An assembler statement.
pub(super) struct Asm<'a> {
    pub text: AsmText,
    pub code: &'a Arc<str>,
    pub memory: bool,
    pub inputs: &'a [Expr],
    pub outputs: &'a [AsmOutput],
    pub labels: &'a [LabelId],
}

impl<'a> Lower<'_, 'a> {
    /// The outputs get any value, unless there is no instruction that could write them; with `memory`, all
    /// memory that the assembly can get at does, too; `asm goto` goes on anywhere.
    pub(super) fn asm(&mut self, asm: Asm<'a>, span: Span) -> Lowered<()> {
        let tied = |i: usize| asm.outputs.iter().any(|o| o.tied == Some(i));
        // Where the outside is the same for two versions, so is assembly that says the same and is given the
        // same.
        let compared =
            asm.text == AsmText::Instructions && self.cx.options.environment == Environment::Extern;
        let mut values = Vec::new();
        for (i, input) in asm.inputs.iter().enumerate() {
            let pointer = asm.memory && self.types.is_pointer(input.ty.ty);
            let scalar = compared && self.types.is_scalar(input.ty.ty);
            let wanted = scalar
                || pointer
                || (asm.text == AsmText::Empty && tied(i) && self.types.is_scalar(input.ty.ty));
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
        let given = match compared {
            true => Some(self.given_to(&asm, &values, &places, span)?),
            false => None,
        };
        for (nth, (output, place)) in places.into_iter().enumerate() {
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
                (Some(to), _) => {
                    let value = match &given {
                        Some(args) => self.output_of(&asm, nth, to, args.clone()),
                        None => self.havoc_c(ty, HavocKind::Asm, span)?,
                    };
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

    /// All that the outputs depend on. That the statement is executed may be seen outside.
    fn given_to(
        &mut self,
        asm: &Asm<'a>,
        values: &[Option<ir::Expr>],
        places: &[(&'a AsmOutput, Place)],
        span: Span,
    ) -> Lowered<Vec<ir::Expr>> {
        let mut args: Vec<ir::Expr> = values.iter().flatten().cloned().collect();
        for (output, place) in places {
            if output.updated && self.types.is_scalar(output.place.ty.ty) {
                let value = self.read(place, span)?;
                args.push(self.freeze(value));
            }
        }
        self.at(span);
        let function = self.cx.outside_function(format!("{ASSEMBLY}.{}", asm.code), None);
        self.b.emit(Op::Call { dst: None, callee: Callee::Direct(function), args: args.clone() });
        Ok(args)
    }

    fn output_of(&mut self, asm: &Asm<'a>, nth: usize, ty: Type, args: Vec<ir::Expr>) -> ir::Expr {
        let function = self.cx.outside_function(format!("{ASSEMBLY}.{}.{nth}", asm.code), Some(ty));
        let local = self.temp(ty);
        let dst = Some(Var::Local(local));
        self.b.emit(Op::Call { dst, callee: Callee::Direct(function), args });
        self.local_expr(local, ty)
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
        let id = self.outside_function(ASSEMBLY.to_owned(), None);
        self.assembly = Some(id);
        id
    }

    /// A function without a body that takes whatever it is given.
    fn outside_function(&mut self, name: String, ret: Option<Type>) -> ir::FuncId {
        if let Some(known) = self.program.find_function(&name) {
            return known;
        }
        // As SV-COMP's rules have it, nothing but outputs changes.
        let (body, havocs) =
            outside::unknown("inline assembly", true, self.options.unknown_functions, Pos::default());
        self.program.add_function(ir::Function {
            name: name.into(),
            ret,
            params: 0,
            variadic: true,
            locals: Vec::new(),
            body,
            havocs,
            c_type: "void ()".into(),
            pos: Pos::default(),
        })
    }
}

//! Who calls whom.
//!
//! [`signature_matches`] is the one rule for calls through pointers: the interpreter treats any other call as
//! undefined (the execution ends there), so the functions that pass it are all that an indirect call can reach.

use crate::program::{Function, Storage};
use crate::types::{Target, Type};

/// May a call through a pointer, with arguments of these types and a result kept in `dst`, run `callee`?
///
/// - As many arguments as parameters, or at least as many if the callee is variadic.
/// - Each argument passes into its parameter unchanged ([`same_representation`]).
/// - A call that ignores the result may run anything; one that keeps it needs a callee that returns a value of the
///   same representation.
///
/// Values keep their bits; only the type that reads them changes, from `i32` to `u32` or from `ptr` to `u64`.
pub fn signature_matches(callee: &Function, args: &[Type], dst: Option<Type>, target: &Target) -> bool {
    let Some(params) = callee.locals.get(..callee.params as usize) else { return false };
    let count = if callee.variadic { args.len() >= params.len() } else { args.len() == params.len() };
    let result = match (dst, callee.ret) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(dst), Some(ret)) => same_representation(dst, ret, target),
    };
    count
        && result
        && params.iter().zip(args).all(|(param, &arg)| match param.storage {
            Storage::Register(ty) => same_representation(ty, arg, target),
            Storage::Memory { .. } => false,
        })
}

/// Do values of both types have the same bits in the same kind of machine register? Signedness does not matter,
/// and a pointer is an integer of its width.
pub fn same_representation(a: Type, b: Type, target: &Target) -> bool {
    match (a, b) {
        (Type::Int(a), Type::Int(b)) => a.bits == b.bits,
        (Type::Int(int), Type::Ptr) | (Type::Ptr, Type::Int(int)) => int.bits == target.pointer_bits,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Body, Local, LocalOrigin, Pos};

    fn function(params: &[Type], variadic: bool, ret: Option<Type>) -> Function {
        let local = |(i, &ty): (usize, &Type)| Local {
            name: format!("p{i}").into(),
            storage: Storage::Register(ty),
            origin: LocalOrigin::Param,
            c_type: "".into(),
            pos: Pos::default(),
        };
        Function {
            name: "f".into(),
            ret,
            params: params.len() as u32,
            variadic,
            locals: params.iter().enumerate().map(local).collect(),
            body: Body::Extern,
            c_type: "".into(),
            pos: Pos::default(),
        }
    }

    #[test]
    fn signatures() {
        let check = |callee: &Function, args: &[Type], dst: Option<Type>, expected: [bool; 2]| {
            let found = [Target::LP64, Target::ILP32].map(|t| signature_matches(callee, args, dst, &t));
            assert_eq!(found, expected, "{callee:?} {args:?} {dst:?}");
        };
        let void = function(&[], false, None);
        check(&void, &[], None, [true, true]);
        check(&void, &[Type::I32], None, [false, false]);
        check(&void, &[], Some(Type::I32), [false, false]);
        let int = function(&[Type::I32, Type::Ptr], false, Some(Type::I32));
        check(&int, &[Type::I32, Type::Ptr], Some(Type::I32), [true, true]);
        check(&int, &[Type::U32, Type::Ptr], Some(Type::U32), [true, true]);
        check(&int, &[Type::U32, Type::U64], None, [true, false]);
        check(&int, &[Type::Ptr, Type::Ptr], None, [false, true]);
        check(&int, &[Type::I32, Type::Ptr], Some(Type::Ptr), [false, true]);
        check(&int, &[Type::F32, Type::Ptr], None, [false, false]);
        check(&int, &[Type::I32], None, [false, false]);
        let variadic = function(&[Type::Ptr], true, Some(Type::F64));
        check(&variadic, &[Type::Ptr, Type::F64], Some(Type::F64), [true, true]);
        check(&variadic, &[Type::Ptr], Some(Type::F32), [false, false]);
        check(&variadic, &[], None, [false, false]);
    }
}

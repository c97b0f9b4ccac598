//! Writes a type as C would: `int (*)[3]`, `struct s *`.

use crate::ast::Quals;
use crate::types::{ArrayLen, FloatKind, QualType, TypeId, TypeKind, TypeTable};

pub fn type_to_string(types: &TypeTable, ty: QualType) -> String {
    declaration(types, ty, String::new())
}

/// A declaration of `inner` (a name, or nothing) with this type. Works outwards from the name.
fn declaration(types: &TypeTable, ty: QualType, inner: String) -> String {
    match types.kind(ty.ty) {
        TypeKind::Pointer(to) => {
            let mut text = String::from("*");
            if ty.quals != Quals::default() {
                push_quals(&mut text, ty.quals);
                if inner.is_empty() {
                    text.pop();
                }
            }
            text.push_str(&inner);
            if types.is_array(to.ty) || types.is_function(to.ty) {
                text = format!("({text})");
            }
            declaration(types, *to, text)
        }
        TypeKind::Array(elem, len) => {
            let len = match len {
                ArrayLen::Fixed(n) => n.to_string(),
                ArrayLen::Unknown => String::new(),
                ArrayLen::Variable(_) => "*".into(),
            };
            declaration(types, *elem, format!("{inner}[{len}]"))
        }
        TypeKind::Function(function) => {
            let mut params: Vec<String> =
                function.params.iter().map(|&p| type_to_string(types, QualType::plain(p))).collect();
            if function.variadic {
                params.push("...".into());
            }
            let params = match (function.prototype, params.is_empty()) {
                (false, _) => String::new(),
                (true, true) => "void".into(),
                (true, false) => params.join(", "),
            };
            declaration(types, QualType::plain(function.ret), format!("{inner}({params})"))
        }
        _ => {
            let mut text = String::new();
            push_quals(&mut text, ty.quals);
            text.push_str(&base_name(types, ty.ty));
            if !inner.is_empty() {
                text.push(' ');
                text.push_str(&inner);
            }
            text
        }
    }
}

fn push_quals(text: &mut String, quals: Quals) {
    let all = [
        (quals.is_const, "const "),
        (quals.is_volatile, "volatile "),
        (quals.is_restrict, "restrict "),
        (quals.is_atomic, "_Atomic "),
    ];
    for (_, word) in all.iter().filter(|(set, _)| *set) {
        text.push_str(word);
    }
}

fn base_name(types: &TypeTable, ty: TypeId) -> String {
    let tagged = |keyword: &str, tag: &str| {
        if tag.is_empty() { format!("{keyword} <anonymous>") } else { format!("{keyword} {tag}") }
    };
    match types.kind(ty) {
        TypeKind::Error => "<error>".into(),
        TypeKind::Void => "void".into(),
        TypeKind::Bool => "_Bool".into(),
        TypeKind::Int(kind) => kind.name().into(),
        TypeKind::Float(kind) => float_name(*kind).into(),
        TypeKind::Complex(kind) => format!("_Complex {}", float_name(*kind)),
        TypeKind::Record(id) => {
            let record = types.record(*id);
            tagged(if record.is_union { "union" } else { "struct" }, &record.tag)
        }
        TypeKind::Enum(id) => tagged("enum", &types.enums[id.0 as usize].tag),
        TypeKind::Vector(elem, n) => {
            format!("__vector({n}) {}", type_to_string(types, QualType::plain(*elem)))
        }
        TypeKind::Pointer(_) | TypeKind::Array(..) | TypeKind::Function(_) => {
            type_to_string(types, QualType::plain(ty))
        }
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::FunctionType;

    #[test]
    fn types_read_as_in_c() {
        let mut types = TypeTable::new(ir::Target::LP64);
        let int = QualType::plain(TypeTable::INT);
        let constant = QualType { ty: TypeTable::INT, quals: Quals { is_const: true, ..Quals::default() } };
        let array = types.intern(TypeKind::Array(int, ArrayLen::Fixed(3)));
        let to_array = types.pointer_to(QualType::plain(array));
        let pointer = types.pointer_to(constant);
        let function = types.intern(TypeKind::Function(FunctionType {
            ret: pointer,
            params: vec![TypeTable::CHAR, to_array],
            variadic: true,
            prototype: true,
        }));
        let to_function = types.pointer_to(QualType::plain(function));
        let table = types.intern(TypeKind::Array(QualType::plain(to_function), ArrayLen::Unknown));
        let cases = [
            (array, "int [3]"),
            (to_array, "int (*)[3]"),
            (pointer, "const int *"),
            (function, "const int *(char, int (*)[3], ...)"),
            (table, "const int *(*[])(char, int (*)[3], ...)"),
        ];
        for (ty, expected) in cases {
            assert_eq!(type_to_string(&types, QualType::plain(ty)), expected);
        }
    }
}

//! Functions that gcc knows without a declaration, with their prototypes, and the few whose calls mean an
//! operation.
//!
//! A prototype is a string: the return type, then the parameters, one letter each (see `letter`).

use super::{Checker, FunctionInfo, Linked, primitives};
use crate::hir::{self, Builtin, FuncId, Linkage};
use crate::types::{FloatKind, FunctionType, QualType, TypeId, TypeKind, TypeTable};
use base::{Span, Symbol};

/// A call that is not a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    Math(Builtin, FloatKind),
    Alloca,
    /// `setjmp` and its kind: control flow that the tree cannot show.
    Jump,
    /// `fesetround` and its kind: operations mean something else afterwards.
    Rounding,
}

pub(super) fn special(name: &str) -> Option<Special> {
    match name {
        "alloca" => return Some(Special::Alloca),
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp"
        | "vfork" | "getcontext" | "swapcontext" | "setcontext" => return Some(Special::Jump),
        "fesetround" | "fesetenv" | "feupdateenv" => return Some(Special::Rounding),
        _ => {}
    }
    let math = |base: &str| {
        Some(match base {
            "sqrt" => Builtin::Sqrt,
            "fabs" => Builtin::Abs,
            "floor" => Builtin::Floor,
            "ceil" => Builtin::Ceil,
            "trunc" => Builtin::TruncFloat,
            "rint" | "nearbyint" | "roundeven" => Builtin::RoundEven,
            "round" => Builtin::RoundAway,
            _ => return None,
        })
    };
    if let Some(builtin) = math(name) {
        return Some(Special::Math(builtin, FloatKind::Double));
    }
    if let Some(builtin) = name.strip_suffix('f').and_then(math) {
        return Some(Special::Math(builtin, FloatKind::Float));
    }
    name.strip_suffix('l').and_then(math).map(|b| Special::Math(b, FloatKind::LongDouble))
}

/// The prototype of a library function that gcc has built in.
fn prototype(name: &str) -> Option<&'static str> {
    Some(match name {
        "memcpy" | "memmove" | "mempcpy" => "ppqz",
        "memset" => "ppiz",
        "memcmp" | "bcmp" => "iqqz",
        "memchr" => "pqiz",
        "bzero" => "vpz",
        "bcopy" => "vqpz",
        "strlen" => "zC",
        "strnlen" => "zCz",
        "strcpy" | "strcat" | "stpcpy" => "SSC",
        "strncpy" | "strncat" | "stpncpy" => "SSCz",
        "strcmp" | "strcasecmp" => "iCC",
        "strncmp" | "strncasecmp" => "iCCz",
        "strchr" | "strrchr" | "index" | "rindex" => "SCi",
        "strstr" | "strpbrk" => "SCC",
        "strspn" | "strcspn" => "zCC",
        "strdup" => "SC",
        "strndup" => "SCz",
        "malloc" | "alloca" => "pz",
        "calloc" | "aligned_alloc" => "pzz",
        "realloc" => "ppz",
        "free" => "vp",
        "posix_memalign" => "ipzz",
        "abort" => "v",
        "exit" | "_exit" | "_Exit" => "vi",
        "abs" => "ii",
        "labs" => "ll",
        "llabs" => "xx",
        "printf" | "scanf" => "iC.",
        "fprintf" | "fscanf" => "ipC.",
        "sprintf" => "iSC.",
        "snprintf" => "iSzC.",
        "sscanf" => "iCC.",
        "vprintf" | "vscanf" => "iCa",
        "vfprintf" | "vfscanf" => "ipCa",
        "vsprintf" => "iSCa",
        "vsnprintf" => "iSzCa",
        "vsscanf" => "iCCa",
        "puts" => "iC",
        "putchar" => "ii",
        "fputs" => "iCp",
        "fputc" | "putc" => "iip",
        "fwrite" => "zqzzp",
        "isalnum" | "isalpha" | "isblank" | "iscntrl" | "isdigit" | "isgraph" | "islower" | "isprint"
        | "ispunct" | "isspace" | "isupper" | "isxdigit" | "isascii" | "toascii" | "tolower" | "toupper" => {
            "ii"
        }
        "fork" => "i",
        "ffs" => "ii",
        "ffsl" => "il",
        "ffsll" => "ix",
        "setjmp" | "_setjmp" => "ip",
        "longjmp" => "vpi",
        "__builtin_popcount" | "__builtin_clz" | "__builtin_ctz" | "__builtin_parity" => "iu",
        "__builtin_popcountl" | "__builtin_clzl" | "__builtin_ctzl" | "__builtin_parityl" => "im",
        "__builtin_popcountll" | "__builtin_clzll" | "__builtin_ctzll" | "__builtin_parityll" => "iy",
        "__builtin_ffs" | "__builtin_clrsb" => "ii",
        "__builtin_ffsl" | "__builtin_clrsbl" => "il",
        "__builtin_ffsll" | "__builtin_clrsbll" => "ix",
        "__builtin_bswap16" => "hh",
        "__builtin_bswap32" => "uu",
        "__builtin_bswap64" => "YY",
        "__builtin_bswap128" => "TT",
        "__builtin_ia32_crc32qi" => "uub",
        "__builtin_ia32_crc32hi" => "uuh",
        "__builtin_ia32_crc32si" => "uuu",
        "__builtin_ia32_crc32di" => "yyy",
        "__builtin_signbit" => "id",
        "__builtin_signbitf" => "if",
        "__builtin_signbitl" => "iD",
        "__builtin_powi" => "ddi",
        "__builtin_powif" => "ffi",
        "__builtin_powil" => "DDi",
        "__reprove_overflow_shl" => "Bxxii",
        _ => return primitives::prototype(name),
    })
}

/// Of the functions in <math.h>, in their double form.
fn math_prototype(base: &str) -> Option<&'static str> {
    Some(match base {
        "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "asinh" | "acosh"
        | "atanh" | "exp" | "exp2" | "exp10" | "expm1" | "log" | "log2" | "log10" | "log1p" | "logb"
        | "sqrt" | "cbrt" | "fabs" | "floor" | "ceil" | "trunc" | "rint" | "nearbyint" | "round"
        | "roundeven" | "erf" | "erfc" | "tgamma" | "lgamma" => "dd",
        "pow" | "fmod" | "atan2" | "hypot" | "copysign" | "fmin" | "fmax" | "fdim" | "remainder" | "drem"
        | "nextafter" => "ddd",
        "fma" => "dddd",
        "ldexp" | "scalbn" => "ddi",
        "scalbln" => "ddl",
        "frexp" => "ddI",
        "modf" => "ddM",
        "ilogb" => "id",
        "lround" | "lrint" => "ld",
        "llround" | "llrint" => "xd",
        _ => return None,
    })
}

/// The prototype of a function that gcc knows, and the floating type that it is about.
pub(crate) fn known_prototype(name: &str) -> Option<(&'static str, TypeId)> {
    let of = |text: Option<&'static str>, real| text.map(|text| (text, real));
    of(prototype(name).or_else(|| math_prototype(name)), TypeTable::DOUBLE)
        .or_else(|| of(name.strip_suffix('f').and_then(math_prototype), TypeTable::FLOAT))
        .or_else(|| of(name.strip_suffix('l').and_then(math_prototype), TypeTable::LONGDOUBLE))
}

impl Checker<'_> {
    fn letter(&mut self, letter: u8, real: TypeId) -> TypeId {
        let constant =
            |ty| QualType { ty, quals: crate::ast::Quals { is_const: true, ..Default::default() } };
        match letter {
            b'v' => TypeTable::VOID,
            b'B' => TypeTable::BOOL,
            b'i' => TypeTable::INT,
            b'u' => TypeTable::UINT,
            b'b' => TypeTable::UCHAR,
            b'h' => TypeTable::USHORT,
            b'l' => TypeTable::LONG,
            b'm' => TypeTable::ULONG,
            b'x' => TypeTable::LONGLONG,
            b'y' => TypeTable::ULONGLONG,
            b'Y' if self.types.target.long_bits == 64 => TypeTable::ULONG,
            b'Y' => TypeTable::ULONGLONG,
            b'T' => TypeTable::UINT128,
            b'z' => self.types.size_t(),
            b'd' => real,
            b'f' => TypeTable::FLOAT,
            b'D' => TypeTable::LONGDOUBLE,
            b'a' => {
                let list = self.va_list_type();
                self.adjusted(QualType::plain(list)).ty
            }
            _ => {
                let to = match letter {
                    b'p' => QualType::plain(TypeTable::VOID),
                    b'q' => constant(TypeTable::VOID),
                    b'S' => QualType::plain(TypeTable::CHAR),
                    b'C' => constant(TypeTable::CHAR),
                    b'I' => QualType::plain(TypeTable::INT),
                    _ => QualType::plain(real),
                };
                self.types.pointer_to(to)
            }
        }
    }

    /// The type that gcc gives this function without a declaration.
    fn known_type(&mut self, name: &str) -> Option<TypeId> {
        let (text, real) = known_prototype(name)?;
        let (first, rest) = text.as_bytes().split_first()?;
        let variadic = rest.last() == Some(&b'.');
        let prototype = rest != b"?";
        let rest = match (prototype, variadic) {
            (false, _) => &[],
            (true, true) => &rest[..rest.len() - 1],
            (true, false) => rest,
        };
        let params = rest.iter().map(|&l| self.letter(l, real)).collect();
        let ret = self.letter(*first, real);
        Some(self.types.intern(TypeKind::Function(FunctionType { ret, params, variadic, prototype })))
    }

    /// The function of this name, declared with gcc's own prototype if nobody has declared it.
    pub(super) fn known_function(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
        match self.linked.get(&name) {
            Some(Linked::Function(id)) => return Some(*id),
            Some(Linked::Global(_)) => return None,
            None => {}
        }
        let text = self.names.name(name).to_string();
        let ty = self.known_type(&text)?;
        let noreturn = matches!(&*text, "abort" | "exit" | "_exit" | "_Exit" | "longjmp");
        let info = FunctionInfo { known: true, ..FunctionInfo::default() };
        let id = self.new_function(name, (ty, Linkage::External), span, info);
        self.functions[id.0 as usize].noreturn = noreturn;
        Some(id)
    }

    /// `__builtin_memcpy` used as a value.
    pub(super) fn library_function(&mut self, name: Symbol, span: Span) -> Option<FuncId> {
        let text = self.names.name(name);
        let rest = text.strip_prefix("__builtin_")?.to_string();
        if prototype(text).is_some() {
            return self.known_function(name, span);
        }
        let plain = self.names.intern(&rest);
        self.known_function(plain, span)
    }

    pub(super) fn new_function(
        &mut self,
        name: Symbol,
        (ty, linkage): (TypeId, Linkage),
        span: Span,
        info: FunctionInfo,
    ) -> FuncId {
        let text = self.names.name(name);
        let id = FuncId(self.functions.len() as u32);
        self.function_info.push(FunctionInfo { special: special(text), ..info });
        self.functions.push(hir::Function {
            name: text.into(),
            ty,
            linkage,
            noreturn: false,
            body: None,
            poison: None,
            weak: false,
            weak_symbol: false,
            constructor: None,
            destructor: None,
            alias: None,
            span,
        });
        self.linked.insert(name, Linked::Function(id));
        id
    }
}

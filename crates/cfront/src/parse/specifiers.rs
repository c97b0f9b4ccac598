//! Declaration specifiers: storage classes, qualifiers and the words that make up a type.

use super::{Parsed, Parser};
use crate::ast::{AlignAs, BuiltinType, DeclSpecs, Expr, Ident, Quals, StorageClass, TypeName, TypeSpec};
use crate::lex::{Tok, Token};
use base::Span;

/// Where specifiers stand decides what a name that is no typedef means there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It may be the declared name itself (`static x;`).
    Declaration,
    /// It must be a type that nobody declared.
    Member,
    Parameter,
    TypeName,
}

/// How often each arithmetic keyword was seen.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Words {
    base: Option<Tok>,
    bases: u8,
    shorts: u8,
    ints: u8,
    longs: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
}

impl Words {
    fn add(&mut self, kind: Tok) {
        let count = match kind {
            Tok::Short => &mut self.shorts,
            Tok::Int => &mut self.ints,
            Tok::Long => &mut self.longs,
            Tok::Signed => &mut self.signed,
            Tok::Unsigned => &mut self.unsigned,
            Tok::Complex => &mut self.complex,
            _ => {
                self.base = Some(kind);
                &mut self.bases
            }
        };
        *count = count.saturating_add(1);
    }

    fn any(&self) -> bool {
        *self != Words::default()
    }

    /// The type these words name, if they name one.
    fn resolve(&self) -> Option<BuiltinType> {
        use BuiltinType as B;
        let Words { base, bases, shorts, ints, longs, signed, unsigned, complex } = *self;
        if bases > 1 || shorts > 1 || ints > 1 || longs > 2 || signed > 1 || unsigned > 1 || complex > 1 {
            return None;
        }
        if signed + unsigned > 1 || (shorts > 0 && longs > 0) {
            return None;
        }
        let plain = shorts + ints + longs + signed + unsigned == 0;
        let is_unsigned = unsigned > 0;
        let pick = |signed, unsigned| if is_unsigned { unsigned } else { signed };
        if complex > 0 {
            return match (base, longs) {
                (None, 0) if plain => Some(B::ComplexDouble),
                (Some(Tok::Float | Tok::Float32), 0) if plain => Some(B::ComplexFloat),
                (Some(Tok::Double | Tok::Float64 | Tok::Float32x), 0) if plain => Some(B::ComplexDouble),
                (Some(Tok::Double), 1) if shorts + ints + signed + unsigned == 0 => {
                    Some(B::ComplexLongDouble)
                }
                // There is no type of its own for the quadruple one; <complex.h> declares functions with it.
                (Some(Tok::Float64x | Tok::Float128), 0) if plain => Some(B::ComplexLongDouble),
                _ => None,
            };
        }
        match base {
            None => Some(match (shorts, longs) {
                (1, _) => pick(B::Short, B::UShort),
                (_, 1) => pick(B::Long, B::ULong),
                (_, 2) => pick(B::LongLong, B::ULongLong),
                _ => pick(B::Int, B::UInt),
            }),
            Some(Tok::CharKw) if shorts + ints + longs == 0 => Some(match (signed, unsigned) {
                (1, _) => B::SChar,
                (_, 1) => B::UChar,
                _ => B::Char,
            }),
            Some(Tok::Int128) if shorts + ints + longs == 0 => Some(pick(B::Int128, B::UInt128)),
            Some(Tok::Double) if longs == 1 && shorts + ints + signed + unsigned == 0 => Some(B::LongDouble),
            Some(word) if plain => match word {
                Tok::Void => Some(B::Void),
                Tok::Bool => Some(B::Bool),
                Tok::Float | Tok::Float32 => Some(B::Float),
                Tok::Double | Tok::Float64 | Tok::Float32x => Some(B::Double),
                Tok::Float64x => Some(B::LongDouble),
                Tok::Float128 => Some(B::Float128),
                Tok::Int128T => Some(B::Int128),
                Tok::Uint128T => Some(B::UInt128),
                Tok::VaList => Some(B::VaList),
                // `long` is as wide as a pointer in both data models.
                Tok::SizeT => Some(B::ULong),
                Tok::SsizeT => Some(B::Long),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The type found so far.
#[derive(Default)]
struct Found {
    words: Words,
    first_word: u32,
    spec: Option<TypeSpec>,
    /// Two types in one declaration; reported.
    mixed: bool,
}

impl Found {
    fn any(&self) -> bool {
        self.spec.is_some() || self.words.any()
    }

    /// Whether this is a `struct`, `union` or `enum` with its members.
    fn defines(&self) -> bool {
        match &self.spec {
            Some(TypeSpec::Record(record)) => record.fields.is_some(),
            Some(TypeSpec::Enum(spec)) => spec.enumerators.is_some(),
            _ => false,
        }
    }
}

impl Parser<'_> {
    pub(super) fn decl_specs(&mut self, place: Place) -> Parsed<DeclSpecs> {
        let lo = self.token().lo;
        let mut specs = DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            align_as: Vec::new(),
            attributes: Vec::new(),
            ty: TypeSpec::Implicit,
            span: Span::NONE,
        };
        let mut found = Found::default();
        let first = self.pos;
        loop {
            let token = self.token();
            match token.kind {
                Tok::Typedef => self.storage(&mut specs, StorageClass::Typedef),
                Tok::Extern => self.storage(&mut specs, StorageClass::Extern),
                Tok::Static => self.storage(&mut specs, StorageClass::Static),
                Tok::Auto => self.storage(&mut specs, StorageClass::Auto),
                Tok::Register => self.storage(&mut specs, StorageClass::Register),
                Tok::ThreadLocal => {
                    specs.thread_local = true;
                    self.bump();
                }
                Tok::Inline => {
                    specs.inline = true;
                    self.bump();
                }
                Tok::Noreturn => {
                    specs.noreturn = true;
                    self.bump();
                }
                Tok::Extension => {
                    self.bump();
                }
                Tok::Atomic if self.peek_at(1) == Tok::LParen => {
                    self.bump();
                    let open = self.bump();
                    let ty = self.type_name()?;
                    self.expect_close(Tok::RParen, open, "')' after type")?;
                    self.set_type(&mut found, token, TypeSpec::Atomic(Box::new(ty)));
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    self.qualifier(&mut specs.quals);
                }
                Tok::Alignas => {
                    let align = self.align_as()?;
                    specs.align_as.push(align);
                }
                Tok::Attribute => self.attributes(&mut specs.attributes)?,
                Tok::LBracket if self.at_bracket_attribute() => self.attributes(&mut specs.attributes)?,
                kind if is_type_word(kind) => {
                    if found.defines() {
                        let end = self.prev_end();
                        self.error(Span::new(end, end), "expected ';' after struct, union or enum");
                        break;
                    }
                    if found.spec.is_some() {
                        self.two_types(&mut found, token);
                    }
                    if !found.words.any() {
                        found.first_word = token.lo;
                    }
                    found.words.add(kind);
                    self.bump();
                }
                Tok::Struct | Tok::Union | Tok::Enum => {
                    if found.defines() {
                        let end = self.prev_end();
                        self.error(Span::new(end, end), "expected ';' after struct, union or enum");
                        break;
                    }
                    let spec = match token.kind {
                        Tok::Enum => TypeSpec::Enum(Box::new(self.enum_spec()?)),
                        _ => TypeSpec::Record(Box::new(self.nested(|p| p.record_spec())?)),
                    };
                    self.set_type(&mut found, token, spec);
                }
                Tok::Typeof => {
                    let spec = self.typeof_spec()?;
                    self.set_type(&mut found, token, spec);
                }
                Tok::AutoType => {
                    self.bump();
                    self.set_type(&mut found, token, TypeSpec::Auto);
                }
                Tok::Ident if !found.any() && self.is_typedef(token.symbol) => {
                    self.bump();
                    let ident = Ident { name: token.symbol, span: token.span() };
                    found.spec = Some(TypeSpec::Typedef(ident));
                }
                Tok::Ident if !found.any() && self.is_unknown_type(place) => {
                    let name = self.token_text(token);
                    self.error(token.span(), format!("unknown type name '{name}'"));
                    self.bump();
                    found.spec = Some(TypeSpec::Error);
                }
                _ => break,
            }
        }
        specs.span = self.span_from(lo);
        if let Some(spec) = found.spec {
            specs.ty = spec;
        } else if found.words.any() {
            specs.ty = match found.words.resolve() {
                Some(builtin) => TypeSpec::Builtin(builtin),
                None => {
                    let span = Span::new(found.first_word, specs.span.hi);
                    self.error(span, "invalid combination of type specifiers");
                    TypeSpec::Error
                }
            };
        } else if self.pos == first {
            self.no_specifiers(place)?;
        }
        Ok(specs)
    }

    /// Not a single specifier: fine for `main() {...}` and `x = 1;` at file level, nowhere else.
    fn no_specifiers(&mut self, place: Place) -> Parsed<()> {
        match place {
            Place::Declaration if matches!(self.peek(), Tok::Ident | Tok::Star | Tok::LParen) => Ok(()),
            Place::Declaration => Err(self.expected("declaration")),
            Place::Member => Err(self.expected("member declaration")),
            Place::Parameter => Err(self.expected("parameter declaration")),
            Place::TypeName => Err(self.expected("type name")),
        }
    }

    /// Whether the identifier here, no typedef, can only be meant as a type.
    fn is_unknown_type(&self, place: Place) -> bool {
        match self.peek_at(1) {
            Tok::Ident | Tok::Star => true,
            kind if is_type_word(kind) => true,
            Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Struct | Tok::Union | Tok::Enum => true,
            _ => place != Place::Declaration,
        }
    }

    fn set_type(&mut self, found: &mut Found, token: Token, spec: TypeSpec) {
        if found.any() {
            self.two_types(found, token);
        }
        found.spec = Some(spec);
    }

    fn two_types(&mut self, found: &mut Found, token: Token) {
        if !found.mixed && !matches!(found.spec, Some(TypeSpec::Error)) {
            found.mixed = true;
            self.error(token.span(), "two or more types in one declaration");
        }
        found.spec = Some(TypeSpec::Error);
    }

    fn storage(&mut self, specs: &mut DeclSpecs, class: StorageClass) {
        let token = self.token();
        match specs.storage {
            None => specs.storage = Some((class, token.span())),
            Some((old, _)) if old == class => {
                let name = self.token_text(token);
                self.error(token.span(), format!("duplicate '{name}'"));
            }
            Some((_, span)) => {
                let diagnostic =
                    base::Diagnostic::error(token.span(), "more than one storage class in a declaration");
                self.report(diagnostic.note(span, "the first one is here"));
            }
        }
        self.bump();
    }

    /// Takes a qualifier, if there is one.
    pub(super) fn qualifier(&mut self, quals: &mut Quals) -> bool {
        match self.peek() {
            Tok::Const => quals.is_const = true,
            Tok::Volatile => quals.is_volatile = true,
            Tok::Restrict => quals.is_restrict = true,
            Tok::Atomic => quals.is_atomic = true,
            _ => return false,
        }
        self.bump();
        true
    }

    fn align_as(&mut self) -> Parsed<AlignAs> {
        self.bump();
        let open = self.expect(Tok::LParen, "'(' after '_Alignas'")?;
        let align = match self.type_or_expr()? {
            Operand::Type(ty) => AlignAs::Type(ty),
            Operand::Expr(expr) => AlignAs::Expr(expr),
        };
        self.expect_close(Tok::RParen, open, "')' after alignment")?;
        Ok(align)
    }

    fn typeof_spec(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        let open = self.expect(Tok::LParen, "'(' after 'typeof'")?;
        let spec = match self.type_or_expr()? {
            Operand::Type(ty) => TypeSpec::TypeofType(Box::new(ty)),
            Operand::Expr(expr) => TypeSpec::TypeofExpr(Box::new(expr)),
        };
        self.expect_close(Tok::RParen, open, "')' after the operand of 'typeof'")?;
        Ok(spec)
    }

    fn type_or_expr(&mut self) -> Parsed<Operand> {
        if self.starts_type_name(self.pos) {
            return Ok(Operand::Type(self.type_name()?));
        }
        Ok(Operand::Expr(self.expr()?))
    }

    /// Whether token `index` starts a type name.
    pub(super) fn starts_type_name(&self, mut index: usize) -> bool {
        loop {
            let token = self.tokens[index.min(self.tokens.len() - 1)];
            return match token.kind {
                Tok::Ident => self.is_typedef(token.symbol),
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => true,
                Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::AutoType => true,
                Tok::Attribute => {
                    index = self.behind_attributes(index);
                    continue;
                }
                Tok::Extension => {
                    index += 1;
                    continue;
                }
                kind => is_type_word(kind),
            };
        }
    }

    /// Whether the current token starts a declaration.
    pub(super) fn starts_declaration(&self) -> bool {
        match self.peek() {
            Tok::Typedef | Tok::Extern | Tok::Static | Tok::Auto | Tok::Register => true,
            Tok::ThreadLocal | Tok::Inline | Tok::Noreturn | Tok::Alignas | Tok::Attribute => true,
            Tok::Extension => {
                let mut n = 1;
                while self.peek_at(n) == Tok::Extension {
                    n += 1;
                }
                matches!(self.peek_at(n), Tok::Typedef | Tok::Extern | Tok::Static | Tok::Inline)
                    || self.starts_type_name(self.pos + n)
            }
            _ => self.starts_type_name(self.pos),
        }
    }
}

/// What `typeof` and `_Alignas` take.
enum Operand {
    Type(TypeName),
    Expr(Expr),
}

fn is_type_word(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Void
            | Tok::Bool
            | Tok::CharKw
            | Tok::Short
            | Tok::Int
            | Tok::Long
            | Tok::Signed
            | Tok::Unsigned
            | Tok::Int128
            | Tok::Int128T
            | Tok::Uint128T
            | Tok::Float
            | Tok::Double
            | Tok::Float128
            | Tok::Float32
            | Tok::Float64
            | Tok::Float32x
            | Tok::Float64x
            | Tok::Complex
            | Tok::VaList
            | Tok::SizeT
            | Tok::SsizeT
    )
}

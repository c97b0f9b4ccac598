//! Numbers as C expressions that mean the same: evaluating one overflows nowhere.
//!
//! A [`Number`] is a mathematical integer over C variables. C has no such thing, so an expression is written
//! for a type in which every part of it fits, whatever values the variables have; where no type is large
//! enough there is no expression. Conversions that wrap are casts, which C (as all its compilers) understands
//! modulo a power of two.

use ir::IntType;

/// A mathematical integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    Const(i128),
    Variable {
        text: String,
        ty: IntType,
    },
    Sum(Vec<Number>),
    Scaled(i128, Box<Number>),
    Product(Box<Number>, Box<Number>),
    /// Modulo a power of two, in the range of a type.
    Wrapped(IntType, Box<Number>),
    /// By a positive number, of one that is not negative.
    Quotient(Box<Number>, i128),
    Remainder(Box<Number>, i128),
    /// `&`, `|` or `^` of numbers that are not negative.
    Bits(char, Box<Number>, Box<Number>),
    /// A C condition, and a number for either case.
    Choice(String, Box<Number>, Box<Number>),
}

/// A type to compute in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    Int,
    Word,
    Long,
    Unsigned,
}

impl Rank {
    /// The simplest first.
    pub const ALL: [Rank; 4] = [Rank::Int, Rank::Word, Rank::Long, Rank::Unsigned];

    fn ty(self) -> IntType {
        match self {
            Rank::Int => IntType::new(32, true),
            Rank::Word => IntType::new(32, false),
            Rank::Long => IntType::new(64, true),
            Rank::Unsigned => IntType::new(64, false),
        }
    }

    fn has(self, range: (i128, i128)) -> bool {
        let (low, high) = limits(self.ty());
        low <= range.0 && range.1 <= high
    }

    fn cast(self) -> &'static str {
        match self {
            Rank::Int => "(int)",
            Rank::Word => "(unsigned int)",
            Rank::Long => "(long long)",
            Rank::Unsigned => "(unsigned long long)",
        }
    }
}

/// The least and the greatest value of a type of at most 64 bits.
pub fn limits(ty: IntType) -> (i128, i128) {
    let count = 1i128 << ty.bits.min(64);
    if ty.signed { (-count / 2, count / 2 - 1) } else { (0, count - 1) }
}

impl Number {
    pub fn sum(mut parts: Vec<Number>) -> Number {
        match parts.len() {
            0 => Number::Const(0),
            1 => parts.swap_remove(0),
            _ => Number::Sum(parts),
        }
    }

    pub fn wrapped(ty: IntType, inner: Number) -> Number {
        let (low, high) = limits(ty);
        match inner.range() {
            Some(range) if low <= range.0 && range.1 <= high => inner,
            _ => Number::Wrapped(ty, Box::new(inner)),
        }
    }

    /// Between which numbers it lies; none if that is beyond everything that is of use.
    pub fn range(&self) -> Option<(i128, i128)> {
        match self {
            Number::Const(value) => Some((*value, *value)),
            Number::Variable { ty, .. } | Number::Wrapped(ty, _) => Some(limits(*ty)),
            Number::Sum(parts) => {
                let mut sum = (0i128, 0i128);
                for part in parts {
                    let (low, high) = part.range()?;
                    sum = (sum.0.checked_add(low)?, sum.1.checked_add(high)?);
                }
                Some(sum)
            }
            Number::Scaled(factor, inner) => product((*factor, *factor), inner.range()?),
            Number::Product(a, b) => product(a.range()?, b.range()?),
            Number::Quotient(inner, by) => {
                let (low, high) = inner.range().filter(|(low, _)| *low >= 0 && *by > 0)?;
                Some((low / by, high / by))
            }
            Number::Remainder(inner, by) => {
                let (_, high) = inner.range().filter(|(low, _)| *low >= 0 && *by > 0)?;
                Some((0, high.min(by - 1)))
            }
            Number::Bits(operator, a, b) => {
                let (a, b) = (a.range()?, b.range()?);
                if a.0 < 0 || b.0 < 0 {
                    return None;
                }
                // No bit is set above the highest of either.
                let bits = 128 - (a.1 | b.1).leading_zeros();
                let all = 1i128.checked_shl(bits).filter(|_| bits < 127)? - 1;
                Some((0, if *operator == '&' { a.1.min(b.1) } else { all }))
            }
            Number::Choice(_, a, b) => {
                let (a, b) = (a.range()?, b.range()?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
        }
    }

    /// An expression of this type, exactly.
    pub fn text(&self, rank: Rank) -> Option<String> {
        if !rank.has(self.range()?) {
            return None;
        }
        Some(match self {
            Number::Const(value) => constant(*value, rank),
            // Smaller types are promoted to int.
            Number::Variable { text, ty } if *ty == rank.ty() || rank == Rank::Int => text.clone(),
            Number::Variable { text, .. } => format!("{}{text}", rank.cast()),
            Number::Sum(parts) => {
                let mut out = String::new();
                let mut so_far = (0i128, 0i128);
                for (i, part) in parts.iter().enumerate() {
                    let (low, high) = part.range()?;
                    so_far = (so_far.0 + low, so_far.1 + high);
                    // Sums are computed from the left.
                    if !rank.has(so_far) {
                        return None;
                    }
                    match part {
                        Number::Const(c) if i > 0 && *c < 0 && rank.has((-c, -c)) => {
                            out += &format!(" - {}", constant(-c, rank));
                        }
                        _ if i > 0 => out += &format!(" + {}", part.text(rank)?),
                        _ => out += &part.text(rank)?,
                    }
                }
                format!("({out})")
            }
            Number::Scaled(factor, inner) => {
                if !rank.has((*factor, *factor)) {
                    return None;
                }
                format!("({} * {})", constant(*factor, rank), inner.text(rank)?)
            }
            Number::Product(a, b) => format!("({} * {})", a.text(rank)?, b.text(rank)?),
            Number::Wrapped(ty, inner) => {
                let inner = inner.modulo()?;
                match type_name(*ty) {
                    Some(name) if *ty == rank.ty() || rank == Rank::Int => format!("(({name}){inner})"),
                    Some(name) => format!("({}({name}){inner})", rank.cast()),
                    None if ty.signed || ty.bits > 64 => return None,
                    None => {
                        format!("({}({inner} & {}))", rank.cast(), constant(limits(*ty).1, Rank::Unsigned))
                    }
                }
            }
            Number::Quotient(inner, by) => {
                format!("({} / {})", inner.text(rank)?, rank.has((*by, *by)).then(|| constant(*by, rank))?)
            }
            Number::Remainder(inner, by) => {
                format!("({} % {})", inner.text(rank)?, rank.has((*by, *by)).then(|| constant(*by, rank))?)
            }
            Number::Bits(operator, a, b) => format!("({} {operator} {})", a.text(rank)?, b.text(rank)?),
            Number::Choice(cond, a, b) => format!("({cond} ? {} : {})", a.text(rank)?, b.text(rank)?),
        })
    }

    /// An expression of type `unsigned long long` that is the same modulo 2^64.
    fn modulo(&self) -> Option<String> {
        Some(match self {
            Number::Const(value) => constant(value & i128::from(u64::MAX), Rank::Unsigned),
            Number::Variable { text, .. } => format!("(unsigned long long){text}"),
            Number::Sum(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(Number::modulo).collect();
                format!("({})", parts?.join(" + "))
            }
            Number::Scaled(factor, inner) => {
                format!("({} * {})", Number::Const(*factor).modulo()?, inner.modulo()?)
            }
            Number::Product(a, b) => format!("({} * {})", a.modulo()?, b.modulo()?),
            Number::Choice(cond, a, b) => format!("({cond} ? {} : {})", a.modulo()?, b.modulo()?),
            _ => match self.text(Rank::Unsigned) {
                Some(text) => text,
                None => format!("(unsigned long long){}", self.text(Rank::Long)?),
            },
        })
    }
}

fn product(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let corners =
        [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}

/// A constant that fits into the type. The least number of a type has no constant of its own.
fn constant(value: i128, rank: Rank) -> String {
    let suffix = match rank {
        Rank::Int => "",
        Rank::Word => "U",
        Rank::Long => "LL",
        Rank::Unsigned => "ULL",
    };
    if value == limits(rank.ty()).0 && value < 0 {
        return format!("({}{suffix} - 1{suffix})", value + 1);
    }
    if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") }
}

/// A constant expression with this value, of whatever type.
pub fn plain(value: i128) -> Option<String> {
    let rank = Rank::ALL.into_iter().find(|rank| rank.has((value, value)))?;
    let text = constant(value, rank);
    // Nothing is around it.
    Some(text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).map(str::to_owned).unwrap_or(text))
}

/// A type with this range on every target.
fn type_name(ty: IntType) -> Option<&'static str> {
    Some(match (ty.bits, ty.signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

//! Functions without a body, and without a model: what calls of them may do.

use ir::{Body, Pos};

/// What is taken for granted of functions without a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnknownFunctions {
    /// They may write whatever they can reach, and return any value (`ir::Function::havocs`).
    Havoc,
    /// They return any value and do nothing else, as SV-COMP's rules say.
    #[default]
    Pure,
    /// Nothing is: executions that call one are not followed.
    Refuse,
}

impl UnknownFunctions {
    pub const ALL: [UnknownFunctions; 3] =
        [UnknownFunctions::Havoc, UnknownFunctions::Pure, UnknownFunctions::Refuse];

    pub fn named(name: &str) -> Option<UnknownFunctions> {
        UnknownFunctions::ALL.into_iter().find(|policy| policy.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            UnknownFunctions::Havoc => "havoc",
            UnknownFunctions::Pure => "pure",
            UnknownFunctions::Refuse => "refuse",
        }
    }
}

/// The body of a function that nobody defines, and whether it havocs. A foreign one is not the library's,
/// whatever its name.
pub fn unknown(name: &str, foreign: bool, policy: UnknownFunctions, pos: Pos) -> (Body, bool) {
    match policy {
        _ if !foreign && is_harmless(name) => (Body::Extern, false),
        UnknownFunctions::Havoc => (Body::Extern, true),
        UnknownFunctions::Pure => (Body::Extern, false),
        UnknownFunctions::Refuse => {
            let reason = format!("'{name}' has no body, and --unknown-functions refuses such calls");
            (Body::Poisoned { reason: reason.into(), pos }, false)
        }
    }
}

/// What code that has no name of its own is, and whether it havocs.
pub fn unknown_body(what: &str, policy: UnknownFunctions) -> (Body, bool) {
    unknown(what, true, policy, Pos::default())
}

/// Library functions that write no memory of the program, by what the standards say of them. Those that print
/// are executed by the interpreter, and those that print to a buffer are known as such wherever memory is.
pub fn is_harmless(name: &str) -> bool {
    let base = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")).unwrap_or(name);
    let base = base.strip_suffix("_unlocked").unwrap_or(base);
    PRINTING.contains(&base) || QUIET.contains(&base) || is_math(base)
}

const PRINTING: [&str; 18] = [
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "dprintf",
    "vdprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "perror",
    "syslog",
];

const QUIET: [&str; 96] = [
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "rand",
    "srand",
    "random",
    "srandom",
    "drand48",
    "lrand48",
    "srand48",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "memcmp",
    "bcmp",
    "strspn",
    "strcspn",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "htons",
    "htonl",
    "ntohs",
    "ntohl",
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getpagesize",
    "sysconf",
    "clock",
    "sleep",
    "usleep",
    "nanosleep",
    "alarm",
    "close",
    "open",
    "openat",
    "creat",
    "write",
    "pwrite",
    "send",
    "sendto",
    "lseek",
    "unlink",
    "rmdir",
    "mkdir",
    "chdir",
    "rename",
    "remove",
    "access",
    "isatty",
    "fsync",
    "dup",
    "dup2",
    "kill",
    "raise",
    "fork",
    "fopen",
    "fdopen",
    "fclose",
    "fflush",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "clearerr",
    "fileno",
    "setlocale",
    "fgetc",
    "getc",
    "getchar",
];

/// Of <math.h>, in all three types; those with a pointer to write to (`modf`, `frexp`, `remquo`, `lgamma_r`)
/// are not here.
fn is_math(name: &str) -> bool {
    const MATH: [&str; 44] = [
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "logb",
        "sqrt",
        "cbrt",
        "fabs",
        "floor",
        "ceil",
        "trunc",
        "rint",
        "nearbyint",
        "round",
        "erf",
        "erfc",
        "tgamma",
        "pow",
        "fmod",
        "atan2",
        "hypot",
        "copysign",
        "fmin",
        "fmax",
        "fdim",
        "fma",
        "ldexp",
        "scalbn",
        "lround",
    ];
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    MATH.contains(&name) || MATH.contains(&base)
}

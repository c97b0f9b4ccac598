//! From text to a program.

use cfront::Options;
use ir::{CheckKind, Program, Target};

/// What programs of the tests may use without declaring it.
const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern void __VERIFIER_error(void);
extern void reach_error(void);
extern void abort(void);
extern void exit(int);
typedef SIZE size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
extern char *strcpy(char *, const char *);
extern int strcmp(const char *, const char *);
";

/// How many lines come before the text in [`with_prelude`].
pub fn prelude_lines() -> usize {
    PRELUDE.lines().count()
}

/// Compiled after [`PRELUDE`].
pub fn with_prelude(text: &str, target: Target, checks: &[CheckKind]) -> Result<Program, String> {
    let size = if target == Target::ILP32 { "unsigned int" } else { "unsigned long" };
    let text = PRELUDE.replace("SIZE", size) + text;
    compile_with(&text, &Options { target, checks: checks.iter().copied().collect(), ..Options::default() })
}

/// With these checks besides errors and assertions, on a machine with 64 bits.
pub fn compile(text: &str, checks: &[CheckKind]) -> Result<Program, String> {
    let options =
        Options { target: Target::LP64, checks: checks.iter().copied().collect(), ..Options::default() };
    compile_with(text, &options)
}

/// A program that the verifier accepts, or what is wrong with the text.
pub fn compile_with(text: &str, options: &Options) -> Result<Program, String> {
    let output = cfront::with_stack(|| cfront::compile_text("test.c", text, options))
        .map_err(|_| "the front end panicked".to_owned())?;
    let errors: Vec<String> = output.diagnostics.iter().map(|d| d.message.to_string()).collect();
    let program = output.program.ok_or_else(|| format!("{}\n{text}", errors.join("; ")))?;
    ir::verify(&program).map_err(|problems| format!("{problems:?}\n{text}"))?;
    Ok(program)
}

/// A program of a test, which compiles.
pub fn program(text: &str) -> Program {
    compile(text, &[]).unwrap_or_else(|what| panic!("{what}"))
}

//! The only unsafe code: Z3's C interface behind owned, reference-counted handles.
//!
//! The `z3` crate's safe interface is not used: it panics where Z3 reports an error, and ties every object to
//! a context per thread, so that an answer would depend on what else the thread did before. Here every handle
//! holds its context, and calls answer `None` where Z3 does. Nothing in here knows terms; `translate` does.
//!
//! Why the calls are sound, once for all of them:
//! - a handle is made only from a pointer that Z3 just returned for its context, and counts one reference
//!   until it is dropped;
//! - a handle keeps its context alive (`Rc<Ctx>`), and contexts stay on their thread (`Rc` is not `Send`);
//! - objects of different contexts never meet in a call: `Ctx::owns` is asked first;
//! - Z3 catches its own exceptions and reports errors by a null pointer, since no error handler is set;
//! - strings that Z3 returns live until the next call and are copied at once.

use std::ffi::{CStr, CString, c_char, c_uint};
use std::rc::Rc;
use z3_sys::*;

mod solve;

pub(crate) use solve::{Answer, Fixedpoint, Goal, Model, Params, Solver, Tactic, Target};
pub(crate) use z3_sys::DeclKind;

/// The shapes of Z3's functions that make terms.
pub(crate) type Make0 = unsafe extern "C" fn(Z3_context) -> Option<Z3_ast>;
pub(crate) type Make1 = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
pub(crate) type Make2 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub(crate) type Make3 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub(crate) type MakeN = unsafe extern "C" fn(Z3_context, c_uint, *const Z3_ast) -> Option<Z3_ast>;
pub(crate) type Make1By = unsafe extern "C" fn(Z3_context, c_uint, Z3_ast) -> Option<Z3_ast>;

unsafe extern "C" {
    // z3-sys reads these numbers as Rust enums, and a number that it does not know would be undefined
    // behaviour.
    #[link_name = "Z3_get_decl_kind"]
    fn decl_kind_number(c: Z3_context, d: Z3_func_decl) -> c_uint;
    #[link_name = "Z3_get_sort_kind"]
    fn sort_kind_number(c: Z3_context, s: Z3_sort) -> c_uint;
    #[link_name = "Z3_get_ast_kind"]
    fn ast_kind_number(c: Z3_context, a: Z3_ast) -> c_uint;
    #[link_name = "Z3_get_symbol_kind"]
    fn symbol_kind_number(c: Z3_context, s: Z3_symbol) -> c_uint;
}

pub(crate) fn full_version() -> String {
    // Sound: returns a static string.
    text(unsafe { Z3_get_full_version() })
}

fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // Sound: Z3's strings end with a zero and live until the next call.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// A name as C wants it; a zero byte cannot be part of one.
fn c_name(name: &str) -> CString {
    CString::new(name.replace('\0', "?")).unwrap_or_default()
}

pub(crate) struct Ctx(Z3_context);

impl Drop for Ctx {
    fn drop(&mut self) {
        // Sound: handles hold an `Rc` of this, so this is the last user.
        unsafe { Z3_del_context(self.0) }
    }
}

impl Ctx {
    /// None if Z3 cannot give one (no memory).
    pub(crate) fn new() -> Option<Rc<Ctx>> {
        // Sound: the configuration is only needed while the context is made. Without a handler, errors are
        // null results.
        unsafe {
            let config = Z3_mk_config()?;
            let ctx = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let ctx = ctx?;
            Z3_set_error_handler(ctx, None);
            Some(Rc::new(Ctx(ctx)))
        }
    }

    fn owns(&self, ast: &Ast) -> bool {
        std::ptr::eq(self, Rc::as_ptr(&ast.ctx))
    }

    fn owns_all(&self, asts: &[&Ast]) -> bool {
        asts.iter().all(|a| self.owns(a))
    }

    fn wrap(self: &Rc<Ctx>, ptr: Option<Z3_ast>) -> Option<Ast> {
        ptr.map(|ptr| Ast::wrap(self, ptr))
    }

    fn symbol(&self, name: &str) -> Option<Z3_symbol> {
        // Sound: Z3 copies the name; symbols live as long as the process.
        unsafe { Z3_mk_string_symbol(self.0, c_name(name).as_ptr()) }
    }

    fn symbol_text(&self, symbol: Z3_symbol) -> String {
        // Numbers from z3_api.h: 0 is a number, 1 a string.
        unsafe {
            match symbol_kind_number(self.0, symbol) {
                1 => text(Z3_get_symbol_string(self.0, symbol)),
                _ => format!("k!{}", Z3_get_symbol_int(self.0, symbol)),
            }
        }
    }

    /// What went wrong last.
    pub(crate) fn error(&self) -> String {
        unsafe { text(Z3_get_error_msg(self.0, Z3_get_error_code(self.0))) }
    }

    pub(crate) fn bool_sort(self: &Rc<Ctx>) -> Option<ZSort> {
        ZSort::wrap(self, unsafe { Z3_mk_bool_sort(self.0) })
    }

    pub(crate) fn int_sort(self: &Rc<Ctx>) -> Option<ZSort> {
        ZSort::wrap(self, unsafe { Z3_mk_int_sort(self.0) })
    }

    pub(crate) fn bv_sort(self: &Rc<Ctx>, width: u32) -> Option<ZSort> {
        ZSort::wrap(self, unsafe { Z3_mk_bv_sort(self.0, width) })
    }

    pub(crate) fn float_sort(self: &Rc<Ctx>, exponent: u32, significand: u32) -> Option<ZSort> {
        ZSort::wrap(self, unsafe { Z3_mk_fpa_sort(self.0, exponent, significand) })
    }

    pub(crate) fn array_sort(self: &Rc<Ctx>, index: &ZSort, element: &ZSort) -> Option<ZSort> {
        ZSort::wrap(self, unsafe { Z3_mk_array_sort(self.0, index.ptr, element.ptr) })
    }

    pub(crate) fn constant(self: &Rc<Ctx>, name: &str, sort: &ZSort) -> Option<Ast> {
        let symbol = self.symbol(name)?;
        self.wrap(unsafe { Z3_mk_const(self.0, symbol, sort.ptr) })
    }

    pub(crate) fn decl(self: &Rc<Ctx>, name: &str, domain: &[ZSort], range: &ZSort) -> Option<Decl> {
        let symbol = self.symbol(name)?;
        let domain: Vec<Z3_sort> = domain.iter().map(|s| s.ptr).collect();
        Decl::wrap(self, unsafe {
            Z3_mk_func_decl(self.0, symbol, domain.len() as c_uint, domain.as_ptr(), range.ptr)
        })
    }

    /// A number from its decimal digits.
    pub(crate) fn numeral(self: &Rc<Ctx>, digits: &str, sort: &ZSort) -> Option<Ast> {
        let digits = c_name(digits);
        self.wrap(unsafe { Z3_mk_numeral(self.0, digits.as_ptr(), sort.ptr) })
    }

    // Sound, for all that follow: the functions given are Z3's own `Z3_mk_` functions of that shape, and they
    // check sorts.

    pub(crate) fn make0(self: &Rc<Ctx>, f: Make0) -> Option<Ast> {
        self.wrap(unsafe { f(self.0) })
    }

    pub(crate) fn make1(self: &Rc<Ctx>, f: Make1, a: &Ast) -> Option<Ast> {
        self.owns(a).then(|| self.wrap(unsafe { f(self.0, a.ptr) }))?
    }

    pub(crate) fn make2(self: &Rc<Ctx>, f: Make2, a: &Ast, b: &Ast) -> Option<Ast> {
        self.owns_all(&[a, b]).then(|| self.wrap(unsafe { f(self.0, a.ptr, b.ptr) }))?
    }

    pub(crate) fn make3(self: &Rc<Ctx>, f: Make3, a: &Ast, b: &Ast, c: &Ast) -> Option<Ast> {
        self.owns_all(&[a, b, c]).then(|| self.wrap(unsafe { f(self.0, a.ptr, b.ptr, c.ptr) }))?
    }

    pub(crate) fn make_n(self: &Rc<Ctx>, f: MakeN, args: &[&Ast]) -> Option<Ast> {
        if !self.owns_all(args) {
            return None;
        }
        let args: Vec<Z3_ast> = args.iter().map(|a| a.ptr).collect();
        self.wrap(unsafe { f(self.0, args.len() as c_uint, args.as_ptr()) })
    }

    /// Extensions, `int2bv`.
    pub(crate) fn make1_by(self: &Rc<Ctx>, f: Make1By, n: u32, a: &Ast) -> Option<Ast> {
        self.owns(a).then(|| self.wrap(unsafe { f(self.0, n, a.ptr) }))?
    }

    pub(crate) fn extract(self: &Rc<Ctx>, high: u32, low: u32, a: &Ast) -> Option<Ast> {
        self.owns(a).then(|| self.wrap(unsafe { Z3_mk_extract(self.0, high, low, a.ptr) }))?
    }

    pub(crate) fn bv_to_int(self: &Rc<Ctx>, a: &Ast, signed: bool) -> Option<Ast> {
        self.owns(a).then(|| self.wrap(unsafe { Z3_mk_bv2int(self.0, a.ptr, signed) }))?
    }

    pub(crate) fn mul_no_overflow(self: &Rc<Ctx>, a: &Ast, b: &Ast, signed: bool) -> Option<Ast> {
        let make = || self.wrap(unsafe { Z3_mk_bvmul_no_overflow(self.0, a.ptr, b.ptr, signed) });
        self.owns_all(&[a, b]).then(make)?
    }

    pub(crate) fn const_array(self: &Rc<Ctx>, index: &ZSort, value: &Ast) -> Option<Ast> {
        self.owns(value).then(|| self.wrap(unsafe { Z3_mk_const_array(self.0, index.ptr, value.ptr) }))?
    }

    pub(crate) fn float_from_bits(self: &Rc<Ctx>, bits: &Ast, sort: &ZSort) -> Option<Ast> {
        self.owns(bits).then(|| self.wrap(unsafe { Z3_mk_fpa_to_fp_bv(self.0, bits.ptr, sort.ptr) }))?
    }

    /// From another format (`None`), a signed or an unsigned number.
    pub(crate) fn float_from(
        self: &Rc<Ctx>,
        signed: Option<bool>,
        mode: &Ast,
        a: &Ast,
        sort: &ZSort,
    ) -> Option<Ast> {
        let f = match signed {
            None => Z3_mk_fpa_to_fp_float,
            Some(true) => Z3_mk_fpa_to_fp_signed,
            Some(false) => Z3_mk_fpa_to_fp_unsigned,
        };
        self.owns_all(&[mode, a]).then(|| self.wrap(unsafe { f(self.0, mode.ptr, a.ptr, sort.ptr) }))?
    }

    pub(crate) fn float_to(self: &Rc<Ctx>, signed: bool, mode: &Ast, a: &Ast, width: u32) -> Option<Ast> {
        let f = if signed { Z3_mk_fpa_to_sbv } else { Z3_mk_fpa_to_ubv };
        self.owns_all(&[mode, a]).then(|| self.wrap(unsafe { f(self.0, mode.ptr, a.ptr, width) }))?
    }

    /// The bound terms must be constants.
    pub(crate) fn quantifier(self: &Rc<Ctx>, forall: bool, bound: &[&Ast], body: &Ast) -> Option<Ast> {
        if !self.owns_all(bound) || !self.owns(body) {
            return None;
        }
        // Sound: Z3 checks that the bound terms are constants; no patterns are given.
        unsafe {
            let bound: Option<Vec<Z3_app>> = bound.iter().map(|b| Z3_to_app(self.0, b.ptr)).collect();
            let bound = bound?;
            let (count, none) = (bound.len() as c_uint, std::ptr::null());
            self.wrap(Z3_mk_quantifier_const(self.0, forall, 0, count, bound.as_ptr(), 0, none, body.ptr))
        }
    }

    /// Replaces `Bound` variables 0, 1, ... that no quantifier binds.
    pub(crate) fn substitute_vars(self: &Rc<Ctx>, a: &Ast, to: &[&Ast]) -> Option<Ast> {
        if !self.owns(a) || !self.owns_all(to) {
            return None;
        }
        let to: Vec<Z3_ast> = to.iter().map(|t| t.ptr).collect();
        self.wrap(unsafe { Z3_substitute_vars(self.0, a.ptr, to.len() as c_uint, to.as_ptr()) })
    }

    /// Z3's simplifier.
    pub(crate) fn simplify(self: &Rc<Ctx>, a: &Ast) -> Option<Ast> {
        self.make1(Z3_simplify, a)
    }
}

/// A term of Z3.
pub(crate) struct Ast {
    ctx: Rc<Ctx>,
    ptr: Z3_ast,
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        Ast::wrap(&self.ctx, self.ptr)
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        // Sound: gives back the reference counted in `wrap`.
        unsafe { Z3_dec_ref(self.ctx.0, self.ptr) }
    }
}

/// What kind of node a term is.
pub(crate) enum Kind {
    /// A number: its text, an integer or a fraction.
    Numeral(String),
    App,
    /// A bound variable outside its quantifier.
    Bound,
    Forall,
    Exists,
    Lambda,
    Other,
}

/// What Z3 says a sort is.
pub(crate) enum SortShape {
    Bool,
    Int,
    Bv(u32),
    Float(u32, u32),
    Array(ZSort, ZSort),
    Other,
}

impl Ast {
    fn wrap(ctx: &Rc<Ctx>, ptr: Z3_ast) -> Ast {
        // Sound: the pointer comes from Z3 and is counted before any other call can free it.
        unsafe { Z3_inc_ref(ctx.0, ptr) };
        Ast { ctx: ctx.clone(), ptr }
    }

    pub(crate) fn id(&self) -> u32 {
        unsafe { Z3_get_ast_id(self.ctx.0, self.ptr) }
    }

    pub(crate) fn kind(&self) -> Kind {
        // Numbers from z3_api.h: numeral, application, variable, quantifier.
        match unsafe { ast_kind_number(self.ctx.0, self.ptr) } {
            0 => Kind::Numeral(text(unsafe { Z3_get_numeral_string(self.ctx.0, self.ptr) })),
            1 => Kind::App,
            2 => Kind::Bound,
            3 if unsafe { Z3_is_lambda(self.ctx.0, self.ptr) } => Kind::Lambda,
            3 if unsafe { Z3_is_quantifier_forall(self.ctx.0, self.ptr) } => Kind::Forall,
            3 => Kind::Exists,
            _ => Kind::Other,
        }
    }

    pub(crate) fn sort(&self) -> Option<ZSort> {
        ZSort::wrap(&self.ctx, unsafe { Z3_get_sort(self.ctx.0, self.ptr) })
    }

    /// Only for applications, as are the next two.
    pub(crate) fn decl(&self) -> Option<Decl> {
        unsafe {
            let app = Z3_to_app(self.ctx.0, self.ptr)?;
            Decl::wrap(&self.ctx, Z3_get_app_decl(self.ctx.0, app))
        }
    }

    pub(crate) fn args(&self) -> Vec<Ast> {
        // Sound: callers asked `kind` first; arguments live as long as the application.
        unsafe {
            let Some(app) = Z3_to_app(self.ctx.0, self.ptr) else { return Vec::new() };
            let count = Z3_get_app_num_args(self.ctx.0, app);
            let arg = |i| Z3_get_app_arg(self.ctx.0, app, i);
            (0..count).filter_map(arg).map(|a| Ast::wrap(&self.ctx, a)).collect()
        }
    }

    /// The body of a quantifier or lambda with its bound variables replaced by new constants, and those.
    pub(crate) fn open(&self, mut name: impl FnMut(&str) -> String) -> Option<(Vec<Ast>, Ast)> {
        let ctx = &self.ctx;
        // Sound: callers asked `kind` first; indices are below the count that Z3 gave.
        let (body, bound) = unsafe {
            let body = Ast::wrap(ctx, Z3_get_quantifier_body(ctx.0, self.ptr)?);
            let count = Z3_get_quantifier_num_bound(ctx.0, self.ptr);
            let mut bound = Vec::new();
            for i in 0..count {
                let sort = ZSort::wrap(ctx, Z3_get_quantifier_bound_sort(ctx.0, self.ptr, i))?;
                let old = ctx.symbol_text(Z3_get_quantifier_bound_name(ctx.0, self.ptr, i)?);
                bound.push(ctx.constant(&name(&old), &sort)?);
            }
            (body, bound)
        };
        // Variable 0 is the innermost, that is, the last.
        let to: Vec<Z3_ast> = bound.iter().rev().map(|b| b.ptr).collect();
        let opened = unsafe { Z3_substitute_vars(ctx.0, body.ptr, to.len() as c_uint, to.as_ptr()) };
        Some((bound, ctx.wrap(opened)?))
    }

    /// The function behind an `as-array` term.
    pub(crate) fn as_array(&self) -> Option<Decl> {
        // Sound: answers null with an error for any other term.
        Decl::wrap(&self.ctx, unsafe { Z3_get_as_array_func_decl(self.ctx.0, self.ptr) })
    }
}

pub(crate) struct ZSort {
    ctx: Rc<Ctx>,
    ptr: Z3_sort,
}

impl ZSort {
    fn wrap(ctx: &Rc<Ctx>, ptr: Option<Z3_sort>) -> Option<ZSort> {
        let ptr = ptr?;
        // Sound: sorts are terms to the reference counter.
        unsafe { Z3_inc_ref(ctx.0, Z3_sort_to_ast(ctx.0, ptr)?) };
        Some(ZSort { ctx: ctx.clone(), ptr })
    }

    pub(crate) fn shape(&self) -> SortShape {
        let c = self.ctx.0;
        // Numbers from z3_api.h; each question is asked of the kind of sort that it is for.
        unsafe {
            match sort_kind_number(c, self.ptr) {
                1 => SortShape::Bool,
                2 => SortShape::Int,
                4 => SortShape::Bv(Z3_get_bv_sort_size(c, self.ptr)),
                // Only arrays with one index are ours.
                5 if Z3_get_array_arity(c, self.ptr) == 1 => {
                    let index = ZSort::wrap(&self.ctx, Z3_get_array_sort_domain(c, self.ptr));
                    let element = ZSort::wrap(&self.ctx, Z3_get_array_sort_range(c, self.ptr));
                    index.zip(element).map_or(SortShape::Other, |(i, e)| SortShape::Array(i, e))
                }
                9 => SortShape::Float(Z3_fpa_get_ebits(c, self.ptr), Z3_fpa_get_sbits(c, self.ptr)),
                _ => SortShape::Other,
            }
        }
    }
}

impl Clone for ZSort {
    fn clone(&self) -> ZSort {
        // Sound: as in `wrap`; a sort that was counted once is a valid term.
        unsafe {
            if let Some(ast) = Z3_sort_to_ast(self.ctx.0, self.ptr) {
                Z3_inc_ref(self.ctx.0, ast);
            }
        }
        ZSort { ctx: self.ctx.clone(), ptr: self.ptr }
    }
}

impl Drop for ZSort {
    fn drop(&mut self) {
        unsafe {
            if let Some(ast) = Z3_sort_to_ast(self.ctx.0, self.ptr) {
                Z3_dec_ref(self.ctx.0, ast);
            }
        }
    }
}

/// A function, constant or predicate symbol.
pub(crate) struct Decl {
    ctx: Rc<Ctx>,
    ptr: Z3_func_decl,
}

impl Decl {
    fn wrap(ctx: &Rc<Ctx>, ptr: Option<Z3_func_decl>) -> Option<Decl> {
        let ptr = ptr?;
        // Sound: declarations are terms to the reference counter.
        unsafe { Z3_inc_ref(ctx.0, Z3_func_decl_to_ast(ctx.0, ptr)?) };
        Some(Decl { ctx: ctx.clone(), ptr })
    }

    pub(crate) fn is(&self, kind: DeclKind) -> bool {
        self.kind_number() == kind as u32
    }

    pub(crate) fn kind_number(&self) -> u32 {
        unsafe { decl_kind_number(self.ctx.0, self.ptr) }
    }

    pub(crate) fn name(&self) -> String {
        unsafe { Z3_get_decl_name(self.ctx.0, self.ptr) }.map_or(String::new(), |s| self.ctx.symbol_text(s))
    }

    /// The number in `(_ op n)`.
    pub(crate) fn parameter(&self, index: u32) -> Option<u32> {
        // Sound: the index is checked; kind 0 is an integer.
        unsafe {
            if index >= Z3_get_decl_num_parameters(self.ctx.0, self.ptr) {
                return None;
            }
            u32::try_from(Z3_get_decl_int_parameter(self.ctx.0, self.ptr, index)).ok()
        }
    }

    pub(crate) fn apply(&self, args: &[&Ast]) -> Option<Ast> {
        if !args.iter().all(|a| self.ctx.owns(a)) {
            return None;
        }
        let args: Vec<Z3_ast> = args.iter().map(|a| a.ptr).collect();
        // Sound: Z3 checks number and sorts of the arguments.
        self.ctx.wrap(unsafe { Z3_mk_app(self.ctx.0, self.ptr, args.len() as c_uint, args.as_ptr()) })
    }
}

impl Drop for Decl {
    fn drop(&mut self) {
        unsafe {
            if let Some(ast) = Z3_func_decl_to_ast(self.ctx.0, self.ptr) {
                Z3_dec_ref(self.ctx.0, ast);
            }
        }
    }
}

//! Legal programs, GNU extensions and what gcc only warns about.

use super::accept;
use ir::Target;

fn both(source: &str) {
    accept(source, Target::LP64);
    accept(source, Target::ILP32);
}

/// A line `is E : T` says that the expression has exactly this type after lvalue conversion.
fn types(body: &str) {
    let mut source = String::from("void types(void) {");
    for line in body.lines() {
        match line.trim().strip_prefix("is ") {
            Some(rest) => {
                let (e, ty) = rest.rsplit_once(" : ").unwrap();
                source.push_str(&format!("_Static_assert(_Generic({e}, {ty}: 1, default: 0), \"\");"));
            }
            None => source.push_str(line),
        }
        source.push('\n');
    }
    source.push('}');
    both(&source);
}

#[test]
fn conversions() {
    types(
        "char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
        long long ll; unsigned long long ull; float f; double d; long double ld; _Bool b; void *p; int *ip;
        const int *cip; enum e { A, B } e; enum n { N = -1 } n; struct { unsigned x : 3, y : 32; int z : 32;
        unsigned long long w : 5; _Bool t : 1; } bf; int arr[3]; int fn(int);
        is c + c : int
        is uc + us : int
        is s << l : int
        is i + u : unsigned
        is b + b : int
        is e + 0 : unsigned
        is n + 0 : int
        is A : int
        is i + f : float
        is f + d : double
        is ld * i : long double
        is ull + ll : unsigned long long
        is bf.x + 0 : int
        is bf.y + 0 : unsigned
        is bf.w + 0 : int
        is bf.t + 0 : int
        is +bf.z : int
        is ip - ip : __typeof__((char *)0 - (char *)0)
        is 1 ? ip : p : void *
        is 1 ? ip : (void *)0 : int *
        is 1 ? ip : 0 : int *
        is 1 ? ip : cip : const int *
        is 1 ? i : l : long
        is arr : int *
        is &arr : int (*)[3]
        is fn : int (*)(int)
        is *fn : int (*)(int)
        is &fn : int (*)(int)
        is !d : int
        is i == l : int
        is (c, us) : unsigned short
        is c = 1 : char
        is \"x\" : char *
        is L'x' + 0 : __typeof__(L'y' + 0)
        is sizeof i : __typeof__(sizeof 0)
        is 2147483647 : int
        is 0x80000000 : unsigned
        is 1u : unsigned
        is 1ll : long long
        is 1.0f : float
        is 1.0L : long double
        is i ?: l : long
        is ({ int x = 3; (char)x; }) : char
        is __builtin_expect(i, 1) : long
        is __builtin_choose_expr(1, f, d) : float",
    );
    accept(
        "_Static_assert(_Generic(2147483648, long: 1, default: 0), \"\");
         _Static_assert(_Generic((unsigned)1 + 1l, long: 1), \"\");",
        Target::LP64,
    );
    accept(
        "_Static_assert(_Generic(2147483648, long long: 1, default: 0), \"\");
         _Static_assert(_Generic((unsigned)1 + 1l, unsigned long: 1), \"\");",
        Target::ILP32,
    );
}

#[test]
fn constants() {
    let values = [
        "1 + 2 * 3 == 7",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "(unsigned)-1 > 0",
        "(unsigned char)300 == 44",
        "(signed char)200 == -56",
        "(_Bool)0.5 == 1",
        "(int)3.99 == 3 && (int)-3.99 == -3",
        "0x7fffffff + 1 == -0x7fffffff - 1",
        "-1 >> 1 == -1",
        "(1 ? 2 : 1 / 0) == 2",
        "0 && 1 / 0 == 0 ? 0 : 1",
        "sizeof(int[3]) == 12",
        "sizeof \"abc\" == 4",
        "sizeof(struct { char a; int b; }) == 8",
        "__builtin_offsetof(struct s, b) == 4",
        "__builtin_offsetof(struct s, in.y[2]) == 20",
        "(unsigned long)&((struct s *)0)->b == 4",
        "(char *)&((struct s *)0)->b - (char *)0 == 4",
        "__builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long)",
        "__builtin_types_compatible_p(int[], int[5])",
        "__builtin_constant_p(5) && !__builtin_constant_p(x)",
        "__builtin_popcount(255) == 8 && __builtin_clz(1) == 31 && __builtin_ctzll(8) == 3",
        "__builtin_bswap32(0x11223344) == 0x44332211",
        "__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_clrsb(0) == 31",
        "__builtin_strlen(\"hello\") == 5",
        "__builtin_classify_type(x) == 1 && __builtin_classify_type(&x) == 5 && __builtin_classify_type(1.0) == 8",
        "0.1 + 0.2 != 0.3 && 0.5 + 0.25 == 0.75",
        "1.0f / 3 != 1.0 / 3",
        "0x1.8p1 == 3.0",
        "(float)16777217 == 16777216",
        "'a' == 97 && '\\xff' == -1",
        "_Generic(1, int: 3, default: 4) == 3",
        "sizeof(union { char c[5]; int i; }) == 8",
        "_Alignof(struct s) == 4",
        "E2 == 11",
        "!(void *)0",
        "(__int128)1 << 100 > 0 || sizeof(void *) == 4",
    ];
    for value in values {
        if value.contains("__int128") {
            continue;
        }
        both(&format!(
            "struct s {{ char a; int b; struct {{ char x; int y[3]; }} in; }}; int x; enum {{ E1 = 10, E2 }};
             _Static_assert({value}, \"\");"
        ));
    }
    accept("_Static_assert((__int128)1 << 100 > 0 && sizeof(__int128) == 16, \"\");", Target::LP64);
}

#[test]
fn layouts() {
    both(
        "struct a { char c; short s; } __attribute__((packed)); _Static_assert(sizeof(struct a) == 3, \"\");
         struct b { int x : 3; int : 0; int y : 3; }; _Static_assert(sizeof(struct b) == 8, \"\");
         struct c { char x; char : 0; short y : 9; char z : 7; }; _Static_assert(sizeof(struct c) == 4, \"\");
         struct d { int n; char data[]; }; _Static_assert(sizeof(struct d) == 4, \"\");
         struct e { }; _Static_assert(sizeof(struct e) == 0, \"\");
         typedef int wide __attribute__((aligned(16))); struct f { char c; wide w; };
         _Static_assert(sizeof(struct f) == 32 && _Alignof(wide) == 16, \"\");
         struct g { char c; union { int i; char k; }; struct { int a, b; }; };
         _Static_assert(__builtin_offsetof(struct g, b) == 12, \"\");
         typedef int v4 __attribute__((vector_size(16))); _Static_assert(sizeof(v4) == 16, \"\");
         typedef unsigned di __attribute__((mode(DI))); _Static_assert(sizeof(di) == 8 && (di)-1 > 0, \"\");
         enum small { S } __attribute__((packed)); _Static_assert(sizeof(enum small) == 1, \"\");
         enum big { G = 0x100000000 }; _Static_assert(sizeof(enum big) == 8, \"\");",
    );
    let wide = "struct s { char c; long long l; double d; long double e; };";
    accept(&format!("{wide} _Static_assert(sizeof(struct s) == 48, \"\");"), Target::LP64);
    accept(&format!("{wide} _Static_assert(sizeof(struct s) == 32, \"\");"), Target::ILP32);
}

#[test]
fn declarations() {
    both(
        "extern int a[]; int a[3]; _Static_assert(sizeof a == 12, \"\");
         int f(); int f(int, char *); static int g(void); int g(void) { return 1; }
         int (*fp)(int, char *) = f; typedef int T; typedef int T;
         int old(a, b) char a; double *b; { return a + *b; }
         implicit() { return undeclared(1, 2.0) + old('c', (double *)0); }
         struct node { struct node *next; int v; };
         void block(void) { extern int later; int T = 3; { typedef char T; T c = 1; (void)c; } later = T; }
         int later;
         void after(void); void use(void) { v(); } 
         struct s; extern struct s unknown; struct s *ps = &unknown;
         int t1 = sizeof(int[2][3]), t2[] = { 1, 2, [5] = 6 }; _Static_assert(sizeof t2 == 24, \"\");
         char str[] = \"abc\", cut[3] = \"abc\", braced[] = { \"xy\" }; _Static_assert(sizeof str + sizeof braced == 7, \"\");
         inline int in(void) { return 0; } extern int in(void);
         int g(void); int tentative; int tentative; int tentative = 4;
         void va(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); __builtin_va_arg(ap, int); __builtin_va_end(ap); }",
    );
}

#[test]
fn expressions() {
    both(
        "struct s { int a; struct { int b; }; int arr[2]; }; struct s make(void); union u { int i; float f; };
         void take(union u); int x; float fl; void *vp; int *ip; char *cp; const char *cc; int vla(int n, int m[n][n]) {
           int v[n]; typedef int row[n]; row *r = &v; sizeof(int[n++]); return sizeof v + (*r)[0] + m[1][2]; }
         void f(int n) {
           make().b; make().arr[1]; (&(struct s){ .b = 3 })->a = 1; vp + 1; vp++; *&x = 3; ip = 5; x = cp; cp = cc;
           take((union u)x); take((union u)1.0f); __auto_type y = n; y += fl; __typeof__(y) z = y;
           int arr[] = { [0 ... 3] = 1, [2] = 5 }; struct s t = { 1, .arr = { [1] = 2 } }, w = t, q[2] = { t, { 1 } };
           switch (n) { case 1 ... 5: break; case 'a': { case 9: ; } default: x = 1; }
           goto out; { __label__ out; out: goto out; } out: ;
           for (int i = 0, *p = &i; i < 3; i++) continue;
           asm volatile(\"\" : \"=r\"(x), \"+m\"(*ip) : \"r\"(n), \"m\"(t) : \"memory\");
           __sync_fetch_and_add(&x, 1); __sync_bool_compare_and_swap(&ip, ip, 0); __atomic_store_n(&x, 2, 5);
           __atomic_compare_exchange_n(&x, &n, 1, 0, 5, 5); __atomic_fetch_nand(&x, 3, 0);
           if (__builtin_add_overflow(n, 1ll, &x) || __builtin_isnan(fl) || __builtin_fpclassify(0, 1, 2, 3, 4, fl)) return;
           __builtin_memcpy(ip, cp, 3); __builtin___sprintf_chk(cp, 0, 5, \"%d\", 3); printf(\"%s\", __func__);
           _Static_assert(sizeof(__func__) == 2, \"\"); n ? f(1) : (void)0; n ? 1 : vp; (void)z; (void)w; (void)q; (void)arr;
         }",
    );
}

#[test]
fn long_chains_do_not_use_the_stack() {
    let mut source = String::from("int f(int x) { return x");
    for _ in 0..15_000 {
        source.push_str(" + x");
    }
    source.push_str("; }");
    accept(&source, Target::LP64);
}

#[test]
fn transparent_unions() {
    both(
        "struct a { int x; }; struct b { int y; };
         typedef union { struct a *a; const struct b *b; } both __attribute__((transparent_union));
         int take(both); void f(struct a *a, struct b *b, void *v) { take(a); take(b); take(0); take(v); }",
    );
}

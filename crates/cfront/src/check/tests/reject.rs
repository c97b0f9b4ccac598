//! What gcc rejects, with the messages that the user sees: each problem once, no cascades.

use super::check;
use ir::Target;

fn reject(source: &str, expected: &[&str]) {
    let (_, errors) = check(source, Target::LP64);
    assert_eq!(errors, expected, "in\n{source}");
}

#[test]
fn names() {
    reject("int f(void) { return x; }", &["1: use of undeclared identifier 'x'"]);
    reject(
        "int f(void) { x = 1; x++; return x + y; }",
        &["1: use of undeclared identifier 'x'", "1: use of undeclared identifier 'y'"],
    );
    reject(
        "struct s { int a; };\nint f(struct s *p) { return p->y + p->y.z; }",
        &["2: no member named 'y' in 'struct s'", "2: no member named 'y' in 'struct s'"],
    );
    reject(
        "struct s;\nint f(struct s *p) { return p->y; }",
        &["2: invalid use of undefined type 'struct s'"],
    );
    reject(
        "int f(void) { return 1; }\nint f(void) { return 2; }",
        &["2: redefinition of 'f'", "1: note: previous definition is here"],
    );
    reject("int x = 1;\nint x = 2;", &["2: redefinition of 'x'", "1: note: previous definition is here"]);
    reject(
        "int x;\nchar x;",
        &[
            "2: conflicting types for 'x'; have 'char'",
            "1: note: previous declaration of 'x' with type 'int'",
        ],
    );
    reject(
        "int f(int);\nint f(char *);",
        &[
            "2: conflicting types for 'f'; have 'int (char *)'",
            "1: note: previous declaration of 'f' with type 'int (int)'",
        ],
    );
    reject(
        "int f;\nint f(void);",
        &["2: 'f' redeclared as different kind of symbol", "1: note: previous declaration is here"],
    );
    reject(
        "int x;\nstatic int x;",
        &[
            "2: static declaration of 'x' follows non-static declaration",
            "1: note: previous declaration of 'x' with type 'int'",
        ],
    );
    reject("void f(int a) {\nint a; }", &["2: redefinition of 'a'", "1: note: previous definition is here"]);
    reject(
        "enum { A };\nenum { A };",
        &["2: redeclaration of enumerator 'A'", "1: note: previous definition is here"],
    );
}

#[test]
fn records() {
    reject("struct s {\nstruct s x; };", &["2: field has incomplete type 'struct s'"]);
    reject(
        "struct s { int a; int a; };",
        &["1: duplicate member 'a'", "1: note: previous declaration is here"],
    );
    reject(
        "struct s { int a; };\nstruct s { int b; };",
        &["2: redefinition of 'struct s'", "1: note: originally defined here"],
    );
    reject(
        "struct s { int a; };\nunion s *p;",
        &["2: 's' defined as wrong kind of tag", "1: note: previous declaration is here"],
    );
    reject(
        "struct s { int a : 33; float b : 2; int c : 0; int : -1; };",
        &[
            "1: width of 'a' exceeds its type",
            "1: bit-field 'b' has invalid type",
            "1: zero width for bit-field 'c'",
            "1: negative width in bit-field '<anonymous>'",
        ],
    );
    reject("struct s { int a[]; int b; };", &["1: flexible array member not at end of struct"]);
    reject("struct t x;", &["1: storage size of 'x' isn't known"]);
    reject(
        "void f(void) { struct t x; int y[]; void z; }",
        &[
            "1: storage size of 'x' isn't known",
            "1: storage size of 'y' isn't known",
            "1: variable or field 'z' declared void",
        ],
    );
}

#[test]
fn expressions() {
    reject(
        "struct s { int a; } s;\nvoid f(int x) {\nx = s;\ns = x;\ns + 1;\nif (s) ;\n(int)s; }",
        &[
            "3: incompatible types when assigning to type 'int' from type 'struct s'",
            "4: incompatible types when assigning to type 'struct s' from type 'int'",
            "5: invalid operands to binary + (have 'struct s' and 'int')",
            "6: used 'struct s' type value where scalar is required",
            "7: aggregate value used where a scalar was expected",
        ],
    );
    reject(
        "int f(int x) { x(); return (*x) + x[1] + &3; }",
        &[
            "1: called object is not a function or function pointer",
            "1: invalid type argument of unary '*' (have 'int')",
            "1: subscripted value is neither array nor pointer nor vector",
            "1: lvalue required as unary '&' operand",
        ],
    );
    reject(
        "int g(int, int);\nint f(void) { return g(1) + g(1, 2, 3); }",
        &[
            "2: too few arguments to function 'g'",
            "1: note: declared here",
            "2: too many arguments to function 'g'",
            "1: note: declared here",
        ],
    );
    reject(
        "const int c; struct { const int m; } r; int a[2];\nvoid f(void) { c = 1; c++; r.m = 2; a = 0; 1 = 2; }",
        &[
            "2: assignment of read-only variable 'c'",
            "2: increment of read-only variable 'c'",
            "2: assignment of read-only member 'm'",
            "2: assignment of expression with array type",
            "2: lvalue required as left operand of assignment",
        ],
    );
    reject(
        "void v(void); double d; int *p;\nvoid f(void) { int x = v(); x = d % 2; p = d; d = p; p * 2; ~d; }",
        &[
            "2: void value not ignored as it ought to be",
            "2: invalid operands to binary % (have 'double' and 'int')",
            "2: incompatible types when assigning to type 'int *' from type 'double'",
            "2: incompatible types when assigning to type 'double' from type 'int *'",
            "2: invalid operands to binary * (have 'int *' and 'int')",
            "2: wrong type argument to bit-complement",
        ],
    );
    reject(
        "struct s { int b : 3; } s; struct t;\nint f(struct t *p) { &s.b; sizeof(s.b); p + 1; return sizeof(struct t); }",
        &[
            "2: cannot take address of bit-field",
            "2: 'sizeof' applied to a bit-field",
            "2: arithmetic on a pointer to an incomplete type 'struct t'",
            "2: invalid application of 'sizeof' to incomplete type 'struct t'",
        ],
    );
    reject(
        "struct a { int x; } a; struct b { int y; };\nvoid g(struct b);\nstruct b f(void) { g(a); return a; }",
        &[
            "3: incompatible type for argument 1 of 'g': expected 'struct b' but argument is of type 'struct a'",
            "3: incompatible types when returning type 'struct a' but 'struct b' was expected",
        ],
    );
    reject(
        "int x = _Generic(1.0, int: 1);",
        &["1: '_Generic' selector of type 'double' is not compatible with any association"],
    );
}

#[test]
fn statements() {
    reject(
        "void f(int x) {\nbreak;\ncontinue;\ncase 1: ;\ndefault: ;\ngoto l; }",
        &[
            "2: break statement not within loop or switch",
            "3: continue statement not within a loop",
            "4: case label not within a switch statement",
            "5: 'default' label not within a switch statement",
            "6: label 'l' used but not defined",
        ],
    );
    reject(
        "void f(int x) { switch (x) {\ncase 1: ;\ncase 2 ... 4: ;\ncase 3: ;\ncase x: ;\ndefault: ;\ndefault: ; } }",
        &[
            "5: case label does not reduce to an integer constant",
            "7: multiple default labels in one switch",
            "6: note: this is the first default label",
            "4: duplicate case value",
            "3: note: previously used here",
        ],
    );
    reject(
        "void f(void) { l: ;\nl: ; }",
        &["2: duplicate label 'l'", "1: note: previous definition is here"],
    );
    reject(
        "_Static_assert(1 == 2, \"no\");\nint a[-1];\nint n; int b[n];",
        &[
            "1: static assertion failed: \"no\"",
            "2: size of array 'a' is negative",
            "3: variably modified 'b' at file scope",
        ],
    );
}

#[test]
fn initializers() {
    reject(
        "int g(void);\nint x = g();\nint *p = &x + g();",
        &["2: initializer element is not constant", "3: initializer element is not constant"],
    );
    reject(
        "struct s { int a; } s = { .b = 1 };\nint a[2] = { [2] = 1 };\nint b[2] = 5;\nint c = { };",
        &[
            "1: 'struct s' has no member named 'b'",
            "2: array index in initializer exceeds array bounds",
            "3: invalid initializer",
            "4: empty scalar initializer",
        ],
    );
    reject("enum e { A = 2147483647, B };", &["1: overflow in enumeration values"]);
}

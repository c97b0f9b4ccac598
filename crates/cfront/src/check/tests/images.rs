//! Static objects: their bytes and addresses.

use super::accept;
use crate::hir::{AddressBase, ConstValue, Definition};
use ir::Target;

/// The object `name` as text: bytes in hexadecimal, `&base+offset` for addresses, a dot for each zero byte
/// between.
fn image(source: &str, name: &str) -> String {
    let unit = accept(source, Target::LP64);
    let global = unit.globals.iter().find(|g| &*g.name == name).unwrap();
    let Definition::Defined(init) = &global.definition else { return format!("{:?}", global.definition) };
    let (mut text, mut at) = (String::new(), 0);
    for item in &init.items {
        assert!(item.offset >= at, "items ascend");
        text.extend((at..item.offset).map(|_| '.'));
        match &item.value {
            ConstValue::Bytes(bytes) => {
                for byte in bytes {
                    text.push_str(&if *byte == 0 { ".".into() } else { format!("{byte:02x}") });
                }
                at = item.offset + bytes.len() as u64;
            }
            ConstValue::Address { base, offset, size } => {
                let base = match base {
                    AddressBase::Global(id) => format!("global {}", id.0),
                    AddressBase::Function(id) => format!("function {}", id.0),
                    AddressBase::String(id) => format!("string {}", id.0),
                };
                text.push_str(&format!("[{base}{offset:+}]"));
                at = item.offset + u64::from(*size);
            }
        }
    }
    text.extend((at..init.size).map(|_| '.'));
    text
}

#[test]
fn bytes() {
    let cases = [
        ("int x = 0x1020304;", "04030201"),
        ("char x[5] = \"ab\";", "6162..."),
        ("char x[2][3] = { \"abc\", { 'd' } };", "61626364.."),
        ("struct { char a; short b; } x = { 1, 2 };", "01.02."),
        ("struct { int a[2]; char b; } x[2] = { 1, 2, 3, 4 };", "01...02...03...04..........."),
        ("short x[] = { [2] = 3, 4, [0] = 1 };", "01...03.04."),
        ("short x[4] = { [0 ... 2] = 7, [1] = 9 };", "07.09.07..."),
        ("struct { struct { char p, q; } a, b; } x = { .b.q = 1, .a = { 2 } };", "02..01"),
        ("struct { struct { char p, q; } a; char c; } x = { .a = { 1, 2 }, .a = { 3 }, 4 };", "03.04"),
        ("union { char a; short b; } x = { .b = 0x102 };", "0201"),
        ("struct { char a; union { char b; short c; }; char d; } x = { 1, { 2 }, 3 };", "01.02.03."),
        ("struct { char a; union { char b; short c; }; char d; } x = { 1, .c = 0x203, 4 };", "01.030204."),
        ("struct { unsigned a : 3, b : 7, : 4, c : 2; } x = { 5, 0x55, 3 };", "adc2.."),
        ("struct { char n; char s[]; } x = { 2, \"ab\" };", "026162."),
        ("float x = 1.5f;", "..c03f"),
        ("long double x = 1;", ".......80ff3f......"),
        ("static const int k = 3; int x = k + 1;", "04..."),
        ("struct p { char a, b; }; struct p x[2] = { (struct p){ 1, 2 }, 3, 4 };", "01020304"),
        ("int x[3] = { 1, 2, 3, 4 };", "01...02...03..."),
        ("_Bool x[] = { 5, 0.5, 0 };", "0101."),
        ("char x[] = { 1, [3] = 2, };", "01..02"),
        ("unsigned char x = 1e9;", "ff"),
    ];
    for (source, expected) in cases {
        assert_eq!(image(source, "x"), expected, "{source}");
    }
}

#[test]
fn addresses() {
    let cases = [
        ("int a[4]; int *x = &a[3];", "[global 0+12]"),
        ("struct s { int p; int q[3]; } a; int *x = a.q + 1;", "[global 0+8]"),
        ("int a; long x = (long)&a + 4;", "[global 0+4]"),
        ("char *x = \"abc\" + 1;", "[string 0+1]"),
        ("int f(void); int (*x[2])(void) = { f, &f };", "[function 0+0][function 0+0]"),
        ("int a[9]; long x = &a[5] - &a[2];", "03......."),
        ("int *x = (int[]){ 1, 2 };", "[global 1+0]"),
        ("int a; int x = &a ? 3 : 4;", "03..."),
        ("int a; void *x = 1 ? &a : 0;", "[global 0+0]"),
        ("struct s { int a; int b; }; void *x = &((struct s *)0)->b;", "04......."),
        ("int a; struct { char c; int *p; } x = { 1, &a };", "01.......[global 0+0]"),
    ];
    for (source, expected) in cases {
        assert_eq!(image(source, "x"), expected, "{source}");
    }
}

#[test]
fn static_locals() {
    let source = "int f(void) { static int x = 1; { static int x = 2; } return x; }";
    assert_eq!((image(source, "f::x"), image(source, "f::x#2")), ("01...".into(), "02...".into()));
}

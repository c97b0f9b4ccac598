//! Large programs: the analysis takes about as long as reading them.

use crate::support;
use std::time::{Duration, Instant};

/// Many functions that hand structs to each other, and a table with many constant places.
fn text(functions: usize) -> String {
    let mut text = String::from(
        "struct s { int a; long b; struct s *next; int *p; char name[8]; };\nint table[4096];\n",
    );
    for i in 0..functions {
        text += &format!("struct s *f{i}(struct s *x, struct s *y, int *p);\n");
    }
    for i in 0..functions {
        let (j, k) = ((i * 7 + 1) % functions, (i * 13 + 5) % functions);
        text += &format!(
            "struct s *f{i}(struct s *x, struct s *y, int *p) {{
                struct s own; int a[4]; struct s *z = x->next;
                own.a = x->a; own.b = y->b; own.next = y; own.p = a;
                for (int i = 0; i < 4; i++) {{ a[i] = p[i] + table[{i} % 4096]; z = z->next; }}
                z->p = p; z->name[own.a & 7] = 1; table[{i} * 3 % 4096] = *own.p + *z->p;
                if (x->a) z = f{j}(z, own.next, a);
                else y = f{k}(y, z, own.p);
                return z->a ? z : y;
            }}\n"
        );
    }
    text
}

/// One long function, all of whose accesses go to few objects.
fn long_text(statements: usize) -> String {
    let mut text = String::from("struct s { int a; long b; struct s *next; int *p; };\nint table[99999];\n");
    text += "int f0(struct s *x, struct s *y, int *p) { long h = 0;\n";
    for i in 0..statements {
        text += match i % 6 {
            0 => "x->a = y->a + *p;",
            1 => "x = y->next;",
            2 => "y = x; p = x->p;",
            3 => "h += (long)p + y->b;",
            4 => "y->b = h; x->next->p = p;",
            _ => "p = &x->a; y->next = x;",
        };
        text += &format!("table[{i}] = *p;\n");
    }
    text + "return (int)h; }\n"
}

#[test]
fn large_programs() {
    check(&text(2000));
    check(&long_text(15_000));
}

fn check(text: &str) {
    let program = support::compile(text);
    let edges: usize = program.functions.iter().filter_map(|f| f.cfa()).map(|cfa| cfa.edges().len()).sum();
    assert!(edges > 30_000, "{edges}");
    let start = Instant::now();
    let regions = support::analyse(&[&program, &program], &["f0"]);
    let time = start.elapsed();
    assert!(regions.list.len() > 1);
    // A quadratic analysis takes minutes.
    assert!(time < Duration::from_secs(20), "{time:?} for {edges} edges");
}

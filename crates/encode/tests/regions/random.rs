//! Random C programs that do with pointers what C programs do, and some things they should not.
//!
//! A program is made from a list of choices, so that proptest can shrink it. Functions `f0`, `f1`, ... take
//! pointers of all kinds and move them around; `main` calls `f0` with addresses of globals.

pub struct Choices<'c> {
    list: &'c [u8],
    next: usize,
    /// The statements of this program: few kinds leave more to tell apart.
    palette: Vec<&'static str>,
    /// Are there calls of unknown functions?
    unknown: bool,
}

const HEAD: &str = "\
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
void *ext(void *);
struct S { int a; long b; struct S *n; int *p; char c[8]; };
struct T { int x; struct S s; long y; };
union U { int i; long l; char c[8]; int *p; };
int gi[6]; long gl[4]; struct S gs[3]; struct T gt; char gc[48]; union U gu;
int *gp; struct S *gsp; static long gh; short gq;
const int table[3] = {1, 2, 3};
int *const pointers[2] = {gi, &gs[1].a};
";

/// Statements over the variables of a function; `K` is a small number, `F` another function.
const STATEMENTS: [&str; 78] = [
    "*pi = K;",
    "x += *pi;",
    "pi[K] = x;",
    "pi = &gi[K];",
    "pi = &ps->a;",
    "pi = ps->p;",
    "pi = &li[K];",
    "pi = gp;",
    "pi = &gs[K].a;",
    "pi = &pt->x;",
    "pi = &pt->s.a;",
    "pi = &pu->i;",
    "pi = pu->p;",
    "pi = &ls.a;",
    "pi++;",
    "pi = (int *)pl;",
    "pi = (int *)pc;",
    "pi = ext(pi);",
    "pi = pointers[K & 1];",
    "pi = (int *)h;",
    "*pl = K;",
    "x += (int)*pl;",
    "pl[K] = x;",
    "pl = &gl[K];",
    "pl = &ps->b;",
    "pl = &pt->y;",
    "pl = &pt->s.b;",
    "pl = &pu->l;",
    "pl = (long *)pi;",
    "pl = (long *)ps;",
    "pl = ext(pl);",
    "*pc = K;",
    "x += pc[K];",
    "pc = gc;",
    "pc = &gc[x & 15];",
    "pc = ps->c;",
    "pc = (char *)pi;",
    "pc = (char *)ps;",
    "pc++;",
    "pc += 8;",
    "pc = ext(pc);",
    "pc = &gc[4 * K];",
    "ps->a = K;",
    "x += ps->a;",
    "ps->b = x;",
    "x += (int)ps->b;",
    "ps->n = ps;",
    "ps->n = &ls;",
    "ps->p = pi;",
    "ps = ps->n;",
    "ps = &gs[K];",
    "ps = &gs[x & 1];",
    "ps = &pt->s;",
    "ps = &ls;",
    "ps = gsp;",
    "ps = ext(ps);",
    "ps = malloc(sizeof *ps); ps->n = ps; ps->p = &ps->a;",
    "ps->c[K] = 1;",
    "ps = (struct S *)gc;",
    "ps = (struct S *)((char *)pi - 8);",
    "pt = &gt;",
    "pt = (struct T *)((char *)ps - 8);",
    "pt->x = K;",
    "pt->s.n = ps;",
    "pt->y = 1;",
    "pu->i = K;",
    "pu->l = x;",
    "pu->p = pi;",
    "pu->c[K] = 2;",
    "pu = &gu;",
    "pu = (union U *)pl;",
    "gp = pi;",
    "gsp = ps;",
    "h = (long)pi;",
    "memcpy(&ls, ps, sizeof ls);",
    "memcpy(pl, pi, 8);",
    "memset(ps, 0, 16);",
    "F(pi, pl, pc, ps, pt, pu);",
];

impl<'c> Choices<'c> {
    pub fn new(list: &'c [u8]) -> Self {
        Choices { list, next: 0, palette: Vec::new(), unknown: false }
    }

    fn below(&mut self, n: usize) -> usize {
        let choice = self.list.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(choice) % n
    }

    fn left(&self) -> bool {
        self.next < self.list.len()
    }

    pub fn program(&mut self) -> String {
        let functions = 1 + self.below(3);
        self.unknown = self.below(2) == 1;
        for _ in 0..3 + self.below(24) {
            let statement = STATEMENTS[self.below(STATEMENTS.len())];
            self.palette.push(statement);
        }
        let params = "int *pi, long *pl, char *pc, struct S *ps, struct T *pt, union U *pu";
        let mut text = HEAD.to_owned();
        for i in 0..functions {
            text += &format!("int f{i}({params});\n");
        }
        for i in 0..functions {
            text +=
                &format!("int f{i}({params}) {{\n  struct S ls = {{1, 2, &ls, &ls.a}}; int li[4] = {{1}};\n");
            text += "  int x = 1; long h = (long)li;\n";
            let last = i + 1 == functions;
            let mut count = 0;
            while self.left() && (last || count < 12) {
                count += 1;
                let loops = self.below(8) == 0;
                let statement = self.statement(functions);
                if loops {
                    text += &format!(
                        "  for (int i = 0; i < 3; i++) {{ {statement} {} }}\n",
                        self.statement(functions)
                    );
                } else {
                    text += &format!("  {statement}\n");
                }
            }
            text += "  return x + (int)h;\n}\n";
        }
        text + "int main(void) {\n  gp = gi; gsp = gs; gh = 1;\n  for (int i = 0; i < 3; i++) { gs[i].n = gs; gs[i].p = gi; }\n  \
                gt.s.n = &gt.s; gt.s.p = &gt.x; gu.p = gi;\n  return f0(gi, gl, gc, gs, &gt, &gu);\n}\n"
    }

    fn statement(&mut self, functions: usize) -> String {
        let choice = self.below(self.palette.len());
        let statement = self.palette[choice];
        let statement = if self.unknown { statement.to_owned() } else { statement.replace("ext", "") };
        let statement = statement.replace('K', &self.below(3).to_string());
        if statement.contains('F') {
            return statement.replace('F', &format!("f{}", self.below(functions)));
        }
        statement
    }
}

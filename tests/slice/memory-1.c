int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void *malloc(unsigned long);
void free(void *);
struct S {
    int a;
    int b;
    struct S *n;
} s, t;
int main(void) {
    struct S *p = __VERIFIER_nondet_int() ? &s : &t;
    p->a = 1;
    p->b = 2;
    p->n = &t;
    struct S *h = malloc(sizeof *h);
    h->a = 3;
    free(h);
    if (s.b) __VERIFIER_error();
    return s.a;
}

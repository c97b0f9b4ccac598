// Pointers from outside, counted.
// expect: safe
// engine: predicate
// args: --unknown-functions pure
void __VERIFIER_assert(int);
extern void *from_outside(void);
int state;
struct dev {
    void *a, *b, *c;
};
void *get(void) {
    void *p = from_outside();
    if (p) state++;
    return p;
}
void put(void *p) {
    if (p) {
        __VERIFIER_assert(state >= 1);
        state--;
    }
}
int probe(struct dev *d) {
    d->a = get();
    d->b = get();
    d->c = get();
    if (!d->a || !d->b || !d->c) {
        put(d->a);
        put(d->b);
        put(d->c);
        return -1;
    }
    return 0;
}
int main(void) {
    struct dev d;
    if (probe(&d)) {
        __VERIFIER_assert(state == 0);
        return 0;
    }
    put(d.a);
    put(d.b);
    put(d.c);
    __VERIFIER_assert(state == 0);
}

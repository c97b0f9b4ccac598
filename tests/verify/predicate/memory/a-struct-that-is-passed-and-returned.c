// A struct that is passed and returned.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
struct p {
    int x, y;
};
struct p turn(struct p a) {
    struct p b = {a.y, a.x};
    a.x = 0;
    return b;
}
int main(void) {
    struct p a = {__VERIFIER_nondet_int(), 2};
    struct p b = turn(a);
    __VERIFIER_assert(b.y == a.x && b.x == 2);
}

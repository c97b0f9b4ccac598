// A struct.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
struct p {
    int x, y;
};
int main(void) {
    struct p a = {1, 2}, *q = &a;
    q->y += q->x;
    __VERIFIER_assert(a.y == 3);
}

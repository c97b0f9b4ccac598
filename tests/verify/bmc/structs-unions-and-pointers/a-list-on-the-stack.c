// A list on the stack.
// expect: safe
// engine: bmc
// audit: unknown
// timeout: 10
void __VERIFIER_assert(int);
struct n {
    int v;
    struct n *next;
};
int main(void) {
    struct n c = {3, 0}, b = {2, &c}, a = {1, &b};
    int s = 0;
    for (struct n *p = &a; p; p = p->next) s += p->v;
    __VERIFIER_assert(s == 6);
}

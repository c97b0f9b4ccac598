// In memory.
// expect: safe
// check: memory
// args: --entry f
struct p {
    int x[4];
};
int f(struct p a) {
    int *q = &a.x[0];
    return q[3];
}

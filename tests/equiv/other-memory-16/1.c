// expect: different
// function: f
struct n {
    struct n *next;
    int v;
};
int f(struct n *p) {
    int s = 0;
    while (p) {
        s += p->v;
        p = p->next;
    }
    return s;
}

// expect: equivalent
// function: f
struct p {
    char c;
    int x;
    long long y;
};
int f(struct p *q) {
    q->x += q->c;
    return q->x;
}

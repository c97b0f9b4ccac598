// expect: equivalent
// function: f
struct p {
    int x, y;
};
struct p f(struct p q) {
    struct p r;
    r.x = q.y;
    r.y = q.x;
    return r;
}

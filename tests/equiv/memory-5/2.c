struct p {
    int x, y;
};
struct p f(struct p q) {
    int t = q.x;
    q.x = q.y;
    q.y = t;
    return q;
}

struct p {
    char c;
    int x;
    long long y;
};
int f(struct p *q) {
    struct p copy = *q;
    copy.x += copy.c;
    q->x = copy.x;
    return copy.x;
}

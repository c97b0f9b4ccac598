// What is not there.
// expect: unsafe 10
// check: memory
struct p {
    int x, y;
};
static int f(struct p a) { return a.x; }
int main(void) {
    struct p *q = 0;
    return f(*q);
}

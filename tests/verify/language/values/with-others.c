// With others.
// expect: safe
// check: memory,overflow
// args: --entry f
struct p {
    int x, y;
};
int f(struct p a, double d, char c, _Bool b) { return (a.x > 0) + (d > 1) + c + b + (b > 1); }

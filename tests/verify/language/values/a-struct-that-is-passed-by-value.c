// A struct that is passed by value.
// expect: safe
// check: memory
// args: --entry f
struct p {
    int x, y;
};
int f(struct p a) { return a.x; }

// One that writes and one that reads.
// expect: safe
// assumes: left
int g;
static int f(void) {
    g = 1;
    return 0;
}
static int h(void) { return g; }
int main(void) { return f() - h(); }

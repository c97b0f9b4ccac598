// A callee of the callee.
// expect: safe
// assumes: left
int g;
static int f(void) { return ++g; }
static int h(void) { return f(); }
int main(void) { return g - h(); }

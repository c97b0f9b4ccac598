// An address and a value.
// expect: safe
// assumes: left
int a[4], n;
static int f(void) {
    n = 1;
    return 0;
}
int main(void) {
    a[n] = f();
    return 0;
}

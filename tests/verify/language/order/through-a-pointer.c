// Through a pointer.
// expect: safe
// assumes: left
static int f(int *p) { return ++*p; }
int main(void) {
    int x = 1;
    return x - f(&x);
}

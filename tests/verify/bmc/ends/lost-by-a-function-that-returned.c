// Lost by a function that returned.
// expect: unsafe 13
// engine: bmc
// check: leak
void exit(int);
void *malloc(unsigned long);
void f(void) {
    int *p = malloc(4);
    *p = 1;
}
int main(void) {
    f();
    exit(1);
}

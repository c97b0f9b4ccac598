// An array of unknown length.
// expect: safe
// check: memory
// assumes: size
extern int a[];
extern unsigned n;
int main(void) {
    for (unsigned i = 0; i < 3; i++) a[i] = 0;
    return 0;
}

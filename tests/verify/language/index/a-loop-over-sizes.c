// A loop over sizes.
// expect: safe
// check: memory
int main(void) {
    int a[4];
    for (unsigned long i = 0; i < 4; i++) a[i] = 1;
    return 0;
}

// Backwards through a pointer.
// expect: safe
// check: memory
int main(void) {
    int a[4];
    int *end = a + 4;
    for (long i = -4; i < 0; i++) end[i] = 1;
    return 0;
}

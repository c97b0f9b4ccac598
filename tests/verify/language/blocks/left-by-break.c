// Left by break.
// expect: unsafe 11
// check: memory
int main(void) {
    int *p = 0;
    for (;;) {
        int z = 1;
        p = &z;
        if (z) break;
    }
    return *p;
}

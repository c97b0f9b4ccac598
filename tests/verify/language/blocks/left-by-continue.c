// Left by continue.
// expect: unsafe 7
// check: memory
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        if (p) return *p;
        int z = 1;
        p = &z;
        continue;
    }
    return 0;
}

// A variable of the last round.
// expect: unsafe 10
// check: memory
int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int z = i;
        p = &z;
    }
    return *p;
}

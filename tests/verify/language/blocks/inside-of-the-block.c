// Inside of the block.
// expect: safe
// check: memory
int main(void) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int z = i;
        int *p = &z;
        s += *p;
    }
    return s;
}

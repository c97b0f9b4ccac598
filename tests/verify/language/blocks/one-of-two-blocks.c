// One of two blocks.
// expect: unsafe 14
// check: memory
extern int nondet_int(void);
int main(void) {
    int *p;
    if (nondet_int()) {
        int y = 3;
        p = &y;
    } else {
        int z = 2;
        p = &z;
    }
    return *p;
}

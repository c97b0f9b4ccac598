// One that is filled too far.
// expect: unsafe 9
// check: memory,overflow
int __VERIFIER_nondet_int(void);
static unsigned char q[4];
static unsigned count;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (count <= 4) q[count++] = 1;
    }
    return 0;
}

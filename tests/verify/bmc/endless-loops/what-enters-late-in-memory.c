// What enters late, in memory.
// expect: unsafe 14
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int t[6];
int main(void) {
    int f = 0;
    t[0] = 1;
    while (f != 7) {
        for (int i = 5; i > 0; i--) t[i] = t[i - 1];
        f = __VERIFIER_nondet_int();
    }
    __VERIFIER_assert(t[5] == 0);
}

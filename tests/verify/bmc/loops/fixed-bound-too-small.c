// Fixed bound too small.
// expect: unknown safe up to 5
// engine: bmc
// unwind: 5
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    for (int i = 0; i < 10; i++) s++;
    __VERIFIER_assert(s == 10);
}

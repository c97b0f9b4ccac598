// Two functions that call each other.
// expect: safe
// engine: bmc
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int odd(int n);
int even(int n) { return n == 0 || odd(n - 1); }
int odd(int n) { return n != 0 && even(n - 1); }
int main(void) {
    int n = __VERIFIER_nondet_uchar() & 7;
    __VERIFIER_assert(even(n) == (n % 2 == 0));
}

// Unsigned wraps in a loop.
// expect: safe
// engine: predicate
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);
int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    while (x != 0) x++;
    __VERIFIER_assert(x == 0);
}

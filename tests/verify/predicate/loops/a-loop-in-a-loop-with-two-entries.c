// A loop in a loop with two entries.
// expect: unsafe 14
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, k = 0;
    if (__VERIFIER_nondet_int()) goto middle;
top:
    i++;
middle:
    for (int j = 0; j < 2; j++) k++;
    if (i < 3) goto top;
    __VERIFIER_assert(k != 8);
}

// Two entries, wrong.
// expect: unsafe 14
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0;
    if (__VERIFIER_nondet_int()) goto middle;
top:
    i++;
middle:
    i++;
    if (i < 5) goto top;
    __VERIFIER_assert(i == 6);
}

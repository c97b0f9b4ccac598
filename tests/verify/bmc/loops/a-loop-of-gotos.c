// A loop of gotos.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, s = 0;
again:
    if (i >= 7) goto done;
    s += i;
    i++;
    goto again;
done:
    __VERIFIER_assert(s == 21);
}

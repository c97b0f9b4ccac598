// A loop of gotos.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    int i = 0;
again:
    if (i >= 7) goto done;
    i++;
    goto again;
done:
    __VERIFIER_assert(i == 7);
}

// Memmove overlaps.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
void *memmove(void *, const void *, unsigned long);
char a[6] = "abcde";
int main(void) {
    memmove(a + 1, a, 4);
    __VERIFIER_assert(a[0] == 'a' && a[1] == 'a' && a[4] == 'd');
}

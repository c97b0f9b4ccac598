// The address is kept.
// expect: unsafe 12
// engine: predicate
void __VERIFIER_assert(int);
int *kept;
void keep(int *p) { kept = p; }
void use(void) { *kept = 6; }
int main(void) {
    int x = 1;
    keep(&x);
    use();
    __VERIFIER_assert(x == 1);
}

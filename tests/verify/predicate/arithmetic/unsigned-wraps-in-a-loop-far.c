// Unsigned wraps in a loop, far.
// expect: unsafe 12
// engine: predicate
void __VERIFIER_assert(int);
int main(void) {
    unsigned char x = 250;
    int n = 0;
    while (x >= 5) {
        x++;
        n++;
    }
    __VERIFIER_assert(n != 6);
}

// expect: unsafe 8 or unknown
// engine: explicit
void __VERIFIER_error(void);
int g(void);
int main(void) {
    while (g());
    int (*p)(void) = g;
    if (p() == 3) __VERIFIER_error();
}

// expect: safe
// engine: explicit
void __VERIFIER_error(void);
int main(void) {
    for (int i = 0; i < 10; i++)
        if (i == 10) __VERIFIER_error();
}

// expect: unknown may fail
// engine: explicit
void __VERIFIER_error(void);
int a[4];
int main(void) {
    int i = 0;
    while (i < 4) {
        a[i] = 1;
        i++;
    }
    if (a[2] == 1) __VERIFIER_error();
}

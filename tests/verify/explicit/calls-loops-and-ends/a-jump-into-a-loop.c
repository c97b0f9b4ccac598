// expect: unsafe 12
// engine: explicit
void __VERIFIER_error(void);
int main(void) {
    int x = 0;
    goto in;
    while (x < 5) {
        x += 2;
    in:
        x++;
    }
    if (x == 7) __VERIFIER_error();
}

int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
extern int sprintf(char *, const char *, ...);
extern int printf(const char *, ...);
int g = 4;
int main(void) {
    char b[20];
    int x = __VERIFIER_nondet_int();
    g = 5;
    printf("%d", x);
    sprintf(b, "%d", x + 1);
    if (b[0] == '7') __VERIFIER_error();
    return 0;
}

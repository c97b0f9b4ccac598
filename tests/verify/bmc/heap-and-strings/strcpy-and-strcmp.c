// Strcpy and strcmp.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
char *strcpy(char *, const char *);
int strcmp(const char *, const char *);
int main(void) {
    char b[8];
    strcpy(b, "abc");
    __VERIFIER_assert(strcmp(b, "abc") == 0 && strcmp(b, "abd") < 0);
}

// Strlen of constants.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
unsigned long strlen(const char *);
int main(void) { __VERIFIER_assert(strlen("") == 0 && strlen("hello") == 5); }

// Hook error.
// expect: unsafe 3
void __VERIFIER_error(void);
int main(void) {
    void (*f)(void) = __VERIFIER_error;
    f();
    return 0;
}

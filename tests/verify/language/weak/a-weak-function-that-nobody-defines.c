// A weak function that nobody defines.
// expect: safe
// check: memory
// assumes: weak
__attribute__((weak)) void w(void);
int main(void) {
    w();
    return 0;
}

// Below the sign bit.
// expect: safe
// check: shift
int main(void) { return 1 << 30; }

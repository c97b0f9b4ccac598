// The sign bit.
// expect: unsafe 4
// check: shift
int main(void) { return 1 << 31; }

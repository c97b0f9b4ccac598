// One expression of constants.
// expect: unsafe 5
// engine: bmc
// check: div
int main(void) { return (-2147483647 - 1) / -1; }

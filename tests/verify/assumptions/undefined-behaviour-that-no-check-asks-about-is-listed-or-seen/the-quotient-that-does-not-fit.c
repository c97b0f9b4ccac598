// The quotient that does not fit.
// expect: unsafe 6
// check: div
int main(void) {
    int x = -2147483647 - 1, y = -1;
    return x / y;
}

// An array with a length above zero.
// expect: safe
// check: memory
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n <= 0 || n > 5) return 0;
    char a[n];
    a[n - 1] = 1;
    return a[n - 1] - (int)sizeof a;
}

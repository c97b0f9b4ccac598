// An array with a length below zero.
// expect: unsafe 7
// check: memory
// says: positive
int main(void) {
    int n = -1;
    int a[n];
    (void)a;
    return 0;
}

// An index whose distance wraps.
// expect: unsafe 9
// check: memory
// says: address
// says: space
int main(void) {
    int a[4];
    long i = 1L << 62;
    a[i] = 1;
    return 0;
}

// A compound literal.
// expect: unsafe 7
// check: memory
int main(void) {
    int *p;
    { p = (int[]){1, 2, 3}; }
    return p[1];
}

// Fscanf implicit.
// expect: unsafe 6
int main(void) {
    int x = 0;
    scanf("%d", &x);
    __CPROVER_assert(x == 0, "x");
    return 0;
}

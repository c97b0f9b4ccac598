// Cprover cover.
// expect: safe
int main(void) {
    int x = 1;
    __CPROVER_cover(x == 1);
    __CPROVER_input("x", x);
    __CPROVER_output("x", x);
    return 0;
}

// Cprover precondition ok.
// expect: safe
void f(int n) { __CPROVER_precondition(n > 0, "n positive"); }
int main(void) {
    f(1);
    return 0;
}

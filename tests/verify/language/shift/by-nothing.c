// By nothing.
// expect: safe
// check: shift
int nondet_int(void);
int main(void) {
    int n = nondet_int(), by = 0;
    return n >= 0 ? n << by : 0;
}

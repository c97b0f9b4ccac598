// The count has another type.
// expect: unsafe 8
// check: shift
long long nondet_ll(void);
int main(void) {
    int n = 1;
    long long by = nondet_ll();
    return by == 31 ? n << by : 0;
}

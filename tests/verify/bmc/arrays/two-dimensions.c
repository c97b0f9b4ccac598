// Two dimensions.
// expect: safe
// engine: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int m[3][4];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() & 3;
    m[i][j] = 5;
    int s = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++) s += m[a][b];
    __VERIFIER_assert(s == 5);
}

/* The information of a table with up to two rows and columns. A tangent stands for the logarithm: any function does, if both versions
   use the same one. */
double log(double x) { return x > 0 ? x - 1 : -1.0 / 0.0; }

int main(void)
{
    long f[4];
    int i, b_df = 0, n_df = 0, rows, columns;
    double b, n;
    for (i = 0; i < 4; i++)
        f[i] = (__VERIFIER_nondet_uchar() & 3) - 1;
    rows = (__VERIFIER_nondet_uchar() & 3) - 1;
    columns = (__VERIFIER_nondet_uchar() & 1) + 1;
    b = b_InfoTbl(rows, columns, f, &b_df);
    n = n_InfoTbl(rows, columns, f, &n_df);
    if (b_df != n_df || !(b == n || (b != b && n != n)))
        __VERIFIER_error();
    return 0;
}

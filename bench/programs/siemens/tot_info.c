/* The information of a table of zeros and ones with two rows and columns, or one without rows. A tangent stands for the logarithm: any
   function does, if both versions use the same one. */
double log(double x) { return x > 0 ? x - 1 : -1.0 / 0.0; }

static void compare(int rows, int columns)
{
    long f[4];
    int i, b_df = 0, n_df = 0;
    double b, n;
    for (i = 0; i < 4; i++)
        f[i] = __VERIFIER_nondet_uchar() & 1;
    b = b_InfoTbl(rows, columns, f, &b_df);
    n = n_InfoTbl(rows, columns, f, &n_df);
    if (b_df != n_df || !(b == n || (b != b && n != n)))
        __VERIFIER_error();
}

int main(void)
{
    if (__VERIFIER_nondet_int())
        compare(2, 2);
    else
        compare(0, 2);
    return 0;
}

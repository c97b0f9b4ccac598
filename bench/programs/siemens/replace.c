/* Where a pattern of three characters ends in a line of two, or whether it is none. */
static const char alphabet[16] = { 'a', 'b', 'c', 'n', '-', '[', ']', '^', '@', '*', '?', '%', '$', '!', 't', '\0' };

static char pick(void) { return alphabet[__VERIFIER_nondet_uchar() & 15]; }

static char pattern[4], line[4];
static char b_found[100], n_found[100];

int main(void)
{
    int i, b = -2, n = -2;
    for (i = 0; i < 3; i++)
        pattern[i] = pick();
    for (i = 0; i < 2; i++)
        line[i] = pick();
    line[2] = '\n';
    if (b_getpat(pattern, b_found))
        b = b_amatch(line, 0, b_found, 0);
    if (n_getpat(pattern, n_found))
        n = n_amatch(line, 0, n_found, 0);
    if (b != n)
        __VERIFIER_error();
    return 0;
}

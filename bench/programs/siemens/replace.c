/* What a pattern is translated to, and whether its first part matches a character. Patterns are of eight forms, with two characters
   left open. */
static const char alphabet[8] = { 'a', 'b', 'c', 'n', '-', '@', '*', '\n' };

static char pick(void) { return alphabet[__VERIFIER_nondet_uchar() & 7]; }

static char b_found[100], n_found[100];

static void check(char p0, char p1, char p2, char p3, char p4)
{
    char pattern[6], line[3];
    int i, b_at = 0, n_at = 0;
    pattern[0] = p0;
    pattern[1] = p1;
    pattern[2] = p2;
    pattern[3] = p3;
    pattern[4] = p4;
    pattern[5] = '\0';
    line[0] = pick();
    line[1] = '\n';
    line[2] = '\0';
    if (b_getpat(pattern, b_found) != n_getpat(pattern, n_found))
        __VERIFIER_error();
    for (i = 0; i < 8; i++)
        if (b_found[i] != n_found[i])
            __VERIFIER_error();
    if (b_found[0] != '*' && b_found[0]
        && (b_omatch(line, &b_at, b_found, 0) != n_omatch(line, &n_at, n_found, 0) || b_at != n_at))
        __VERIFIER_error();
}

int main(void)
{
    char x = pick(), y = pick();
    switch (__VERIFIER_nondet_uchar()) {
    case 0: check('[', x, '-', 'c', ']'); break;
    case 1: check('[', '^', x, y, ']'); break;
    case 2: check('%', x, '*', '$', '\0'); break;
    case 3: check('@', x, y, '\0', '\0'); break;
    case 4: check('?', '*', x, '\0', '\0'); break;
    case 5: check('a', '*', '*', '\0', '\0'); break;
    case 6: check(x, '$', '\0', '\0', '\0'); break;
    default: check('[', 'a', '@', x, ']'); break;
    }
    return 0;
}

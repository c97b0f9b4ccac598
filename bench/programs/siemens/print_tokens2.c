/* The kinds of the first two tokens of an input of four characters. */
static const char alphabet[16] = { 'a', 'o', 'r', 'i', 'f', '1', '"', '#', ';', '(', ']', ',', ' ', '\n', '=', '>' };
static char input[4];
static int at;

int getc(FILE *from) { return at < 4 ? input[at++] : (at++, EOF); }

int ungetc(int c, FILE *to)
{
    at--;
    return c;
}

static int b_kinds(void)
{
    int first;
    at = 0;
    first = b_token_type(b_get_token(stdin));
    return first * 100 + b_token_type(b_get_token(stdin));
}

static int n_kinds(void)
{
    int first;
    at = 0;
    first = n_token_type(n_get_token(stdin));
    return first * 100 + n_token_type(n_get_token(stdin));
}

int main(void)
{
    int i;
    for (i = 0; i < 4; i++)
        input[i] = alphabet[__VERIFIER_nondet_uchar() & 15];
    if (b_kinds() != n_kinds())
        __VERIFIER_error();
    return 0;
}

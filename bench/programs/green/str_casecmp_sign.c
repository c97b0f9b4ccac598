// Compares strings by a table that is indexed with a plain char.
// expect: unsafe 21
#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 5

/* What is added to a letter to have it in lower case. */
static unsigned char shift[256];

static void fill_table(void)
{
    for (int c = 'A'; c <= 'Z'; c++)
        shift[c] = 'a' - 'A';
}

static int fold(const char *s)
{
    return (unsigned char)*s + shift[(int)*s];
}

static int compare(const char *a, const char *b)
{
    while (*a && fold(a) == fold(b)) {
        a++;
        b++;
    }
    return fold(a) - fold(b);
}

static void read_name(char name[INPUT + 1])
{
    for (int i = 0; i < INPUT; i++)
        name[i] = __VERIFIER_nondet_char();
    name[INPUT] = '\0';
}

int main(void)
{
    char a[INPUT + 1], b[INPUT + 1];

    fill_table();
    read_name(a);
    read_name(b);
    if (strcmp(a, b) == 0)
        assert(compare(a, b) == 0);
    if (compare(a, b) == 0) {
        assert(strlen(a) == strlen(b));
        assert(compare(b, a) == 0);
    }
    return 0;
}

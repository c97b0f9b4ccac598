// Takes one field out of a line, and looks behind it after an open quote.
// expect: unsafe 17
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 6

/* Copies the field at `at` and returns where the next one starts, or NULL. */
static const char *field(const char *at, char *out)
{
    if (*at == '"') {
        at++;
        for (;;) {
            if (*at == '"') {
                if (at[1] != '"') {
                    at++;
                    break;
                }
                at++;
            }
            *out++ = *at++;
        }
    } else {
        while (*at && *at != ',')
            *out++ = *at++;
    }
    *out = '\0';
    while (*at && *at != ',')
        at++;
    return *at == ',' ? at + 1 : NULL;
}

int main(void)
{
    char line[INPUT + 1];
    char value[2 * INPUT + 2];
    const char *next;

    for (int i = 0; i < INPUT; i++)
        line[i] = __VERIFIER_nondet_char();
    line[INPUT] = '\0';

    next = field(line, value);
    assert(strlen(value) <= INPUT);
    if (line[0] != '"')
        assert(strchr(value, ',') == NULL);
    if (next != NULL)
        assert(next > line && next[-1] == ',');
    return 0;
}

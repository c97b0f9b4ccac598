// Escapes quotes and backslashes of a string, without room for the zero at the end.
// expect: unsafe 32
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 5

static char *escape(const char *text)
{
    char *out = malloc(2 * strlen(text));
    char *to = out;

    if (!out)
        return NULL;
    for (; *text; text++) {
        switch (*text) {
        case '\n':
            *to++ = '\\';
            *to++ = 'n';
            break;
        case '"':
        case '\\':
            *to++ = '\\';
            /* fall through */
        default:
            *to++ = *text;
        }
    }
    *to = '\0';
    return out;
}

int main(void)
{
    char text[INPUT + 1];
    char *escaped;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';

    escaped = escape(text);
    if (!escaped)
        return 1;
    assert(strlen(escaped) >= strlen(text));
    assert(strchr(escaped, '\n') == NULL);
    free(escaped);
    return 0;
}

// Skips a prefix of a text on the heap and frees the text.
// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define LENGTH 6

static char *read_line(void)
{
    char *line = malloc(LENGTH + 1);

    if (!line)
        return NULL;
    for (int i = 0; i < LENGTH; i++)
        line[i] = __VERIFIER_nondet_char();
    line[LENGTH] = '\0';
    return line;
}

static int starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

int main(void)
{
    char *line = read_line();
    char *rest = line;
    int result = 0;

    if (!line)
        return 1;
    if (starts_with(line, "get ")) {
        rest = line + 4;
        result = 1;
    } else if (starts_with(line, "put ")) {
        rest = line + 4;
        result = 2;
    }
    assert(strlen(rest) <= LENGTH);
    if (result == 0)
        assert(rest == line);
    else
        assert(line[3] == ' ' && strlen(rest) <= 2);
    free(line);
    return 0;
}

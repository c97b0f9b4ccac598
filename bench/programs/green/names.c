// A list of names that are copied to the heap.
// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define NAMES 2
#define LONGEST 4

static char *duplicate(const char *s)
{
    size_t size = strlen(s) + 1;
    char *copy = malloc(size);

    if (copy)
        memcpy(copy, s, size);
    return copy;
}

int main(void)
{
    char *names[NAMES];
    char line[LONGEST + 1];

    for (int n = 0; n < NAMES; n++) {
        for (int i = 0; i < LONGEST; i++)
            line[i] = __VERIFIER_nondet_char();
        line[LONGEST] = '\0';
        names[n] = duplicate(line);
        if (!names[n])
            return 1;
        assert(strcmp(names[n], line) == 0);
    }
    if (strcmp(names[0], names[1]) > 0) {
        char *first = names[1];
        names[1] = names[0];
        names[0] = first;
    }
    assert(strcmp(names[0], names[1]) <= 0);
    for (int n = 0; n < NAMES; n++)
        free(names[n]);
    return 0;
}

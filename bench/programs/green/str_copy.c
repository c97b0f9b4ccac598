// A bounded copy of strings that always ends with a zero, as strlcpy does it.
// expect: safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 8
#define ROOM 5

/* Copies as much as fits and returns the length of the source. */
static size_t copy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size > 0) {
        size_t part = length < size ? length : size - 1;
        memcpy(to, from, part);
        to[part] = '\0';
    }
    return length;
}

int main(void)
{
    char input[INPUT + 1];
    char name[ROOM];
    size_t length;

    for (int i = 0; i < INPUT; i++)
        input[i] = __VERIFIER_nondet_char();
    input[INPUT] = '\0';

    length = copy(name, input, sizeof name);
    assert(strlen(name) <= length);
    if (length < sizeof name)
        assert(strcmp(name, input) == 0);
    else
        assert(strlen(name) == sizeof name - 1);
    return 0;
}

// Splits a record at commas into one more field than there is room for.
// expect: unsafe 22
#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 7
#define FIELDS 4

/* Separators beyond the last field stay part of it. */
static int split(char *text, char **field)
{
    int count = 0;

    field[count++] = text;
    for (char *at = text; *at; at++) {
        if (*at == ',') {
            if (count > FIELDS)
                break;
            *at = '\0';
            field[count++] = at + 1;
        }
    }
    return count;
}

int main(void)
{
    char text[INPUT + 1];
    char *field[FIELDS];
    size_t total = 0;
    int count;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';
    count = split(text, field);

    assert(count >= 1 && count <= FIELDS);
    for (int i = 0; i < count; i++) {
        assert(field[i] >= text && field[i] <= text + INPUT);
        total += strlen(field[i]);
    }
    assert(total <= INPUT);
    return 0;
}

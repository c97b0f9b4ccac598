// Splits a line of an INI file into key and value.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 8
#define KEY 4

enum kind { BLANK, COMMENT, SECTION, SETTING, MALFORMED };

struct line {
    const char *value;
    enum kind kind;
};

static enum kind parse(const char *text, char *key, struct line *line)
{
    size_t n;

    while (*text == ' ')
        text++;
    if (*text == '\0')
        return BLANK;
    if (*text == ';' || *text == '#')
        return COMMENT;
    if (*text == '[')
        return strchr(text, ']') ? SECTION : MALFORMED;
    for (n = 0; text[n] && text[n] != '=' && text[n] != ' '; n++) {
        if (n == KEY - 1)
            return MALFORMED;
        key[n] = text[n];
    }
    key[n] = '\0';
    if (n == 0 || text[n] != '=')
        return MALFORMED;
    line->value = text + n + 1;
    return SETTING;
}

int main(void)
{
    char text[INPUT + 1];
    char key[KEY];
    struct line line = {NULL, BLANK};

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';

    line.kind = parse(text, key, &line);
    if (line.kind == SETTING) {
        assert(line.value > text && line.value[-1] == '=');
        assert(strlen(key) >= 1 && strchr(key, '=') == NULL);
    } else {
        assert(line.value == NULL);
    }
    return 0;
}

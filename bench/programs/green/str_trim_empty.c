// Trims blanks of a line, and looks before its start when it is all blanks.
// expect: unsafe 22
#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 6

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char *trim(char *line)
{
    char *end;

    while (is_blank(*line))
        line++;
    end = line + strlen(line);
    while (is_blank(end[-1]))
        end--;
    *end = '\0';
    return line;
}

int main(void)
{
    char line[INPUT + 1];
    char *text;
    size_t length;

    for (int i = 0; i < INPUT; i++)
        line[i] = __VERIFIER_nondet_char();
    line[INPUT] = '\0';

    text = trim(line);
    length = strlen(text);
    assert(text >= line && length <= INPUT);
    if (length > 0) {
        assert(!is_blank(text[0]));
        assert(!is_blank(text[length - 1]));
    }
    return 0;
}

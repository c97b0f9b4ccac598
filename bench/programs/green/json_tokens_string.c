// A tokenizer for something like JSON that runs over the end of an open string.
// expect: unsafe 26
#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 7
#define TOKENS 8

enum kind { PUNCTUATION, STRING, NUMBER, BAD };

struct token {
    enum kind kind;
    unsigned char start, end;
};

static size_t scan(const char *text, size_t size, size_t at, struct token *t)
{
    char c = text[at];

    t->start = (unsigned char)at;
    if (c == '"') {
        t->kind = STRING;
        at++;
        while (text[at] != '"')
            at += text[at] == '\\' && at + 1 < size ? 2 : 1;
        if (at >= size)
            t->kind = BAD;
        else
            at++;
    } else if (c >= '0' && c <= '9') {
        t->kind = NUMBER;
        while (at < size && text[at] >= '0' && text[at] <= '9')
            at++;
    } else {
        t->kind = c == '{' || c == '}' || c == ':' || c == ',' ? PUNCTUATION : BAD;
        at++;
    }
    t->end = (unsigned char)at;
    return at;
}

int main(void)
{
    char text[INPUT];
    struct token tokens[TOKENS];
    size_t at = 0;
    int count = 0;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    while (at < INPUT && count < TOKENS) {
        if (text[at] == ' ') {
            at++;
            continue;
        }
        at = scan(text, INPUT, at, &tokens[count++]);
        if (tokens[count - 1].kind == BAD)
            break;
    }
    for (int i = 0; i < count; i++) {
        assert(tokens[i].start < tokens[i].end && tokens[i].end <= INPUT);
        assert(i == 0 || tokens[i - 1].end <= tokens[i].start);
    }
    return 0;
}

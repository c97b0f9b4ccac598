// Removes comments from C text, character by character.
// expect: safe
#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 8

enum state { CODE, SLASH, INSIDE, STAR };

/* Every comment becomes a blank. Returns the length of what is left. */
static size_t strip(const char *in, size_t size, char *out)
{
    enum state state = CODE;
    size_t n = 0;

    for (size_t i = 0; i < size; i++) {
        char c = in[i];
        switch (state) {
        case CODE:
            if (c == '/')
                state = SLASH;
            else
                out[n++] = c;
            break;
        case SLASH:
            if (c == '*') {
                state = INSIDE;
                break;
            }
            out[n++] = '/';
            if (c != '/') {
                out[n++] = c;
                state = CODE;
            }
            break;
        case INSIDE:
            if (c == '*')
                state = STAR;
            break;
        case STAR:
            if (c == '/') {
                out[n++] = ' ';
                state = CODE;
            } else if (c != '*') {
                state = INSIDE;
            }
            break;
        }
    }
    if (state == SLASH)
        out[n++] = '/';
    return n;
}

int main(void)
{
    char text[INPUT], code[INPUT];
    size_t length;
    int slashes = 0;

    for (int i = 0; i < INPUT; i++) {
        text[i] = __VERIFIER_nondet_char();
        slashes += text[i] == '/';
    }
    length = strip(text, sizeof text, code);
    assert(length <= sizeof code);
    for (size_t i = 1; i < length; i++)
        assert(!(code[i - 1] == '/' && code[i] == '*'));
    /* One comment from end to end. */
    if (text[0] == '/' && text[1] == '*' && slashes == 2 && text[INPUT - 2] == '*' && text[INPUT - 1] == '/')
        assert(length == 1 && code[0] == ' ');
    return 0;
}

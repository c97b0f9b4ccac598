// Takes words out of a line, and ends a long one behind its buffer.
// expect: unsafe 29
#include <assert.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT 8
#define WORD 4

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Puts the next word into `word` and returns where it ends, or NULL if there is none. */
static const char *next_word(const char *at, char word[WORD])
{
    int length = 0;

    while (*at && !is_letter(*at))
        at++;
    if (!*at)
        return NULL;
    for (; is_letter(*at); at++) {
        if (length < WORD)
            word[length++] = *at;
    }
    word[length] = '\0';
    return at;
}

int main(void)
{
    char line[INPUT + 1];
    char word[WORD];
    const char *at = line;
    int words = 0;

    for (int i = 0; i < INPUT; i++)
        line[i] = (char)(__VERIFIER_nondet_uchar() & 0x7f);
    line[INPUT] = '\0';

    while ((at = next_word(at, word)) != NULL) {
        words++;
        assert(is_letter(word[0]));
    }
    assert(words <= (INPUT + 1) / 2);
    return 0;
}

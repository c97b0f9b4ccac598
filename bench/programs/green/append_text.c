// Appends words to a text that may move when it grows.
// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct text {
    char *chars;
    size_t length, room;
};

static int reserve(struct text *t, size_t more)
{
    char *chars;

    if (t->length + more < t->room)
        return 0;
    chars = realloc(t->chars, t->length + more + 1);
    if (!chars)
        return -1;
    t->chars = chars;
    t->room = t->length + more + 1;
    return 0;
}

static int append(struct text *t, const char *word)
{
    size_t length = strlen(word);

    if (reserve(t, length) != 0)
        return -1;
    memcpy(t->chars + t->length, word, length + 1);
    t->length += length;
    return 0;
}

int main(void)
{
    static const char *const words[] = {"on", "off", "standby"};
    struct text t = {malloc(8), 0, 8};
    unsigned choice = (unsigned)__VERIFIER_nondet_int() % 3;

    if (!t.chars)
        return 1;
    t.chars[0] = '\0';
    if (append(&t, "led ") != 0 || append(&t, words[choice]) != 0)
        return 1;
    assert(t.length < t.room && t.chars[t.length] == '\0');
    assert(strlen(t.chars) == t.length);
    free(t.chars);
    return 0;
}

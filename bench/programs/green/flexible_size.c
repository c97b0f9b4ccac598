// A message whose text is a flexible array member, without room for its zero.
// expect: unsafe 26
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define LONGEST 8

struct message {
    unsigned short length;
    unsigned char level;
    char text[];
};

static struct message *make(const char *text, unsigned char level)
{
    size_t length = strlen(text);
    struct message *m = malloc(sizeof *m + length - 1);

    if (!m)
        return NULL;
    m->length = (unsigned short)length;
    m->level = level;
    memcpy(m->text, text, length + 1);
    return m;
}

int main(void)
{
    char text[LONGEST + 1];
    unsigned length = __VERIFIER_nondet_uint() % (LONGEST + 1);
    struct message *m;

    memset(text, 'z', length);
    text[length] = '\0';
    m = make(text, 3);
    if (!m)
        return 1;
    assert(m->length == length && m->level == 3);
    assert(strcmp(m->text, text) == 0);
    free(m);
    return 0;
}

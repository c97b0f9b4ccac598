// A cursor over a text that is used without being set.
// expect: unsafe 45
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 6

struct match {
    const char *start;
    int length;
};

static bool find_number(const char *text, struct match *m)
{
    const char *at = text;

    while (*at && (*at < '0' || *at > '9'))
        at++;
    if (!*at)
        return false;
    m->start = at;
    m->length = 0;
    while (*at >= '0' && *at <= '9') {
        m->length++;
        at++;
    }
    return true;
}

int main(void)
{
    char text[INPUT + 1];
    struct match m;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';

    m.length = 1;
    (void)find_number(text, &m);
    assert(m.length >= 1 && m.length <= INPUT);
    assert(m.start[0] >= '0' && m.start[0] <= '9');
    if (m.start != text)
        assert(m.start[-1] < '0' || m.start[-1] > '9');
    return 0;
}

// A string that grows without a place for its end.
// expect: unsafe 35
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct sb {
    char *p;
    size_t len, cap;
};

static int sb_need(struct sb *s, size_t more)
{
    if (s->len + more <= s->cap)
        return 0;
    size_t cap = s->cap ? s->cap : 8;
    while (cap < s->len + more + 1)
        cap *= 2;
    char *p = realloc(s->p, cap);
    if (!p)
        return -1;
    s->p = p;
    s->cap = cap;
    return 0;
}

static int sb_add(struct sb *s, const char *t)
{
    size_t n = strlen(t);
    if (sb_need(s, n))
        return -1;
    memcpy(s->p + s->len, t, n + 1);
    s->len += n;
    return 0;
}

static int sb_int(struct sb *s, int v)
{
    char tmp[16];
    int n = snprintf(tmp, sizeof tmp, "%d", v);
    assert(n > 0 && n < (int)sizeof tmp);
    return sb_add(s, tmp);
}

int main(void)
{
    struct sb s = {0};
    int v = __VERIFIER_nondet_int();
    if (sb_add(&s, "x=") || sb_int(&s, v) || sb_add(&s, ";")) {
        free(s.p);
        return 1;
    }
    assert(s.len == strlen(s.p));
    assert(s.p[s.len - 1] == ';');
    free(s.p);
}

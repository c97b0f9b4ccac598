#include "check.h"
#include <strings.h>

MODEL(strlen);
MODEL(strnlen);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcoll);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(strcpy);
MODEL(strncpy);
MODEL(stpcpy);
MODEL(stpncpy);
MODEL(strcat);
MODEL(strncat);
MODEL(strxfrm);
MODEL(strspn);
MODEL(strcspn);
MODEL(strtok_r);
MODEL(strtok);
MODEL(strsep);
MODEL(strdup);
MODEL(strndup);
char *m_strchr(const char *, int);
char *m_index(const char *, int);
char *m_rindex(const char *, int);
char *m_strrchr(const char *, int);
char *m_strchrnul(const char *, int);
char *m_strpbrk(const char *, const char *);
char *m_strstr(const char *, const char *);
char *m_strcasestr(const char *, const char *);
char *m_basename(const char *);
size_t m_strlcpy(char *, const char *, size_t);
size_t m_strlcat(char *, const char *, size_t);

static void searches(const char *a, const char *b, int c)
{
    CHECK(m_strlen(a) == strlen(a), "%s", a);
    CHECK(m_strchr(a, c) == strchr(a, c), "%s %d", a, c);
    CHECK(m_index(a, c) == strchr(a, c), "%s %d", a, c);
    CHECK(m_strrchr(a, c) == strrchr(a, c), "%s %d", a, c);
    CHECK(m_rindex(a, c) == strrchr(a, c), "%s %d", a, c);
    CHECK(m_strchrnul(a, c) == strchrnul(a, c), "%s %d", a, c);
    CHECK(m_strspn(a, b) == strspn(a, b), "%s %s", a, b);
    CHECK(m_strcspn(a, b) == strcspn(a, b), "%s %s", a, b);
    CHECK(m_strpbrk(a, b) == strpbrk(a, b), "%s %s", a, b);
    CHECK(m_strstr(a, b) == strstr(a, b), "%s %s", a, b);
    CHECK(m_strcasestr(a, b) == strcasestr(a, b), "%s %s", a, b);
    CHECK(m_basename(a) == (strrchr(a, '/') ? strrchr(a, '/') + 1 : a), "%s", a);
}

static void comparisons(const char *a, const char *b, size_t n)
{
    CHECK(m_strnlen(a, n) == strnlen(a, n), "%s %zu", a, n);
    CHECK(sign_of(m_strcmp(a, b)) == sign_of(strcmp(a, b)), "%s %s", a, b);
    CHECK(sign_of(m_strncmp(a, b, n)) == sign_of(strncmp(a, b, n)), "%s %s %zu", a, b, n);
    CHECK(sign_of(m_strcoll(a, b)) == sign_of(strcoll(a, b)), "%s %s", a, b);
    CHECK(sign_of(m_strcasecmp(a, b)) == sign_of(strcasecmp(a, b)), "%s %s", a, b);
    CHECK(sign_of(m_strncasecmp(a, b, n)) == sign_of(strncasecmp(a, b, n)), "%s %s %zu", a, b, n);
}

/* Runs f and its model on equal buffers and compares the whole buffers and the returned positions. */
#define SAME(call, model, used)                                                                \
    do {                                                                                       \
        memset(x, '#', sizeof x), memset(y, '#', sizeof y);                                    \
        memcpy(x, start, strlen(start) + 1), memcpy(y, start, strlen(start) + 1);              \
        char *to = x;                                                                          \
        ptrdiff_t p = (ptrdiff_t)(call) - (used) * (ptrdiff_t)x;                               \
        to = y;                                                                                \
        ptrdiff_t q = (ptrdiff_t)(model) - (used) * (ptrdiff_t)y;                              \
        CHECK(p == q && memcmp(x, y, sizeof x) == 0, #call " %s %s %zu: %td %td", start, a, n, p, q); \
    } while (0)

static void copies(const char *start, const char *a, size_t n)
{
    char x[64], y[64];
    SAME(strcpy(to, a), m_strcpy(to, a), 1);
    SAME(stpcpy(to, a), m_stpcpy(to, a), 1);
    SAME(strncpy(to, a, n), m_strncpy(to, a, n), 1);
    SAME(stpncpy(to, a, n), m_stpncpy(to, a, n), 1);
    SAME(strcat(to, a), m_strcat(to, a), 1);
    SAME(strncat(to, a, n), m_strncat(to, a, n), 1);
    if (strlen(a) < n) /* otherwise the content is unspecified */
        SAME(strxfrm(to, a, n), m_strxfrm(to, a, n), 0);
    CHECK(m_strxfrm(x, a, n) == strlen(a), "%s", a);
    SAME(snprintf(to, n, "%s", a), m_strlcpy(to, a, n), 0);

    size_t used = strnlen(start, n);
    memset(x, '#', sizeof x);
    strcpy(x, start);
    size_t length = m_strlcat(x, a, n);
    CHECK(length == used + strlen(a), "%s %s %zu", start, a, n);
    snprintf(y, sizeof y, "%s", start);
    if (used < n)
        snprintf(y + used, n - used, "%s", a);
    CHECK(strcmp(x, y) == 0, "%s %s %zu", start, a, n);

    char *p = m_strdup(a), *q = m_strndup(a, n), *r = strndup(a, n);
    CHECK(strcmp(p, a) == 0 && strcmp(q, r) == 0, "%s %zu", a, n);
    free(p), free(q), free(r);
}

static void tokens(const char *a, const char *b)
{
    char x[64], y[64], *rest_x, *rest_y;
    strcpy(x, a), strcpy(y, a);
    char *s = strtok_r(x, b, &rest_x), *t = m_strtok_r(y, b, &rest_y);
    for (int i = 0; i < 40; i++) {
        CHECK((s == 0) == (t == 0) && (s == 0 || (s - x == t - y && strcmp(s, t) == 0)), "%s %s", a, b);
        CHECK(memcmp(x, y, strlen(a) + 1) == 0, "%s %s", a, b);
        s = strtok_r(0, b, &rest_x), t = m_strtok_r(0, b, &rest_y);
    }
    strcpy(x, a), strcpy(y, a);
    s = strtok(x, b), t = m_strtok(y, b);
    while (s || t) {
        CHECK(s && t && s - x == t - y && strcmp(s, t) == 0, "%s %s", a, b);
        if (!s || !t)
            break;
        s = strtok(0, b), t = m_strtok(0, b);
    }
    CHECK(m_strtok(0, b) == 0, "%s", b);
    strcpy(x, a), strcpy(y, a);
    rest_x = x, rest_y = y;
    do {
        s = strsep(&rest_x, b), t = m_strsep(&rest_y, b);
        CHECK((s == 0) == (t == 0) && (s == 0 || (s - x == t - y && strcmp(s, t) == 0)), "%s %s", a, b);
    } while (s && t);
}

int main(void)
{
    for (int i = 0; i < 5000; i++) {
        char *a = text(12), *b = text(i % 2 ? 3 : 12);
        int c = "abAB\xe9\x80 ,\0x"[below(10)];
        searches(a, b, c);
        searches(a, a, c + 256);
        comparisons(a, b, below(14));
        comparisons(a, a, below(14));
        copies(b, a, below(30));
        tokens(a, b);
        free(a), free(b);
    }
    for (int c = 1; c < 256; c++) {
        char a[2] = {(char)c, 0};
        for (int d = 0; d < 256; d++) {
            char b[2] = {(char)d, 0};
            comparisons(a, b, 1);
        }
    }
    comparisons("abc", "abd", 2), comparisons("", "", 0), searches("/usr/lib/x", "/", '/');
    return finish();
}

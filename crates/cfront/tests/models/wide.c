#include "check.h"
#include <wchar.h>
#include <wctype.h>

MODEL(wcslen);
MODEL(wcsnlen);
MODEL(wcscmp);
MODEL(wcsncmp);
MODEL(wcscpy);
MODEL(wcpcpy);
MODEL(wcsncpy);
MODEL(wcscat);
MODEL(wcsncat);
MODEL(wcsspn);
MODEL(wcscspn);
MODEL(wcsdup);
MODEL(wmemcpy);
MODEL(wmempcpy);
MODEL(wmemmove);
MODEL(wmemset);
MODEL(wmemcmp);
MODEL(towlower);
MODEL(towupper);
wchar_t *m_wcschr(const wchar_t *, wchar_t);
wchar_t *m_wcsrchr(const wchar_t *, wchar_t);
wchar_t *m_wcspbrk(const wchar_t *, const wchar_t *);
wchar_t *m_wcsstr(const wchar_t *, const wchar_t *);
wchar_t *m_wmemchr(const wchar_t *, wchar_t, size_t);

#define CLASS(name)                                                                       \
    do {                                                                                  \
        MODEL(name);                                                                      \
        for (unsigned c = 0; c < 128; c++)                                                \
            CHECK((m_##name(c) != 0) == (name(c) != 0), #name " %u", c);                  \
        CHECK(!m_##name(0x80) && !m_##name(WEOF) && !m_##name(0x20ac), #name " beyond");   \
    } while (0)

#define SAME(call, model)                                                             \
    do {                                                                              \
        wmemset(x, '#', 64), wmemset(y, '#', 64), wcscpy(x, b), wcscpy(y, b);         \
        wchar_t *to = x;                                                              \
        ptrdiff_t p = (call) - x;                                                     \
        to = y;                                                                       \
        ptrdiff_t q = (model) - y;                                                    \
        CHECK(p == q && wmemcmp(x, y, 64) == 0, #call " %ls %ls %d", b, a, n);        \
    } while (0)

static wchar_t *wide_text(void)
{
    static const wchar_t alphabet[] = {'a', 'b', 0x7fffffff, -1, -0x7fffffff - 1};
    int n = below(9);
    wchar_t *s = (wchar_t *)block((n + 1) * sizeof *s);
    for (int i = 0; i < n; i++)
        s[i] = alphabet[below(below(3) ? 2 : 5)];
    s[n] = 0;
    return s;
}

int main(void)
{
    for (int i = 0; i < 5000; i++) {
        wchar_t *a = wide_text(), *b = wide_text(), c = "ab\0x"[below(4)], x[64], y[64];
        int n = below(10);
        CHECK(m_wcslen(a) == wcslen(a) && m_wcsnlen(a, n) == wcsnlen(a, n), "%d", n);
        CHECK(sign_of(m_wcscmp(a, b)) == sign_of(wcscmp(a, b)) && m_wcscmp(a, a) == 0, "compare");
        CHECK(sign_of(m_wcsncmp(a, b, n)) == sign_of(wcsncmp(a, b, n)), "%d", n);
        int common = (int)(wcslen(a) < wcslen(b) ? wcslen(a) : wcslen(b));
        CHECK(sign_of(m_wmemcmp(a, b, common)) == sign_of(wmemcmp(a, b, common)), "%d", common);
        CHECK(m_wcschr(a, c) == wcschr(a, c) && m_wcsrchr(a, c) == wcsrchr(a, c), "%d", c);
        CHECK(m_wmemchr(a, c, wcslen(a)) == wmemchr(a, c, wcslen(a)), "%d", c);
        CHECK(m_wcsspn(a, b) == wcsspn(a, b) && m_wcscspn(a, b) == wcscspn(a, b), "span");
        CHECK(m_wcspbrk(a, b) == wcspbrk(a, b) && m_wcsstr(a, b) == wcsstr(a, b), "find");
        SAME(wcscpy(to, a), m_wcscpy(to, a));
        SAME(wcpcpy(to, a), m_wcpcpy(to, a));
        SAME(wcsncpy(to, a, n), m_wcsncpy(to, a, n));
        SAME(wcscat(to, a), m_wcscat(to, a));
        SAME(wcsncat(to, a, n), m_wcsncat(to, a, n));
        SAME(wmemcpy(to, a, common), m_wmemcpy(to, a, common));
        SAME(wmempcpy(to, a, common), m_wmempcpy(to, a, common));
        SAME(wmemmove(to + 2, to, n), m_wmemmove(to + 2, to, n));
        SAME(wmemset(to, c, n), m_wmemset(to, c, n));
        wchar_t *p = m_wcsdup(a);
        CHECK(wcscmp(p, a) == 0, "dup");
        free(a), free(b), free(p);
    }
    for (unsigned c = 0; c < 256; c++)
        CHECK(m_towlower(c) == towlower(c) && m_towupper(c) == towupper(c), "%u", c);
    CLASS(iswalpha);
    CLASS(iswalnum);
    CLASS(iswblank);
    CLASS(iswcntrl);
    CLASS(iswdigit);
    CLASS(iswgraph);
    CLASS(iswlower);
    CLASS(iswprint);
    CLASS(iswpunct);
    CLASS(iswspace);
    CLASS(iswupper);
    CLASS(iswxdigit);
    return finish();
}

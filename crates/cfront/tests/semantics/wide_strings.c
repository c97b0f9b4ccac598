/* Wide and UTF strings and characters: literals, concatenation, escapes, the wide library. */
#include <stdio.h>
#include <wchar.h>

typedef __CHAR16_TYPE__ char16;
typedef __CHAR32_TYPE__ char32;

static const wchar_t *const words[] = {L"alpha", L"b\u00e9ta", L"\U0001f600" L"x"};
static wchar_t buffer[32];
static const char16 sixteen[] = u"a\u20ac\U0001f600";
static const char32 thirtytwo[] = U"a\u20ac\U0001f600";
static const char eight[] = u8"a\u20ac\U0001f600é";

static void codes(const wchar_t *s)
{
    while (*s)
        printf("%x ", (unsigned)*s++);
    printf("\n");
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        codes(words[i]);
    printf("%zu %zu %zu %zu\n", sizeof L"abc", sizeof sixteen, sizeof thirtytwo, sizeof eight);
    for (unsigned i = 0; i < sizeof sixteen / 2; i++)
        printf("%x ", sixteen[i]);
    for (unsigned i = 0; i < sizeof thirtytwo / 4; i++)
        printf("%x ", thirtytwo[i]);
    for (unsigned i = 0; i < sizeof eight; i++)
        printf("%x ", (unsigned char)eight[i]);
    printf("\n%d %d %d %d\n", L'a', L'\u00e9', u'\u20ac' == 0x20ac, U'\U0001f600' == 0x1f600);
    codes(L"wide" " and " L"narrow");
    wcscpy(buffer, words[0]);
    wcscat(buffer, L"/");
    wcsncat(buffer, words[1], 2);
    codes(buffer);
    printf("%zu %d %d %d\n", wcslen(buffer), wcscmp(L"abc", L"abd") < 0, wcscmp(words[0], words[0]), wcsncmp(L"abc", L"abd", 2));
    printf("%d %d %d\n", (int)(wcschr(buffer, L'/') - buffer), (int)(wcsrchr(buffer, L'b') - buffer), wcsstr(buffer, L"zz") == 0);
    wmemset(buffer + 2, L'*', 3);
    wmemcpy(buffer, L"AB", 2);
    codes(buffer);
    wchar_t local[] = {L'x', 'y', 0x7a, 0}, *p = local;
    int sum = 0;
    for (; *p; ++p)
        sum += *p;
    printf("%d %d\n", sum, (wchar_t)-1 < 0);
    return wmemcmp(local, L"xyz", 3) + (int)wcslen(local);
}

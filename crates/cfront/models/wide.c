/* Wide strings and characters (wchar.h, wctype.h) of the "C" locale. wchar_t is a signed 32-bit integer, wint_t an
   unsigned one; size_t is written `unsigned long`: same width on every target. */

void *malloc(unsigned long size);
void *memcpy(void *to, const void *from, unsigned long n);
void *memmove(void *to, const void *from, unsigned long n);

unsigned long wcslen(const int *s)
{
    unsigned long n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

unsigned long wcsnlen(const int *s, unsigned long limit)
{
    unsigned long n = 0;
    while (n < limit && s[n] != 0)
        n++;
    return n;
}

int wcscmp(const int *a, const int *b)
{
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return a[i] == b[i] ? 0 : a[i] < b[i] ? -1 : 1;
}

int wcsncmp(const int *a, const int *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

int wcscoll(const int *a, const int *b)
{
    return wcscmp(a, b);
}

int *wcpcpy(int *to, const int *from)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to + i;
}

int *wcscpy(int *to, const int *from)
{
    wcpcpy(to, from);
    return to;
}

int *wcsncpy(int *to, const int *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    for (; i < n; i++)
        to[i] = 0;
    return to;
}

int *wcscat(int *to, const int *from)
{
    wcpcpy(to + wcslen(to), from);
    return to;
}

int *wcsncat(int *to, const int *from, unsigned long n)
{
    unsigned long end = wcslen(to);
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

int *wcschr(const int *s, int c)
{
    for (;; s++) {
        if (*s == c)
            return (int *)s;
        if (*s == 0)
            return 0;
    }
}

int *wcsrchr(const int *s, int c)
{
    const int *found = 0;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (*s == 0)
            return (int *)found;
    }
}

unsigned long wcsspn(const int *s, const int *set)
{
    unsigned long n = 0;
    while (s[n] != 0 && wcschr(set, s[n]) != 0)
        n++;
    return n;
}

unsigned long wcscspn(const int *s, const int *set)
{
    unsigned long n = 0;
    while (s[n] != 0 && wcschr(set, s[n]) == 0)
        n++;
    return n;
}

int *wcspbrk(const int *s, const int *set)
{
    for (; *s != 0; s++) {
        if (wcschr(set, *s) != 0)
            return (int *)s;
    }
    return 0;
}

int *wcsstr(const int *s, const int *wanted)
{
    for (;; s++) {
        unsigned long i = 0;
        while (wanted[i] != 0 && s[i] == wanted[i])
            i++;
        if (wanted[i] == 0)
            return (int *)s;
        if (*s == 0)
            return 0;
    }
}

int *wcsdup(const int *s)
{
    unsigned long size = (wcslen(s) + 1) * sizeof(int);
    int *copy = malloc(size);
    if (copy != 0)
        memcpy(copy, s, size);
    return copy;
}

int *wmemcpy(int *to, const int *from, unsigned long n)
{
    return memcpy(to, from, n * sizeof(int));
}

int *wmempcpy(int *to, const int *from, unsigned long n)
{
    memcpy(to, from, n * sizeof(int));
    return to + n;
}

int *wmemmove(int *to, const int *from, unsigned long n)
{
    return memmove(to, from, n * sizeof(int));
}

int *wmemset(int *to, int c, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const int *a, const int *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

int *wmemchr(const int *s, int c, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        if (s[i] == c)
            return (int *)(s + i);
    }
    return 0;
}

unsigned int towlower(unsigned int c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

unsigned int towupper(unsigned int c)
{
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int iswupper(unsigned int c)
{
    return c >= 'A' && c <= 'Z';
}

int iswlower(unsigned int c)
{
    return c >= 'a' && c <= 'z';
}

int iswalpha(unsigned int c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int iswdigit(unsigned int c)
{
    return c >= '0' && c <= '9';
}

int iswxdigit(unsigned int c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

int iswspace(unsigned int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int iswprint(unsigned int c)
{
    return c >= ' ' && c <= '~';
}

int iswgraph(unsigned int c)
{
    return c > ' ' && c <= '~';
}

int iswblank(unsigned int c)
{
    return c == ' ' || c == '\t';
}

int iswcntrl(unsigned int c)
{
    return c < ' ' || c == 127;
}

int iswpunct(unsigned int c)
{
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

int iswalnum(unsigned int c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Strings (string.h, strings.h): the plainest loop that does what the standard says and reads no byte it may not read.
   The locale is "C". size_t is written `unsigned long`: same width on every target. */

void *malloc(unsigned long size);
void *memcpy(void *to, const void *from, unsigned long n);
void __reprove_apart(const void *a, unsigned long m, const void *b, unsigned long n);
int tolower(int c);

unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

unsigned long strnlen(const char *s, unsigned long limit)
{
    unsigned long n = 0;
    while (n < limit && s[n] != 0)
        n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    unsigned long i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        if (a[i] != b[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

int strcasecmp(const char *a, const char *b)
{
    for (unsigned long i = 0;; i++) {
        int x = tolower((unsigned char)a[i]);
        int y = tolower((unsigned char)b[i]);
        if (x != y || x == 0)
            return x - y;
    }
}

int strncasecmp(const char *a, const char *b, unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) {
        int x = tolower((unsigned char)a[i]);
        int y = tolower((unsigned char)b[i]);
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

char *stpcpy(char *to, const char *from)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to + i;
}

char *__stpcpy(char *to, const char *from)
{
    return stpcpy(to, from);
}

char *strcpy(char *to, const char *from)
{
    unsigned long i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    return to;
}

/* The rest of the n bytes is filled with zeros; the end is the first of them, or to + n. */
char *stpncpy(char *to, const char *from, unsigned long n)
{
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    __reprove_apart(to, n, from, i < n ? i + 1 : n);
    for (unsigned long k = i; k < n; k++)
        to[k] = 0;
    return to + i;
}

char *__stpncpy(char *to, const char *from, unsigned long n)
{
    return stpncpy(to, from, n);
}

char *strncpy(char *to, const char *from, unsigned long n)
{
    stpncpy(to, from, n);
    return to;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, unsigned long n)
{
    unsigned long end = strlen(to);
    unsigned long i = 0;
    while (i < n && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

unsigned long strlcpy(char *to, const char *from, unsigned long size)
{
    unsigned long i = 0;
    if (size > 0) {
        while (i < size - 1 && from[i] != 0) {
            to[i] = from[i];
            i++;
        }
        to[i] = 0;
    }
    while (from[i] != 0)
        i++;
    return i;
}

unsigned long strlcat(char *to, const char *from, unsigned long size)
{
    unsigned long end = strnlen(to, size);
    return end + strlcpy(to + end, from, size - end);
}

/* The C locale: the copy orders as the original. Without room for all of it, the content is unspecified. */
unsigned long strxfrm(char *to, const char *from, unsigned long n)
{
    unsigned long length = strlen(from);
    if (length < n)
        strcpy(to, from);
    else
        memcpy(to, from, n);
    return length;
}

/* The terminating zero is part of the string. */
char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *strchrnul(const char *s, int c)
{
    while (*s != 0 && *s != (char)c)
        s++;
    return (char *)s;
}

char *strrchr(const char *s, int c)
{
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (*s == 0)
            return (char *)found;
    }
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

unsigned long strspn(const char *s, const char *set)
{
    unsigned long n = 0;
    while (s[n] != 0 && strchr(set, s[n]) != 0)
        n++;
    return n;
}

unsigned long strcspn(const char *s, const char *set)
{
    unsigned long n = 0;
    while (s[n] != 0 && strchr(set, s[n]) == 0)
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    for (; *s != 0; s++) {
        if (strchr(set, *s) != 0)
            return (char *)s;
    }
    return 0;
}

char *strstr(const char *s, const char *wanted)
{
    for (;; s++) {
        unsigned long i = 0;
        while (wanted[i] != 0 && s[i] == wanted[i])
            i++;
        if (wanted[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

char *strcasestr(const char *s, const char *wanted)
{
    for (;; s++) {
        unsigned long i = 0;
        while (wanted[i] != 0 && tolower((unsigned char)s[i]) == tolower((unsigned char)wanted[i]))
            i++;
        if (wanted[i] == 0)
            return (char *)s;
        if (*s == 0)
            return 0;
    }
}

/* When no token is left, *rest stays at the end of the string, so that later calls find none either. */
char *strtok_r(char *s, const char *separators, char **rest)
{
    if (s == 0)
        s = *rest;
    s = s + strspn(s, separators);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + strcspn(s, separators);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *rest = end;
    return s;
}

char *__strtok_r(char *s, const char *separators, char **rest)
{
    return strtok_r(s, separators, rest);
}

static char *strtok_rest;

char *strtok(char *s, const char *separators)
{
    return strtok_r(s, separators, &strtok_rest);
}

char *strsep(char **rest, const char *separators)
{
    char *start = *rest;
    if (start == 0)
        return 0;
    char *end = start + strcspn(start, separators);
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return start;
}

char *strdup(const char *s)
{
    unsigned long size = strlen(s) + 1;
    char *copy = malloc(size);
    if (copy != 0)
        memcpy(copy, s, size);
    return copy;
}

char *__strdup(const char *s)
{
    return strdup(s);
}

char *strndup(const char *s, unsigned long limit)
{
    unsigned long length = strnlen(s, limit);
    char *copy = malloc(length + 1);
    if (copy != 0) {
        memcpy(copy, s, length);
        copy[length] = 0;
    }
    return copy;
}

char *__strndup(const char *s, unsigned long limit)
{
    return strndup(s, limit);
}

/* GNU basename, the one of string.h: the text after the last slash. */
char *basename(const char *path)
{
    char *slash = strrchr(path, '/');
    return slash != 0 ? slash + 1 : (char *)path;
}

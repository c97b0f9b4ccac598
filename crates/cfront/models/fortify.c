/* What -D_FORTIFY_SOURCE turns copies into: the extra argument is the size of the destination, and the program aborts
   when it is too small. */

void abort(void);
void *memcpy(void *to, const void *from, unsigned long n);
void *memmove(void *to, const void *from, unsigned long n);
void *memset(void *to, int byte, unsigned long n);
unsigned long strlen(const char *s);
unsigned long strnlen(const char *s, unsigned long limit);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, unsigned long n);
char *stpncpy(char *to, const char *from, unsigned long n);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, unsigned long n);

void __chk_fail(void)
{
    abort();
}

void *__memcpy_chk(void *to, const void *from, unsigned long n, unsigned long room)
{
    if (n > room)
        abort();
    return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, unsigned long n, unsigned long room)
{
    if (n > room)
        abort();
    return memmove(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, unsigned long n, unsigned long room)
{
    if (n > room)
        abort();
    memcpy(to, from, n);
    return (char *)to + n;
}

void *__memset_chk(void *to, int byte, unsigned long n, unsigned long room)
{
    if (n > room)
        abort();
    return memset(to, byte, n);
}

char *__strcpy_chk(char *to, const char *from, unsigned long room)
{
    if (strlen(from) >= room)
        abort();
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, unsigned long room)
{
    if (strlen(from) >= room)
        abort();
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, unsigned long n, unsigned long room)
{
    if (n > room)
        abort();
    return strncpy(to, from, n);
}

char *__stpncpy_chk(char *to, const char *from, unsigned long n, unsigned long room)
{
    if (n > room)
        abort();
    return stpncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, unsigned long room)
{
    unsigned long used = strnlen(to, room);
    if (used == room || strlen(from) >= room - used)
        abort();
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, unsigned long n, unsigned long room)
{
    unsigned long used = strnlen(to, room);
    if (used == room || strnlen(from, n) >= room - used)
        abort();
    return strncat(to, from, n);
}

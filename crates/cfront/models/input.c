/* What comes in through files and sockets (stdio.h, unistd.h, sys/socket.h): any bytes, any number of them, any error.
   FILE is opaque, so streams are `void *`; ssize_t and off_t are `long`. */

int __reprove_any_int(void);
long __reprove_any_long(void);
unsigned long __reprove_any_ulong(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);
void *malloc(unsigned long size);
void *realloc(void *block, unsigned long size);
void __reprove_fail(void);

/* The end of the file is no error. */
static void maybe_fail(void)
{
    if (__reprove_any_int())
        __reprove_fail();
}

/* EOF, or a byte. */
static int next(void)
{
    int byte = __reprove_any_int();
    __reprove_assume(byte >= -1 && byte <= 255);
    if (byte < 0)
        maybe_fail();
    return byte;
}

int fgetc(void *stream)
{
    (void)stream;
    return next();
}

int getc(void *stream)
{
    (void)stream;
    return next();
}

int _IO_getc(void *stream)
{
    (void)stream;
    return next();
}

int fgetc_unlocked(void *stream)
{
    (void)stream;
    return next();
}

int getc_unlocked(void *stream)
{
    (void)stream;
    return next();
}

int getchar(void)
{
    return next();
}

int getchar_unlocked(void)
{
    return next();
}

int getw(void *stream)
{
    (void)stream;
    return __reprove_any_int();
}

/* What is pushed back may be anything later; whether it can be is not known. */
int ungetc(int byte, void *stream)
{
    (void)stream;
    if (byte == -1 || __reprove_any_int())
        return -1;
    return (unsigned char)byte;
}

/* Nothing follows a newline. Without a loop, which all who read lines would have to see through: for the first bytes only, so
   that long lines may hold more newlines than they can. */
static void no_newline(const char *to, unsigned long at, unsigned long count)
{
    if (at + 1 < count)
        __reprove_assume(to[at] != '\n');
}

/* Up to n - 1 bytes and a zero. Without a result, the bytes that came before an error may be there. */
static char *line(char *to, int n)
{
    if (n < 1)
        return 0;
    unsigned long count = __reprove_any_ulong();
    __reprove_assume(count < (unsigned long)n);
    int failed = __reprove_any_int();
    __reprove_assume(failed || count > 0 || n == 1);
    __reprove_havoc(to, count);
    no_newline(to, 0, count);
    no_newline(to, 1, count);
    no_newline(to, 2, count);
    no_newline(to, 3, count);
    no_newline(to, 4, count);
    no_newline(to, 5, count);
    no_newline(to, 6, count);
    no_newline(to, 7, count);
    if (failed) {
        if (count > 0)
            __reprove_fail();
        else
            maybe_fail();
        return 0;
    }
    to[count] = 0;
    return to;
}

char *fgets(char *to, int n, void *stream)
{
    (void)stream;
    return line(to, n);
}

char *fgets_unlocked(char *to, int n, void *stream)
{
    (void)stream;
    return line(to, n);
}

char *__fgets_chk(char *to, unsigned long room, int n, void *stream)
{
    (void)room;
    (void)stream;
    return line(to, n);
}

/* A line of any length. */
char *gets(char *to)
{
    unsigned long count = __reprove_any_ulong();
    __reprove_assume(count < ~0ul >> 1);
    if (__reprove_any_int()) {
        maybe_fail();
        return 0;
    }
    __reprove_havoc(to, count);
    to[count] = 0;
    return to;
}

/* Whole elements that were read, and possibly a part of the next. */
static unsigned long elements(void *to, unsigned long size, unsigned long count)
{
    if (size == 0 || count == 0)
        return 0;
    unsigned long n = __reprove_any_ulong();
    __reprove_assume(n <= count);
    unsigned long part = 0;
    if (n < count) {
        part = __reprove_any_ulong();
        __reprove_assume(part < size);
        maybe_fail();
    }
    __reprove_havoc(to, n * size + part);
    return n;
}

unsigned long fread(void *to, unsigned long size, unsigned long count, void *stream)
{
    (void)stream;
    return elements(to, size, count);
}

unsigned long fread_unlocked(void *to, unsigned long size, unsigned long count, void *stream)
{
    (void)stream;
    return elements(to, size, count);
}

unsigned long __fread_chk(void *to, unsigned long room, unsigned long size, unsigned long count, void *stream)
{
    (void)room;
    (void)stream;
    return elements(to, size, count);
}

/* At most n bytes, or an error. */
static long some(void *to, unsigned long n)
{
    long count = __reprove_any_long();
    __reprove_assume(count >= -1 && (count < 0 || (unsigned long)count <= n));
    if (count < 0)
        __reprove_fail();
    else
        __reprove_havoc(to, (unsigned long)count);
    return count;
}

long read(int file, void *to, unsigned long n)
{
    (void)file;
    return some(to, n);
}

long __read_chk(int file, void *to, unsigned long n, unsigned long room)
{
    (void)file;
    (void)room;
    return some(to, n);
}

long pread(int file, void *to, unsigned long n, long offset)
{
    (void)file;
    (void)offset;
    return some(to, n);
}

long recv(int socket, void *to, unsigned long n, int flags)
{
    (void)socket;
    (void)flags;
    return some(to, n);
}

/* The address has any content, up to the length that was given; its length may be larger. */
long recvfrom(int socket, void *to, unsigned long n, int flags, void *address, unsigned int *length)
{
    (void)socket;
    (void)flags;
    long count = some(to, n);
    if (address != 0 && count >= 0) {
        unsigned long real = __reprove_any_ulong();
        __reprove_assume(real <= 128);
        __reprove_havoc(address, real < *length ? real : *length);
        *length = (unsigned int)real;
    }
    return count;
}

long readlink(const char *path, char *to, unsigned long n)
{
    (void)path;
    return some(to, n);
}

int getentropy(void *to, unsigned long n)
{
    if (n > 256 || __reprove_any_int()) {
        __reprove_fail();
        return -1;
    }
    __reprove_havoc(to, n);
    return 0;
}

long getrandom(void *to, unsigned long n, unsigned int flags)
{
    (void)flags;
    return some(to, n);
}

/* A buffer that grows as it has to. */
static long grown_line(char **to, unsigned long *room)
{
    long count = __reprove_any_long();
    __reprove_assume(count >= -1 && count != 0 && count < (long)(~0ul >> 2));
    if (count < 0) {
        maybe_fail();
        return -1;
    }
    if (*to == 0 || *room < (unsigned long)count + 1) {
        unsigned long wanted = (unsigned long)count + 1;
        char *block = *to == 0 ? malloc(wanted) : realloc(*to, wanted);
        if (block == 0) {
            __reprove_fail();
            return -1;
        }
        *to = block;
        *room = wanted;
    }
    __reprove_havoc(*to, (unsigned long)count);
    (*to)[count] = 0;
    return count;
}

long getline(char **to, unsigned long *room, void *stream)
{
    (void)stream;
    return grown_line(to, room);
}

long getdelim(char **to, unsigned long *room, int delimiter, void *stream)
{
    (void)delimiter;
    (void)stream;
    return grown_line(to, room);
}

long __getdelim(char **to, unsigned long *room, int delimiter, void *stream)
{
    (void)delimiter;
    (void)stream;
    return grown_line(to, room);
}

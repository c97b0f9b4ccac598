/* Files (stdio.h, fcntl.h, unistd.h, sys/stat.h): what operations on them answer. Nothing here writes what the program can
   see, but for errno, offsets and the structures that are asked for. A FILE is a block that nobody looks into. */

void *__reprove_stream(void);
void __reprove_close(void *stream);
int __reprove_any_int(void);
long __reprove_any_long(void);
unsigned long __reprove_any_ulong(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);
int __reprove_any_bool(void);
void __reprove_fail(void);
int __reprove_done(void);

/* 0, or EOF. */
static int flushed(void)
{
    return __reprove_done();
}

static int descriptor(void)
{
    int number = __reprove_any_int();
    __reprove_assume(number >= -1);
    if (number < 0)
        __reprove_fail();
    return number;
}

static int flag(void)
{
    return __reprove_any_bool() ? 1 : 0;
}

/* A stream is a block of memory that lives until it is closed, or null if there is none. */
static void *opened(void)
{
    void *stream = __reprove_stream();
    if (!stream)
        __reprove_fail();
    return stream;
}

void *fopen(const char *path, const char *mode)
{
    (void)path;
    (void)mode;
    return opened();
}

void *fopen64(const char *path, const char *mode)
{
    (void)path;
    (void)mode;
    return opened();
}

void *fdopen(int file, const char *mode)
{
    (void)file;
    (void)mode;
    return opened();
}

void *tmpfile(void)
{
    return opened();
}

void *popen(const char *command, const char *mode)
{
    (void)command;
    (void)mode;
    return opened();
}

int pclose(void *stream)
{
    __reprove_close(stream);
    int status = __reprove_any_int();
    if (status == -1)
        __reprove_fail();
    return status;
}

void *freopen(const char *path, const char *mode, void *stream)
{
    (void)path;
    (void)mode;
    if (__reprove_done() < 0)
        return 0;
    return stream;
}

int fclose(void *stream)
{
    __reprove_close(stream);
    return flushed();
}

int fflush(void *stream)
{
    (void)stream;
    return flushed();
}

int fseek(void *stream, long offset, int whence)
{
    (void)stream;
    (void)offset;
    (void)whence;
    return __reprove_done();
}

int fseeko(void *stream, long offset, int whence)
{
    (void)stream;
    (void)offset;
    (void)whence;
    return __reprove_done();
}

static long position(void)
{
    long at = __reprove_any_long();
    __reprove_assume(at >= -1);
    if (at < 0)
        __reprove_fail();
    return at;
}

long ftell(void *stream)
{
    (void)stream;
    return position();
}

long ftello(void *stream)
{
    (void)stream;
    return position();
}

void rewind(void *stream)
{
    (void)stream;
}

int feof(void *stream)
{
    (void)stream;
    return flag();
}

int ferror(void *stream)
{
    (void)stream;
    return flag();
}

int feof_unlocked(void *stream)
{
    (void)stream;
    return flag();
}

int ferror_unlocked(void *stream)
{
    (void)stream;
    return flag();
}

void clearerr(void *stream)
{
    (void)stream;
}

int fileno(void *stream)
{
    (void)stream;
    return descriptor();
}

/* The buffer belongs to the stream from now on. */
int setvbuf(void *stream, char *buffer, int mode, unsigned long size)
{
    (void)stream;
    (void)mode;
    if (__reprove_any_bool())
        return -1;
    if (buffer != 0)
        __reprove_havoc(buffer, size);
    return 0;
}

void setbuf(void *stream, char *buffer)
{
    (void)stream;
    if (buffer != 0)
        __reprove_havoc(buffer, 8192);
}

void perror(const char *text)
{
    (void)text;
}

int remove(const char *path)
{
    (void)path;
    return __reprove_done();
}

int rename(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return __reprove_done();
}

int open(const char *path, int flags, ...)
{
    (void)path;
    (void)flags;
    return descriptor();
}

int open64(const char *path, int flags, ...)
{
    (void)path;
    (void)flags;
    return descriptor();
}

int creat(const char *path, unsigned int mode)
{
    (void)path;
    (void)mode;
    return descriptor();
}

int close(int file)
{
    (void)file;
    return __reprove_done();
}

long lseek(int file, long offset, int whence)
{
    (void)file;
    (void)offset;
    (void)whence;
    return position();
}

/* At most n bytes go out. */
long write(int file, const void *from, unsigned long n)
{
    (void)file;
    (void)from;
    long count = __reprove_any_long();
    __reprove_assume(count >= -1 && (count < 0 || (unsigned long)count <= n));
    if (count < 0)
        __reprove_fail();
    return count;
}

long send(int socket, const void *from, unsigned long n, int flags)
{
    (void)flags;
    return write(socket, from, n);
}

int dup(int file)
{
    (void)file;
    return descriptor();
}

int dup2(int file, int wanted)
{
    (void)file;
    if (__reprove_done() < 0)
        return -1;
    return wanted;
}

int pipe(int *ends)
{
    int in = __reprove_any_int();
    int out = __reprove_any_int();
    __reprove_assume(in >= 0 && out >= 0 && in != out);
    if (__reprove_done() < 0)
        return -1;
    ends[0] = in;
    ends[1] = out;
    return 0;
}

int access(const char *path, int mode)
{
    (void)path;
    (void)mode;
    return __reprove_done();
}

int unlink(const char *path)
{
    (void)path;
    return __reprove_done();
}

int mkdir(const char *path, unsigned int mode)
{
    (void)path;
    (void)mode;
    return __reprove_done();
}

int rmdir(const char *path)
{
    (void)path;
    return __reprove_done();
}

int chdir(const char *path)
{
    (void)path;
    return __reprove_done();
}

int chmod(const char *path, unsigned int mode)
{
    (void)path;
    (void)mode;
    return __reprove_done();
}

int ftruncate(int file, long length)
{
    (void)file;
    (void)length;
    return __reprove_done();
}

int fsync(int file)
{
    (void)file;
    return __reprove_done();
}

int isatty(int file)
{
    (void)file;
    return flag();
}

unsigned int umask(unsigned int mask)
{
    (void)mask;
    unsigned int old = (unsigned int)__reprove_any_int();
    __reprove_assume(old <= 0777);
    return old;
}

/* A struct stat has 144 bytes, or 88 where long has 32 bits. */
static int status(void *to)
{
    if (__reprove_done() < 0)
        return -1;
    __reprove_havoc(to, sizeof(long) == 8 ? 144 : 88);
    return 0;
}

int stat(const char *path, void *to)
{
    (void)path;
    return status(to);
}

int lstat(const char *path, void *to)
{
    (void)path;
    return status(to);
}

int fstat(int file, void *to)
{
    (void)file;
    return status(to);
}

char *getcwd(char *to, unsigned long room)
{
    unsigned long length = __reprove_any_ulong();
    if (to == 0 || __reprove_done() < 0) {
        __reprove_fail();
        return 0;
    }
    __reprove_assume(length > 0 && length < room);
    __reprove_havoc(to, length);
    to[length] = 0;
    return to;
}

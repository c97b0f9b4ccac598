/* The process and what surrounds it (stdlib.h, unistd.h, sys/wait.h, locale.h, string.h). */

int __reprove_any_int(void);
long __reprove_any_long(void);
unsigned long __reprove_any_ulong(void);
int __reprove_any_bool(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);
void *malloc(unsigned long size);
void abort(void);
int strcmp(const char *a, const char *b);
void __reprove_fail(void);
int __reprove_done(void);

static int at_least(int low)
{
    int x = __reprove_any_int();
    __reprove_assume(x >= low);
    return x;
}

static const char *names[8];
static char *values[8];
static unsigned long known;

/* Null, or a string, at the end of an object of the size that the system limits strings to. Whoever asks for a name again gets
   the same answer, until the environment changes. */
char *getenv(const char *name)
{
    for (unsigned long i = 0; i < known; i++) {
        if (strcmp(names[i], name) == 0)
            return values[i];
    }
    char *value = 0;
    if (__reprove_any_bool()) {
        unsigned long length = __reprove_any_ulong();
        __reprove_assume(length < 131072);
        value = malloc(131072);
        if (value != 0) {
            value[131071] = 0;
            value = value + (131071 - length);
        }
    }
    if (known < 8) {
        names[known] = name;
        values[known] = value;
        known++;
    }
    return value;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

int setenv(const char *name, const char *value, int replace)
{
    (void)name;
    (void)value;
    (void)replace;
    known = 0;
    return __reprove_done();
}

int unsetenv(const char *name)
{
    (void)name;
    known = 0;
    return __reprove_done();
}

int putenv(char *text)
{
    (void)text;
    known = 0;
    return __reprove_done();
}

int clearenv(void)
{
    known = 0;
    return __reprove_done();
}

int system(const char *command)
{
    (void)command;
    return __reprove_any_int();
}

int getpid(void)
{
    return at_least(1);
}

int getppid(void)
{
    return at_least(0);
}

unsigned int getuid(void)
{
    return (unsigned int)__reprove_any_int();
}

unsigned int geteuid(void)
{
    return (unsigned int)__reprove_any_int();
}

unsigned int getgid(void)
{
    return (unsigned int)__reprove_any_int();
}

unsigned int getegid(void)
{
    return (unsigned int)__reprove_any_int();
}

/* Both processes go on, each by itself. */
int fork(void)
{
    int child = at_least(-1);
    if (child < 0)
        __reprove_fail();
    return child;
}

static int waited(int *status)
{
    int child = at_least(-1);
    if (child < 0)
        __reprove_fail();
    else if (status != 0)
        *status = __reprove_any_int();
    return child;
}

int wait(int *status)
{
    return waited(status);
}

int waitpid(int child, int *status, int options)
{
    (void)child;
    (void)options;
    return waited(status);
}

/* The default action of most signals ends the program. Handlers are refused where they are set. */
int raise(int signal)
{
    (void)signal;
    if (__reprove_any_bool())
        abort();
    return __reprove_done();
}

int kill(int process, int signal)
{
    (void)process;
    return raise(signal);
}

unsigned int alarm(unsigned int seconds)
{
    (void)seconds;
    return (unsigned int)__reprove_any_int();
}

/* Sets of descriptors have 128 bytes. */
int select(int count, void *in, void *out, void *other, void *patience)
{
    (void)count;
    int ready = at_least(-1);
    if (ready < 0) {
        __reprove_fail();
        return -1;
    }
    if (in != 0)
        __reprove_havoc(in, 128);
    if (out != 0)
        __reprove_havoc(out, 128);
    if (other != 0)
        __reprove_havoc(other, 128);
    if (patience != 0)
        __reprove_havoc(patience, 2 * sizeof(long));
    return ready;
}

struct polled {
    int file;
    short wanted;
    short found;
};

int poll(struct polled *list, unsigned long count, int patience)
{
    (void)patience;
    int ready = __reprove_any_int();
    __reprove_assume(ready >= -1 && (ready < 0 || (unsigned long)ready <= count));
    if (ready < 0)
        __reprove_fail();
    for (unsigned long i = 0; i < count; i++)
        list[i].found = (short)__reprove_any_int();
    return ready;
}

long sysconf(int name)
{
    (void)name;
    return __reprove_any_long();
}

int getpagesize(void)
{
    return 4096;
}

int gethostname(char *to, unsigned long room)
{
    unsigned long length = __reprove_any_ulong();
    if (room == 0 || __reprove_done() < 0)
        return -1;
    __reprove_assume(length < room);
    __reprove_havoc(to, length);
    to[length] = 0;
    return 0;
}

/* The only locale is "C". */
char *setlocale(int category, const char *wanted)
{
    (void)category;
    if (wanted != 0 && __reprove_any_bool())
        return 0;
    return (char *)"C";
}

static char message[64];

/* Some text. */
static char *said(void)
{
    unsigned long length = __reprove_any_ulong();
    __reprove_assume(length > 0 && length < sizeof message);
    __reprove_havoc(message, length);
    message[length] = 0;
    return message;
}

char *strerror(int number)
{
    (void)number;
    return said();
}

char *strsignal(int number)
{
    (void)number;
    return said();
}

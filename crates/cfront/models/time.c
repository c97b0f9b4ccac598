/* Clocks and calendars (time.h, sys/time.h). What time it is comes from outside; time_t, clock_t and suseconds_t are `long`.
   A struct tm is nine ints, a long and a pointer. */

int __reprove_any_int(void);
long __reprove_any_long(void);
unsigned long __reprove_any_ulong(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);

struct calendar {
    int parts[9];
    long offset;
    const char *zone;
};

struct moment {
    long seconds;
    long fraction;
};

static int between(int low, int high)
{
    int x = __reprove_any_int();
    __reprove_assume(x >= low && x <= high);
    return x;
}

long time(long *to)
{
    long now = __reprove_any_long();
    __reprove_assume(now >= -1);
    if (to != 0)
        *to = now;
    return now;
}

long clock(void)
{
    long used = __reprove_any_long();
    __reprove_assume(used >= -1);
    return used;
}

double difftime(long a, long b)
{
    return (double)a - (double)b;
}

static void set_moment(struct moment *to, long parts)
{
    to->seconds = __reprove_any_long();
    to->fraction = __reprove_any_long();
    __reprove_assume(to->seconds >= 0 && to->fraction >= 0 && to->fraction < parts);
}

int gettimeofday(void *to, void *zone)
{
    (void)zone;
    if (to != 0)
        set_moment(to, 1000000);
    return 0;
}

int clock_gettime(int clock, void *to)
{
    (void)clock;
    if (__reprove_any_int())
        return -1;
    set_moment(to, 1000000000);
    return 0;
}

int clock_getres(int clock, void *to)
{
    (void)clock;
    if (__reprove_any_int())
        return -1;
    if (to != 0)
        set_moment(to, 1000000000);
    return 0;
}

int timespec_get(void *to, int base)
{
    if (__reprove_any_int())
        return 0;
    set_moment(to, 1000000000);
    return base;
}

unsigned int sleep(unsigned int seconds)
{
    unsigned int left = (unsigned int)__reprove_any_int();
    __reprove_assume(left <= seconds);
    return left;
}

int usleep(unsigned int microseconds)
{
    (void)microseconds;
    return between(-1, 0);
}

int nanosleep(const void *wanted, void *left)
{
    (void)wanted;
    if (between(0, 1))
        return 0;
    if (left != 0)
        set_moment(left, 1000000000);
    return -1;
}

static void set_calendar(struct calendar *to)
{
    to->parts[0] = between(0, 60);
    to->parts[1] = between(0, 59);
    to->parts[2] = between(0, 23);
    to->parts[3] = between(1, 31);
    to->parts[4] = between(0, 11);
    to->parts[5] = __reprove_any_int();
    to->parts[6] = between(0, 6);
    to->parts[7] = between(0, 365);
    to->parts[8] = between(-1, 1);
    to->offset = __reprove_any_long();
    to->zone = "UTC";
}

static struct calendar shared;

void *localtime_r(const long *when, void *to)
{
    (void)*when;
    if (__reprove_any_int())
        return 0;
    set_calendar(to);
    return to;
}

void *gmtime_r(const long *when, void *to)
{
    return localtime_r(when, to);
}

void *localtime(const long *when)
{
    return localtime_r(when, &shared);
}

void *gmtime(const long *when)
{
    return localtime_r(when, &shared);
}

/* The fields are brought into their ranges. */
long mktime(void *from)
{
    if (__reprove_any_int())
        return -1;
    set_calendar(from);
    return __reprove_any_long();
}

long timegm(void *from)
{
    return mktime(from);
}

/* The text and a zero, or nothing that could be relied on if it does not fit. */
unsigned long strftime(char *to, unsigned long room, const char *format, const void *when)
{
    (void)format;
    (void)when;
    unsigned long length = __reprove_any_ulong();
    if (room == 0)
        return 0;
    __reprove_assume(length < room);
    if (__reprove_any_int()) {
        __reprove_havoc(to, room);
        return 0;
    }
    __reprove_havoc(to, length);
    to[length] = 0;
    return length;
}

static char text[26];

/* 24 characters, a newline and a zero. */
char *asctime_r(const void *when, char *to)
{
    (void)when;
    __reprove_havoc(to, 24);
    to[24] = '\n';
    to[25] = 0;
    return to;
}

char *asctime(const void *when)
{
    return asctime_r(when, text);
}

char *ctime_r(const long *when, char *to)
{
    (void)*when;
    return asctime_r(0, to);
}

char *ctime(const long *when)
{
    return ctime_r(when, text);
}

/* Four clocks; the result is another. */
long times(void *to)
{
    if (to != 0)
        __reprove_havoc(to, 4 * sizeof(long));
    return __reprove_any_long();
}

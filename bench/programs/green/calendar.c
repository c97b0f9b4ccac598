// The day of the week, and a schedule that repeats every few days.
// expect: safe
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

struct date {
    int year, month, day;
};

static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static bool leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int length_of(const struct date *d)
{
    return lengths[d->month - 1] + (d->month == 2 && leap(d->year));
}

static bool valid(const struct date *d)
{
    return d->year >= 1970 && d->year <= 2100 && d->month >= 1 && d->month <= 12 && d->day >= 1 &&
           d->day <= length_of(d);
}

static int day_of_year(const struct date *d)
{
    int day = d->day;

    for (int m = 1; m < d->month; m++)
        day += lengths[m - 1];
    return day + (d->month > 2 && leap(d->year));
}

static bool due(const struct date *d, int interval)
{
    return day_of_year(d) % interval == 0;
}

int main(void)
{
    struct date d;
    int interval = __VERIFIER_nondet_int();
    int day;

    d.year = __VERIFIER_nondet_int();
    d.month = __VERIFIER_nondet_int();
    d.day = __VERIFIER_nondet_int();
    if (!valid(&d) || interval < 1 || interval > 31)
        return 0;
    day = day_of_year(&d);
    assert(day >= d.day && day <= 366);
    if (interval == 7 && d.month == 1 && d.day == 14)
        assert(due(&d, interval));
    if (due(&d, interval))
        assert(day >= interval);
    return 0;
}

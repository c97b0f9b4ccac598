// Looks options up by name; unknown ones have a default.
// expect: safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

struct option {
    const char *name;
    int value;
    int least, most;
};

static struct option options[] = {
    {"mtu", 1500, 576, 9000},
    {"ttl", 64, 1, 255},
    {"tos", 0, 0, 63},
    {NULL, 0, 0, 0},
};

static struct option *find(const char *name)
{
    for (struct option *o = options; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

static int value_of(const char *name, int otherwise)
{
    const struct option *o = find(name);

    return o ? o->value : otherwise;
}

int main(void)
{
    char name[4];

    for (int i = 0; i < 3; i++)
        name[i] = __VERIFIER_nondet_char();
    name[3] = '\0';

    int value = value_of(name, -1);
    assert(value >= -1 && value <= 1500);
    if (strcmp(name, "ttl") == 0)
        assert(value == 64);
    for (struct option *o = options; o->name; o++)
        assert(o->value >= o->least && o->value <= o->most);
    return 0;
}

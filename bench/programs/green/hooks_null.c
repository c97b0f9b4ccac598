// Hooks that are called in order, and one that was taken away.
// expect: unsafe 37
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define HOOKS 3

typedef bool (*hook)(void *context, int event);

struct registration {
    hook call;
    void *context;
};

static struct registration hooks[HOOKS];

static bool count(void *context, int event)
{
    int *counter = context;

    *counter += event > 0;
    return true;
}

static bool stop_at_nine(void *context, int event)
{
    *(bool *)context = event == 9;
    return event != 9;
}

static void fire(int event)
{
    for (int i = 0; i < HOOKS; i++) {
        if (!hooks[i].call(hooks[i].context, event))
            break;
    }
}

int main(void)
{
    int before = 0, after = 0;
    bool stopped = false;
    unsigned removed = __VERIFIER_nondet_uint();

    hooks[0] = (struct registration){count, &before};
    hooks[1] = (struct registration){stop_at_nine, &stopped};
    hooks[2] = (struct registration){count, &after};
    if (removed < HOOKS)
        hooks[removed].call = NULL;
    fire(5);
    fire(9);
    assert(before == (removed == 0 ? 0 : 2));
    assert(stopped == (removed != 1));
    if (removed >= HOOKS)
        assert(after == 1);
    return 0;
}

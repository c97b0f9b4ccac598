// Bit-fields for the state of a device, with a counter that wraps.
// expect: unsafe 46
#include <assert.h>
#include <stdbool.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define EVENTS 9

struct device {
    unsigned ready : 1;
    unsigned mode : 3;
    unsigned errors : 3;
    signed level : 4;
};

static void on_event(struct device *d, unsigned char event)
{
    switch (event & 3) {
    case 0:
        d->ready = !d->ready;
        break;
    case 1:
        d->mode = event >> 5;
        break;
    case 2:
        if (d->errors < 8)
            d->errors++;
        break;
    default:
        if (d->level < 7)
            d->level++;
    }
}

int main(void)
{
    struct device d = {0, 0, 0, -8};
    bool failed = false;

    for (int i = 0; i < EVENTS; i++) {
        unsigned char event = __VERIFIER_nondet_uchar();
        on_event(&d, event);
        failed = failed || (event & 3) == 2;
    }
    assert(!failed || d.errors > 0);
    assert(d.level >= -8 && d.level <= 1);
    assert(d.mode <= 7);
    return 0;
}

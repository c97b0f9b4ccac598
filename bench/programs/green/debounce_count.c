// Debounces a switch, with a count that goes on when the level is stable.
// expect: unsafe 28
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

#define STABLE 3
#define SAMPLES 10

struct input {
    bool level;
    bool last;
    unsigned char seen;
};

static const unsigned char weight[STABLE + 1] = {0, 1, 2, 4};

/* Returns true when the level changes. */
static bool sample(struct input *in, bool now, unsigned *quality)
{
    if (now != in->last) {
        in->last = now;
        in->seen = 0;
    }
    if (in->seen <= STABLE)
        in->seen++;
    *quality = weight[in->seen];
    if (in->seen == STABLE && in->level != now) {
        in->level = now;
        return true;
    }
    return false;
}

int main(void)
{
    struct input in = {false, false, 0};
    int changes = 0;
    unsigned quality;

    for (int i = 0; i < SAMPLES; i++) {
        if (sample(&in, __VERIFIER_nondet_bool(), &quality)) {
            changes++;
            assert(quality == 4);
        }
        assert(quality >= 1);
    }
    assert(changes <= SAMPLES / STABLE);
    return 0;
}

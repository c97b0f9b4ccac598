// Statistics of samples: least, most and range in a wide type.
// expect: safe
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

#define SAMPLES 4

struct levels {
    int least, most;
    size_t count;
};

static void add(struct levels *l, int sample)
{
    if (sample < l->least)
        l->least = sample;
    if (sample > l->most)
        l->most = sample;
    l->count++;
}

static long long range(const struct levels *l)
{
    return (long long)l->most - l->least;
}

int main(void)
{
    int samples[SAMPLES];
    struct levels l;

    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = __VERIFIER_nondet_int();
    l.least = l.most = samples[0];
    l.count = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        add(&l, samples[i]);
    for (size_t i = 0; i < SAMPLES; i++) {
        assert(samples[i] >= l.least && samples[i] <= l.most);
        assert((long long)samples[i] - l.least <= range(&l));
    }
    assert(l.least <= l.most && l.count == SAMPLES);
    return 0;
}

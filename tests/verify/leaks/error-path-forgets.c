// A constructor with two allocations; one error path frees only the second.
// expect: unsafe 58
// check: memory,leak
// object: heap
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct channel {
    unsigned char *in;
    unsigned char *out;
    unsigned size;
};

static struct channel *channel_new(unsigned size)
{
    struct channel *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->in = malloc(size);
    if (!c->in)
        goto no_in;
    if (size > 64)
        goto no_in;
    c->out = malloc(size);
    if (!c->out)
        goto too_large;
    memset(c->in, 0, size);
    c->size = size;
    return c;

too_large:
    free(c->in);
no_in:
    free(c);
    return NULL;
}

static void channel_free(struct channel *c)
{
    if (!c)
        return;
    free(c->in);
    free(c->out);
    free(c);
}

int main(void)
{
    unsigned size = __VERIFIER_nondet_uint() % 100 + 1;
    struct channel *c = channel_new(size);

    if (c && c->size != size)
        return 1;
    channel_free(c);
    return 0;
}

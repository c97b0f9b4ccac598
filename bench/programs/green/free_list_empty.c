// A pool of blocks that is asked for a block when there is none.
// expect: unsafe 27
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

#define BLOCKS 3
#define STEPS 6
#define NONE (-1)

static int next_free[BLOCKS];
static bool in_use[BLOCKS];
static int first_free;

static void init_pool(void)
{
    for (int i = 0; i < BLOCKS; i++)
        next_free[i] = i + 1 < BLOCKS ? i + 1 : NONE;
    first_free = 0;
}

static int get_block(void)
{
    int block = first_free;

    assert(!in_use[block]);
    first_free = next_free[block];
    in_use[block] = true;
    return block;
}

static void put_block(int block)
{
    assert(in_use[block]);
    in_use[block] = false;
    next_free[block] = first_free;
    first_free = block;
}

int main(void)
{
    int held[BLOCKS];
    int count = 0;

    init_pool();
    for (int i = 0; i < STEPS; i++) {
        if (__VERIFIER_nondet_bool()) {
            int block = get_block();
            assert((block == NONE) == (count == BLOCKS));
            if (block != NONE)
                held[count++] = block;
        } else if (count > 0) {
            put_block(held[--count]);
        }
    }
    assert(count >= 0 && count <= BLOCKS);
    return 0;
}

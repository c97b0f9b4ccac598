/* The control of a lift. The cabin never moves with its door open, and never leaves the shaft. */
#include <assert.h>

#define FLOORS 12

int __VERIFIER_nondet_int(void);

static enum { STANDING, UP, DOWN } motion;
static int open;
static unsigned level; /* where the cabin is */
static unsigned goal;  /* and where it is going */
static unsigned trips;

static void call(unsigned n) {
    if (motion != STANDING || open)
        return;
    goal = n;
    if (goal > level)
        motion = UP;
    if (goal < level)
        motion = DOWN;
}

static void door(void) {
    if (motion == STANDING)
        open = !open;
}

/* Where the cabin is next; at the ends of the shaft it stays. */
static unsigned next_level(void) {
    unsigned last = FLOORS - 1;
    switch (motion) {
    case UP:
        return level < last ? level + 1 : level;
    case DOWN:
        return level != 0 ? level - 1 : level;
    default:
        return level;
    }
}

static void tick(void) {
    if (motion == STANDING)
        return;
    assert(!open);
    level = next_level();
    assert(level < FLOORS);
    if (level == goal || level == 0 || level == FLOORS - 1) {
        motion = STANDING;
        trips++;
    }
}

int main(void) {
    for (;;) {
        int event = __VERIFIER_nondet_int();
        if (event == 0)
            tick();
        else if (event == 1)
            door();
        else
            call(__VERIFIER_nondet_int());
    }
}

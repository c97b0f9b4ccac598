// Two traffic lights, one of which skips the pause in which both are red.
// expect: unsafe 52
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

#define TICKS 12

enum colour { RED, RED_YELLOW, GREEN, YELLOW };

struct crossing {
    enum colour main_road, side_road;
    int timer;
};

static void tick(struct crossing *c, bool waiting)
{
    if (c->timer > 0) {
        c->timer--;
        return;
    }
    if (c->main_road == GREEN) {
        if (waiting)
            c->main_road = YELLOW;
    } else if (c->main_road == YELLOW) {
        c->main_road = RED;
        c->timer = 1;
    } else if (c->main_road == RED && c->side_road == RED) {
        c->side_road = RED_YELLOW;
    } else if (c->side_road == RED_YELLOW) {
        c->side_road = GREEN;
        c->timer = 2;
    } else if (c->side_road == GREEN) {
        c->side_road = YELLOW;
        c->main_road = RED_YELLOW;
    } else if (c->side_road == YELLOW) {
        c->side_road = RED;
        c->main_road = RED_YELLOW;
        c->timer = 1;
    } else {
        c->main_road = GREEN;
    }
}

int main(void)
{
    struct crossing c = {GREEN, RED, 0};

    for (int i = 0; i < TICKS; i++) {
        tick(&c, __VERIFIER_nondet_bool());
        assert(c.main_road == RED || c.side_road == RED);
        assert(c.timer >= 0 && c.timer <= 2);
    }
    return 0;
}

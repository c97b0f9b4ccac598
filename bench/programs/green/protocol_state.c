// A connection as a state machine that accepts data before it is open.
// expect: unsafe 34
#include <assert.h>
#include <stdbool.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define STEPS 7

enum state { CLOSED, GREETED, OPEN, CLOSING, STATES };
enum message { HELLO, AUTH, DATA, BYE, RESET, MESSAGES };

static const enum state next_state[STATES][MESSAGES] = {
    [CLOSED] = {GREETED, CLOSED, CLOSED, CLOSED, CLOSED},
    [GREETED] = {GREETED, OPEN, OPEN, CLOSING, CLOSED},
    [OPEN] = {OPEN, OPEN, OPEN, CLOSING, CLOSED},
    [CLOSING] = {CLOSING, CLOSING, CLOSING, CLOSED, CLOSED},
};

struct connection {
    enum state state;
    bool authenticated;
    unsigned received;
};

static void on_message(struct connection *c, enum message m)
{
    enum state before = c->state;

    if (m == AUTH && before == GREETED)
        c->authenticated = true;
    c->state = next_state[before][m];
    if (m == DATA && c->state == OPEN) {
        assert(c->authenticated);
        c->received++;
    }
    if (c->state == CLOSED)
        c->authenticated = false;
}

int main(void)
{
    struct connection c = {CLOSED, false, 0};

    for (int i = 0; i < STEPS; i++) {
        unsigned m = __VERIFIER_nondet_uint();
        if (m >= MESSAGES)
            continue;
        on_message(&c, (enum message)m);
    }
    assert(c.received <= STEPS - 2);
    return 0;
}

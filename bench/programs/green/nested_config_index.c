// A configuration of nested structs with a card that is not there.
// expect: unsafe 32
#include <assert.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define PORTS 3
#define CARDS 2

struct port {
    unsigned char speed;
    struct {
        unsigned short low, high;
    } range;
};

struct card {
    char name[3];
    struct port port[PORTS];
};

struct machine {
    int links;
    struct card card[CARDS];
};

static void link_up(struct machine *m, unsigned card, unsigned port, unsigned short low)
{
    struct port *p = &m->card[card].port[port];

    if (p->speed == 0)
        m->links++;
    p->speed = 10;
    p->range.low = low;
    p->range.high = (unsigned short)(low | 0xff);
}

int main(void)
{
    struct machine m;
    unsigned card = __VERIFIER_nondet_uint(), port = __VERIFIER_nondet_uint();
    unsigned low = __VERIFIER_nondet_uint();

    memset(&m, 0, sizeof m);
    if (card > CARDS || port >= PORTS || low > 0xffff)
        return 0;
    link_up(&m, card, port, (unsigned short)low);
    link_up(&m, card, port, (unsigned short)low);
    assert(m.links == 1);
    assert(m.card[card].port[port].range.low <= m.card[card].port[port].range.high);
    assert(m.card[1 - card].port[0].speed == 0);
    return 0;
}

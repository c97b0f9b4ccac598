/* The receiver of a serial link. A frame is START, its length, so many bytes, and their sum. */
#include <assert.h>

#define START 0x7e
#define MOST 16

int __VERIFIER_nondet_int(void);

static enum { IDLE, LENGTH, DATA, SUM } state;
static unsigned char frame[MOST];
static unsigned stored; /* bytes of the frame that have come */
static unsigned wanted; /* and that are still to come */
static unsigned char sum;
static unsigned received, refused;

static int acceptable(unsigned length) {
    if (length == 0)
        return 0;
    if (length > MOST)
        return 0;
    return 1;
}

static void begin(void) {
    stored = 0;
    sum = 0;
    state = LENGTH;
}

static void refuse(void) {
    refused++;
    state = IDLE;
}

static void set_length(unsigned length) {
    if (!acceptable(length)) {
        refuse();
        return;
    }
    wanted = length;
    state = DATA;
}

static void store(unsigned char byte) {
    assert(stored < MOST);
    frame[stored++] = byte;
    sum += byte;
    if (--wanted == 0)
        state = SUM;
}

static void finish(unsigned char byte) {
    assert(stored > 0);
    if (byte != sum) {
        refuse();
        return;
    }
    received++;
    state = IDLE;
}

static void receive(unsigned char byte) {
    switch (state) {
    case IDLE:
        if (byte == START)
            begin();
        break;
    case LENGTH:
        set_length(byte);
        break;
    case DATA:
        store(byte);
        break;
    case SUM:
        finish(byte);
        break;
    }
}

int main(void) {
    for (;;)
        receive((unsigned char)__VERIFIER_nondet_int());
}

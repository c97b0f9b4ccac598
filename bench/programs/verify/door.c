/* A lift's door and motor as a state machine: they never move together. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

enum door { CLOSED, OPENING, OPEN, CLOSING };
enum motor { STILL, UP, DOWN };

static enum door door = CLOSED;
static enum motor motor = STILL;
static int floor_now, wanted, steps, log_entries;

static void note(int what) { log_entries += what != 0; }

static int may_move(void) { return door == CLOSED && wanted != floor_now; }

static void start(void)
{
    if (!may_move())
        return;
    motor = wanted > floor_now ? UP : DOWN;
    note(1);
}

static void travel(void)
{
    if (motor == UP)
        floor_now++;
    else if (motor == DOWN)
        floor_now--;
    if (floor_now == wanted)
        motor = STILL;
}

static void press(int floor)
{
    if (floor < 0 || floor > 5)
        return;
    if (motor == STILL)
        wanted = floor;
}

static void open_door(void)
{
    if (motor != STILL)
        return;
    door = door == CLOSED ? OPENING : door == OPENING ? OPEN : door;
}

static void close_door(void)
{
    door = door == OPEN || door == OPENING ? CLOSING : door == CLOSING ? CLOSED : door;
    note(2);
}

static void check(void)
{
    if (motor != STILL && door != CLOSED)
        __VERIFIER_error();
    if (floor_now < 0 || floor_now > 5)
        __VERIFIER_error();
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0: press(__VERIFIER_nondet_int()); break;
        case 1: start(); break;
        case 2: travel(); break;
        case 3: open_door(); break;
        default: close_door(); break;
        }
        steps++;
        check();
    }
    return 0;
}

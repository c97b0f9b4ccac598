/* A bounded queue: its length, and the order of what goes through it. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

#define ROOM 4

struct queue {
    int items[ROOM];
    unsigned first, count;
};

static struct queue work, done;
static int refused;

static int full(struct queue *q) { return q->count == ROOM; }
static int empty(struct queue *q) { return q->count == 0; }

static int put(struct queue *q, int item)
{
    if (full(q)) {
        refused++;
        return 0;
    }
    q->items[(q->first + q->count) % ROOM] = item;
    q->count++;
    return 1;
}

static int take(struct queue *q, int *item)
{
    if (empty(q))
        return 0;
    *item = q->items[q->first];
    q->first = (q->first + 1) % ROOM;
    q->count--;
    return 1;
}

static int clip(int x)
{
    if (x < 0)
        return 0;
    if (x > 100)
        return 100;
    return x;
}

static int move_one(void)
{
    int item;
    if (!take(&work, &item))
        return 0;
    return put(&done, item + 1);
}

int main(void)
{
    int a = clip(__VERIFIER_nondet_int()), b = clip(__VERIFIER_nondet_int()), x = 0, y = 0;
    put(&work, a);
    put(&work, b);
    move_one();
    move_one();
    if (work.count != 0 || done.count != 2)
        __VERIFIER_error();
    take(&done, &x);
    take(&done, &y);
    if (x != a + 1 || y != b + 1 || x > 101 || refused)
        __VERIFIER_error();
    return 0;
}

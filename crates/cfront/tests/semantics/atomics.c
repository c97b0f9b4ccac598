/* The atomic builtins in a single thread: what they store and what they return. */
#include <stdio.h>

static int counter;
static int flag;

struct stack { struct node { int v; struct node *next; } *top; };

static void push(struct stack *s, struct node *n)
{
    do
        n->next = s->top;
    while (!__sync_bool_compare_and_swap(&s->top, n->next, n));
}

int main(void)
{
    printf("%d ", __sync_fetch_and_add(&counter, 5));
    printf("%d ", __sync_add_and_fetch(&counter, 5));
    printf("%d ", __sync_fetch_and_sub(&counter, 3));
    printf("%d ", __sync_sub_and_fetch(&counter, 1));
    printf("%d ", __sync_fetch_and_or(&counter, 8));
    printf("%d ", __sync_and_and_fetch(&counter, 12));
    printf("%d ", __sync_fetch_and_xor(&counter, 5));
    printf("%d\n", counter);
    printf("%d ", __sync_val_compare_and_swap(&counter, 13, 20));
    printf("%d ", __sync_bool_compare_and_swap(&counter, 13, 30));
    printf("%d ", __sync_lock_test_and_set(&flag, 1));
    printf("%d ", __sync_lock_test_and_set(&flag, 1));
    __sync_lock_release(&flag);
    __sync_synchronize();
    printf("%d %d\n", flag, counter);

    long x = 100, out, expected;
    __atomic_store_n(&x, 7, __ATOMIC_RELEASE);
    printf("%ld ", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    printf("%ld ", __atomic_exchange_n(&x, 9, __ATOMIC_SEQ_CST));
    printf("%ld ", __atomic_fetch_add(&x, 10, __ATOMIC_RELAXED));
    printf("%ld ", __atomic_sub_fetch(&x, 4, __ATOMIC_RELAXED));
    printf("%ld ", __atomic_fetch_nand(&x, 7, __ATOMIC_RELAXED));
    printf("%ld\n", x);
    expected = 5;
    int ok = __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %ld %ld ", ok, expected, x);
    ok = __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %ld %ld\n", ok, expected, x);
    __atomic_load(&x, &out, __ATOMIC_SEQ_CST);
    long in = 55;
    __atomic_store(&x, &in, __ATOMIC_SEQ_CST);
    printf("%ld %ld\n", out, x);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);

    unsigned char byte = 250;
    printf("%d %d ", __atomic_add_fetch(&byte, 10, __ATOMIC_SEQ_CST), __sync_fetch_and_add(&(unsigned char){1}, 1));
    unsigned long long wide = 1;
    printf("%llu ", __atomic_fetch_or(&wide, 1ull << 40, __ATOMIC_SEQ_CST));
    _Bool lock = 0;
    printf("%d ", __atomic_test_and_set(&lock, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_test_and_set(&lock, __ATOMIC_ACQUIRE));
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    printf("%d %d %llu\n", lock, byte, wide);
    struct node nodes[3] = {{1}, {2}, {3}};
    struct stack s = {0};
    for (int i = 0; i < 3; i++)
        push(&s, &nodes[i]);
    int sum = 0;
    for (struct node *n = s.top; n; n = n->next)
        sum = sum * 10 + n->v;
    int array[4] = {1, 2, 3, 4}, *p = array;
    __atomic_fetch_add(&p, sizeof(int) * 2, __ATOMIC_RELAXED);
    _Atomic int a = 3;
    a += 4;
    a++;
    printf("%d %d %d\n", sum, *p, a);
    return sum & 127;
}

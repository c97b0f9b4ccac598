// Quicksort on a small array.
// expect: safe
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define COUNT 3

static void swap(int *a, int *b)
{
    int t = *a;

    *a = *b;
    *b = t;
}

static void sort(int *a, int low, int high)
{
    int pivot, at;

    if (low >= high)
        return;
    pivot = a[high];
    at = low;
    for (int i = low; i < high; i++)
        if (a[i] < pivot)
            swap(&a[i], &a[at++]);
    swap(&a[high], &a[at]);
    sort(a, low, at - 1);
    sort(a, at + 1, high);
}

int main(void)
{
    int a[COUNT];
    int before = 0, after = 0;

    for (int i = 0; i < COUNT; i++) {
        a[i] = __VERIFIER_nondet_int();
        before ^= a[i];
    }
    sort(a, 0, COUNT - 1);
    for (int i = 0; i < COUNT; i++) {
        after ^= a[i];
        if (i > 0)
            assert(a[i - 1] <= a[i]);
    }
    assert(before == after);
    return 0;
}

/* Heap sort and quick sort of the same records: structs, pointers, recursion, a comparison through a pointer. */
#include <stdio.h>

#define COUNT 20000

struct record {
    unsigned key;
    short tag;
};

static struct record left[COUNT], right[COUNT];

static int by_key(const struct record *a, const struct record *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->tag - b->tag;
}

static void swap(struct record *a, struct record *b)
{
    struct record t = *a;
    *a = *b;
    *b = t;
}

static void sift(struct record *heap, int root, int end, int (*order)(const struct record *, const struct record *))
{
    while (2 * root + 1 < end) {
        int child = 2 * root + 1;
        if (child + 1 < end && order(&heap[child], &heap[child + 1]) < 0)
            child++;
        if (order(&heap[root], &heap[child]) >= 0)
            return;
        swap(&heap[root], &heap[child]);
        root = child;
    }
}

static void heap_sort(struct record *list, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(list, i, n, by_key);
    for (int i = n - 1; i > 0; i--) {
        swap(&list[0], &list[i]);
        sift(list, 0, i, by_key);
    }
}

static void quick_sort(struct record *list, int lo, int hi)
{
    if (lo >= hi)
        return;
    struct record pivot = list[lo + (hi - lo) / 2];
    int i = lo, j = hi;
    while (i <= j) {
        while (by_key(&list[i], &pivot) < 0)
            i++;
        while (by_key(&list[j], &pivot) > 0)
            j--;
        if (i <= j)
            swap(&list[i++], &list[j--]);
    }
    quick_sort(list, lo, j);
    quick_sort(list, i, hi);
}

int main(void)
{
    unsigned seed = 12345, hash = 0;
    int same = 1;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        left[i].key = seed >> 12;
        left[i].tag = (short)(seed & 1023);
        right[i] = left[i];
    }
    heap_sort(left, COUNT);
    quick_sort(right, 0, COUNT - 1);
    for (int i = 0; i < COUNT; i++) {
        same &= left[i].key == right[i].key && left[i].tag == right[i].tag;
        hash = hash * 33u ^ left[i].key;
    }
    printf("%d %u\n", same, hash);
    return !same;
}

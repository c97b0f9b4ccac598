/* GNU statement expressions and macros made of them, with effects, control flow and nesting. */
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define CONTAINER(p, type, member) ({ const __typeof__(((type *)0)->member) *m_ = (p); (type *)((char *)m_ - __builtin_offsetof(type, member)); })

struct item { int id; struct link { int weight; } link; };

static int first_negative(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        ({ if (a[i] < 0) return i; });
    return -1;
}

static int factorial(int n)
{
    return ({
        int r = 1;
        while (n > 1)
            r *= n--;
        r;
    });
}

int main(void)
{
    int i = 3, k = 7;
    printf("%d ", MAX(i++, k--));
    printf("%d\n", MAX(i, k));
    printf("%d %g\n", MAX(MAX(1, 5), MAX(4, 2)), MAX(2.5, 1));
    SWAP(i, k);
    printf("%d %d\n", i, k);
    int x = ({ int y = 5; y *= 2; y + 1; });
    printf("%d\n", x);
    int a[] = {3, 1, -4, 1};
    printf("%d %d\n", first_negative(a, 4), first_negative(a, 2));
    printf("%d %d\n", factorial(5), factorial(0));
    struct item items[2] = {{1, {10}}, {2, {20}}};
    struct link *l = &items[1].link;
    printf("%d %d\n", CONTAINER(l, struct item, link)->id, CONTAINER(&items[0].link, struct item, link)->link.weight);
    struct item copy = ({ struct item t = items[0]; t.id += 100; t; });
    printf("%d %d %d\n", copy.id, items[0].id, ({ copy.link.weight++; copy; }).link.weight);
    int n = 0;
    for (int m = 0; ({ n += m; m < 5; }); m++)
        if (({ if (m == 3) continue; m % 2; }))
            n += 100;
    printf("%d\n", n);
    int hit = 0;
    int r = i && ({ hit++; 0; }) || ({ hit += 10; 1; });
    printf("%d %d\n", r, hit);
    while (1) {
        int v = ({ if (n-- % 7 == 0) break; n; });
        hit += v & 1;
    }
    ({ ; });
    (void)({ goto end; 1; });
    printf("skipped\n");
end:
    printf("%d %d\n", n, hit);
    return ({ int z = n; ({ z & 63; }); });
}

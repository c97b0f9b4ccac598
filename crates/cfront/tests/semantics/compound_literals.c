/* Compound literals: structs, arrays, scalars, addresses, lifetime of the block, fresh at every evaluation. */
#include <stdio.h>

struct point { int x, y; };
struct shape { const char *name; struct point at[2]; };

static int *global = (int[]){1, 2, 3};
static struct point *fixed = &(struct point){7, 8};

static int dot(struct point a, struct point b) { return a.x * b.x + a.y * b.y; }
static int sum(const int *a, int n)
{
    int s = 0;
    while (n-- > 0)
        s += *a++;
    return s;
}
static int area(const struct shape *s) { return (s->at[1].x - s->at[0].x) * (s->at[1].y - s->at[0].y); }
static struct point make(int x) { return (struct point){.y = x, .x = -x}; }

int main(void)
{
    printf("%d %d\n", global[2], fixed->y);
    global[1] = 20;
    fixed->x++;
    printf("%d %d\n", sum(global, 3), fixed->x);
    printf("%d\n", dot((struct point){1, 2}, (struct point){.y = 4}));
    printf("%d\n", sum((int[]){1, 2, 3, 4, [6] = 10}, 7));
    printf("%d\n", area(&(struct shape){"box", {{1, 2}, {5, 7}}}));
    struct point p = {3, 4};
    p = (struct point){p.y, p.x};
    printf("%d %d %d\n", p.x, p.y, (struct point){5, 6}.y);
    int *q = (int[4]){9};
    q[3] = q[0] + 1;
    printf("%d %d %d\n", q[0], q[1], q[3]);
    int total = 0;
    for (int i = 0; i < 4; i++) {
        struct point *fresh = &(struct point){i, 10};
        fresh->y += fresh->x;
        total += fresh->y;
    }
    printf("%d\n", total);
    int *scalar = &(int){42};
    *scalar += 1;
    (int){5}++;
    char *text = (char[]){"literal"};
    text[0] = 'L';
    const char *const *words = (const char *const[]){"a", "bb", "ccc", 0};
    int n = 0;
    while (words[n])
        n++;
    printf("%d %s %d %s\n", *scalar, text, n, words[2]);
    printf("%d %d\n", make(3).x, make(3).y);
    printf("%zu %zu\n", sizeof(int[]){1, 2, 3}, sizeof((struct shape){0}));
    union { int i; float f; } u = {.f = 1.0f};
    printf("%x %d\n", u.i, ((union { int i; char c; }){.i = 0x141}).c);
    struct shape list[2] = {{"first"}, {.name = "second", .at[1].y = 6}};
    list[0] = (struct shape){list[1].name, {[0] = list[1].at[1]}};
    printf("%s %d %d\n", list[0].name, list[0].at[0].y, list[0].at[1].y);
    return sum((int[]){(struct point){1, 2}.x, make(4).y}, 2);
}

/* Structs as values: copied, passed, returned, nested, large; the copy is independent. */
#include <stdio.h>

struct point {
    int x, y;
};
struct tiny {
    char c;
};
struct line {
    struct point from, to;
    const char *name;
};
struct large {
    int values[50];
    struct line line;
    double weight;
};
struct mixed {
    char a;
    double b;
    short c;
    float d;
    long long e;
};

static struct point add(struct point a, struct point b)
{
    a.x += b.x;
    a.y += b.y;
    return a;
}

static struct large fill(struct large l, int start)
{
    for (int i = 0; i < 50; i++)
        l.values[i] = start + i;
    l.line.to = add(l.line.from, (struct point){start, -start});
    l.weight = start / 2.0;
    return l;
}

static int total(const struct large *l)
{
    int sum = 0;
    for (int i = 0; i < 50; i++)
        sum += l->values[i];
    return sum;
}

static struct tiny next(struct tiny t)
{
    t.c++;
    return t;
}

static struct mixed twice(struct mixed m, int n, struct mixed k)
{
    m.a += k.a;
    m.b += k.b * n;
    m.c -= k.c;
    m.d *= k.d;
    m.e ^= k.e;
    return m;
}

static struct line swapped(struct line l)
{
    struct point p = l.from;
    l.from = l.to;
    l.to = p;
    return l;
}

int main(void)
{
    struct point p = {1, 2}, q = {10, 20};
    struct point r = add(add(p, q), add(q, q));
    printf("%d %d %d %d\n", r.x, r.y, p.x, p.y);
    printf("%d\n", add(p, q).y);

    struct large a = {.line = {{3, 4}, {0, 0}, "line"}};
    struct large b = fill(a, 100);
    printf("%d %d %d %d %s %g\n", total(&a), total(&b), b.line.to.x, b.line.to.y, b.line.name, b.weight);
    a = b;
    b.values[7] = 0;
    b.line.from.x = -1;
    printf("%d %d %d %d\n", a.values[7], b.values[7], a.line.from.x, b.line.from.x);
    printf("%d %d\n", fill(b, 5).values[49], fill(b, 6).line.to.y);

    struct tiny t = {'a'};
    t = next(next(t));
    printf("%c %c\n", t.c, next(t).c);
    struct mixed m = {1, 2.5, 3, 4.5f, 5}, k = {2, 0.25, 1, 2.0f, 0xff00};
    struct mixed s = twice(m, 3, k);
    printf("%d %g %d %g %lld\n", s.a, s.b, s.c, s.d, s.e);

    struct line l = {{1, 2}, {3, 4}, "l"}, *pl = &l;
    *pl = swapped(*pl);
    printf("%d %d %d %d\n", l.from.x, l.from.y, pl->to.x, (*pl).to.y);
    pl->from = pl->to = (struct point){9, 8};
    printf("%d %d\n", l.from.x, l.to.y);

    struct point grid[3][2] = {{{1, 1}, {2, 2}}, {{3, 3}}};
    grid[2][1] = grid[1][0];
    grid[0][0] = add(grid[0][1], grid[2][1]);
    printf("%d %d %d\n", grid[0][0].x, grid[2][1].y, grid[1][1].x);
    struct point chosen = p.x > 5 ? p : q;
    struct point from_comma = (p.x++, p);
    printf("%d %d\n", chosen.x, from_comma.x);
    return (chosen = r).x;
}

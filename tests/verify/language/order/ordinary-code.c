// Ordinary code.
// expect: safe
// assumes-not: left
#include <stdio.h>
int g, a[4];
struct s {
    int n;
    struct s *next;
} *head;
int nondet_int(void);
int ext(void);
static int get(int i) { return a[i]; }
static int sum(struct s *p) {
    int s = 0;
    for (; p; p = p->next) s += p->n;
    return s;
}
static int set(int i) {
    int local[2];
    local[0] = i;
    return g = local[0];
}
int main(void) {
    int i = 0, x = nondet_int() + nondet_int();
    a[i++] = get(1) + get(2);
    x += set(3);
    x = ext() + ext();
    printf("%d %d\n", get(0), sum(head));
    i = i + 1, i += i;
    return set(1) && set(2) ? get(i & 3) : x;
}

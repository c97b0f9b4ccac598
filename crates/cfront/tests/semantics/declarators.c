/* Declarators: pointers to arrays to functions and back, typedef chains, abstract declarators in casts and sizeof. */
#include <stdio.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const pair[2])(void) = {one, two};
static int (*pick(int i))(void) { return i ? &two : &one; }
static int (*const (*whole(void))[2])(void) { return &pair; }
static int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
static int (*rows(void))[3] { return table; }
static int *(*cells[3])(int);
static int *cell(int i) { return &table[i / 3][i % 3]; }

typedef int function(void);
typedef function *pointer;
typedef pointer list[2];
typedef struct tree { struct tree *(*visit)(struct tree *, int (*)(int)); int value; } tree;

static tree *apply(tree *t, int (*f)(int))
{
    t->value = f(t->value);
    return t;
}
static int negate(int x) { return -x; }

static int call(int f(void), int n) { return f() * n; }
static int sum(int n, int (*a)[n]) { return (*a)[0] + (*a)[n - 1]; }
static char *(*names(void))[2]
{
    static char *list[2] = {"left", "right"};
    return &list;
}

int main(void)
{
    printf("%d %d %d\n", pick(0)(), pick(1)(), (*(*whole())[1])());
    printf("%d %d\n", rows()[1][2], (*rows())[1]);
    cells[1] = cell;
    *cells[1](4) = 50;
    printf("%d\n", table[1][1]);
    list l = {two, one};
    function *f = l[0];
    pointer *p = l;
    printf("%d %d %d\n", f(), p[1](), (*p)());
    tree t = {apply, 5};
    printf("%d ", t.visit(&t, negate)->value);
    printf("%d\n", apply(&t, negate)->visit(&t, negate)->value);
    printf("%d %d\n", call(two, 7), call(*&one, 8));
    int a[4] = {1, 2, 3, 4};
    printf("%d %s\n", sum(4, &a), (*names())[1]);
    printf("%zu %zu %zu %zu %zu\n", sizeof(int (*)[5]), sizeof(int[2][3]), sizeof(char *(*)(int)), sizeof(list), sizeof *rows());
    void *v = table;
    printf("%d %d\n", (*(int (*)[2][3])v)[1][0], ((int (*)[3])v)[0][2]);
    int (*(*deep)[2])(void) = (int (*(*)[2])(void))&pair;
    const char *const *const words = (const char *const[]){"a", "b"};
    int x = 3, *px = &x, **ppx = &px, ***pppx = &ppx;
    ***pppx *= 2;
    char (*text)[6] = &"hello";
    printf("%d %s %d %c %zu\n", (*deep)[1](), words[1], x, (*text)[4], sizeof *text);
    int(x2) = 4, ((x3)) = 5;
    return x2 * x3 + (int)(long)(void (*)(void))0;
}

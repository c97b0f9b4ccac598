/* Recursion: direct, mutual, with arrays and structs on the stack, deep. */
#include <stdio.h>

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int moves;
static void hanoi(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves = moves * 3 % 1000003 + from * 3 + to;
    hanoi(n - 1, via, to, from);
}

static int queens(int n, int row, int *column)
{
    if (row == n)
        return 1;
    int count = 0;
    for (int c = 0; c < n; c++) {
        int ok = 1;
        for (int r = 0; r < row && ok; r++)
            ok = column[r] != c && column[r] - c != row - r && c - column[r] != row - r;
        if (ok) {
            column[row] = c;
            count += queens(n, row + 1, column);
        }
    }
    return count;
}

/* Each activation has its own array; a pointer to the caller's stays valid. */
static int chain(int depth, int *above)
{
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = depth * 10 + i + (above ? above[i] : 0);
    if (depth == 5)
        return own[3];
    int below = chain(depth + 1, own);
    if (above)
        above[depth % 4] += 1;
    return below + own[depth % 4];
}

struct tree { int value; struct tree *left, *right; };

static struct tree *insert(struct tree *t, struct tree *new)
{
    if (!t)
        return new;
    if (new->value < t->value)
        t->left = insert(t->left, new);
    else
        t->right = insert(t->right, new);
    return t;
}

static void walk(const struct tree *t, int depth)
{
    if (t) {
        walk(t->left, depth + 1);
        printf("%d@%d ", t->value, depth);
        walk(t->right, depth + 1);
    }
}

static void permute(char *s, int n)
{
    if (n == 1)
        printf("%s ", s);
    for (int i = 0; n > 1 && i < n; i++) {
        permute(s, n - 1);
        int k = n % 2 ? 0 : i;
        char c = s[k];
        s[k] = s[n - 1];
        s[n - 1] = c;
    }
}

static unsigned long fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void)
{
    printf("%d %d %d\n", ackermann(2, 5), is_even(101), is_odd(77));
    hanoi(7, 1, 3, 2);
    int column[6];
    printf("%d %d\n", moves, queens(6, 0, column));
    printf("%d\n", chain(0, 0));
    struct tree nodes[] = {{5}, {2}, {8}, {1}, {9}, {4}, {7}}, *root = 0;
    for (int i = 0; i < 7; i++)
        root = insert(root, &nodes[i]);
    walk(root, 0);
    printf("\n");
    char s[] = "abcd";
    permute(s, 4);
    printf("\n%lu %d\n", fib(17), depth(2000));
    return (int)fib(11);
}

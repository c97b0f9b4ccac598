/* Order of effects where C fixes it: &&, ||, ?:, comma, full expressions, calls; each operand evaluated once. */
#include <stdio.h>

static char log_text[256];
static int log_length;

static int t(char c) { log_text[log_length++] = c; return 1; }
static int f(char c) { log_text[log_length++] = c; return 0; }
static int *at(int *p, char c) { log_text[log_length++] = c; return p; }

static void flush(int value)
{
    log_text[log_length] = 0;
    printf("%s %d\n", log_text, value);
    log_length = 0;
}

static int pass(int x) { return x; }

int main(void)
{
    flush(t('a') && t('b'));
    flush(t('a') && f('b') && t('c'));
    flush(f('a') && t('b'));
    flush(f('a') || t('b') || t('c'));
    flush(f('a') || f('b'));
    flush(t('a') || t('b') && t('c'));
    flush((f('a') || t('b')) && f('c') || t('d'));
    flush(t('a') ? t('b') : t('c'));
    flush(f('a') ? t('b') : f('c') ? t('d') : f('e'));
    flush((t('a'), f('b'), t('c')));
    flush(!(t('a') && !f('b')));
    flush(t('x') & f('x'));
    flush(f('a') && t('b') ? t('c') : (t('d'), 5));

    int x = 1, y = 2;
    int z = (x++, y = x * 10, y++, x + y);
    printf("%d %d %d\n", x, y, z);
    z = x > 0 && (y = 0, 1) && ++y && y++ == 1 || (x = 100);
    printf("%d %d %d\n", x, y, z);
    z = 0 || (x += 3, 0) || 7;
    printf("%d %d\n", x, z);
    int a[3] = {0, 0, 0}, i = 0;
    a[i++] = 5, a[i] = i ? 7 : 8, i++, a[i] = 9;
    printf("%d %d %d %d\n", a[0], a[1], a[2], i);
    *at(&a[1], 'p') += pass(3);
    flush(a[1]);
    (*at(&a[2], 'q'))++;
    flush(a[2]);
    int v = *at(a, 'r') = 3;
    flush(v);
    i = 0;
    while (i < 3 && a[i] != 9)
        i++;
    int *p = a;
    while (p < a + 3 && *p++ != 8)
        ;
    printf("%d %d\n", i, (int)(p - a));
    if (i == 3 ? p = a, 0 : 1)
        printf("not here\n");
    for (i = 0; t('i'), i < 2; t('s'), i++)
        t('b');
    flush(i);
    /* A condition used as a number, a number used as a condition. */
    int c = (x > y) + (x == x) * 2 + !z + !!z * 8;
    double d = 0.5;
    const char *s = "";
    printf("%d %d %d %d %d\n", c, d && 1, !d, !*s, s && !*s);
    (void)(t('v') || t('w'));
    flush(sizeof(t('n')) == sizeof(int));
    return pass((i = 3, i + 4));
}

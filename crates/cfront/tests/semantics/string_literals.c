/* String and character constants: escapes, concatenation, sizes, as arrays and as initialisers. */
#include <stdio.h>
#include <string.h>

#define STRING(x) #x
#define EXPAND(x) STRING(x)
#define GLUE(a, b) a##b
#define VALUE 42

static char array[] = "array";
static char sized[10] = "sized";
static const char *pointer = "poin" "ter";
static const char table[3][5] = {"ab", "cdef", "ghijk"};

int main(void)
{
    const char *s = "\a\b\f\n\r\t\v\\\'\"\?\0x";
    for (int i = 0; i < 13; i++)
        printf("%d ", s[i]);
    printf("\n%d %d %d %d %d\n", '\x41', '\101', '\0', '\377', '\e');
    printf("%d %d %d\n", 'ab', 'abcd', '\xff' == -1);
    printf("%zu %zu %zu %zu %zu\n", sizeof "abc", sizeof "", sizeof "a\0b", sizeof array, sizeof sized);
    printf("%s %s %c%c\n", pointer, "a" "b" "\x41" "B", "xyz"[1], *("pqr" + 2));
    printf("%s %s %s\n", STRING(a + "b\n"), EXPAND(VALUE), STRING(VALUE));
    int GLUE(var, 1) = 7;
    printf("%d %d\n", var1, __LINE__ > 0);
    array[0] = 'A';
    char local[] = "local", *p = local;
    p[4] = 'L';
    printf("%s %s %zu\n", array, local, strlen("embedded\0zero"));
    printf("%.5s %c\n", table[2], table[1][3]);
    printf("%s\n", "multi\
line");
    printf("%d %d\n", "same"[0] == 's', sizeof("x")[0] == 1);
    printf("%s %s\n", __func__, __FUNCTION__);
    printf("%d%%%c%s\n", 5, '%', "%d");
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%x] [%X] [%#x] [%o] [%5s] [%-5s] [%.2s] [%c]\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, "ab",
           "ab", "abcd", 'z');
    printf("[%*d] [%-*d] [%.*s] [%8.3f] [%-8.2f] [%08.3f] [%.0e] [%G]\n", 6, 7, 6, 7, 2, "abc", 3.14159, 2.5, -1.5, 12345.0, 1e-10);
    printf("[%hhd] [%hd] [%hhu] [%ld] [%lld] [%zu] [%i]\n", 300, 70000, 511, -1L, 1LL << 40, sizeof(int), -3);
    char c = "0123456789abcdef"[11];
    puts("puts");
    putchar(c);
    putchar('\n');
    return "exit"[1] == 'x' ? 3 : 4;
}

/* The string library as programs use it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static void where(const char *s, const char *p) { printf("%d ", p ? (int)(p - s) : -1); }

int main(void)
{
    char buffer[64], other[64];
    const char *s = "hello, world";
    printf("%zu %zu %zu\n", strlen(s), strlen(""), strnlen(s, 5));
    strcpy(buffer, s);
    strcat(buffer, "!");
    strncat(buffer, "abcdef", 3);
    printf("%s\n", buffer);
    memset(other, 'x', sizeof other);
    strncpy(other, "short", 8);
    printf("%s %d %c\n", other, other[7], other[8]);
    strncpy(other, "longer than eight", 8);
    printf("%.10s\n", other);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), sign(strcmp("ab", "ab")), sign(strcmp("a", "")));
    printf("%d %d %d\n", sign(strcmp("\xff", "a")), sign(strncmp("abcx", "abcy", 3)), sign(strncmp("abc", "abd", 3)));
    printf("%d %d\n", sign(strcasecmp("HeLLo", "hello")), sign(strncasecmp("ABCx", "abcy", 4)));
    where(s, strchr(s, 'o')), where(s, strrchr(s, 'o')), where(s, strchr(s, 'z')), where(s, strchr(s, 0));
    where(s, strstr(s, "wor")), where(s, strstr(s, "xyz")), where(s, strstr(s, "")), where(s, strpbrk(s, "lw"));
    printf("%zu %zu\n", strspn(s, "ehl"), strcspn(s, ", "));
    char csv[] = ",one,,two,three,";
    for (char *t = strtok(csv, ","); t; t = strtok(0, ","))
        printf("[%s]", t);
    char lines[] = "a b\nc d", *save1, *save2;
    for (char *l = strtok_r(lines, "\n", &save1); l; l = strtok_r(0, "\n", &save1))
        for (char *w = strtok_r(l, " ", &save2); w; w = strtok_r(0, " ", &save2))
            printf("<%s>", w);
    printf("\n");
    int a[4] = {1, 2, 3, 4}, b[4];
    memcpy(b, a, sizeof a);
    memmove(a + 1, a, 3 * sizeof *a);
    printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], memcmp(a, b, sizeof a) < 0);
    memset(b, -1, sizeof b);
    memset(b, 0, sizeof *b);
    printf("%d %d\n", b[0], b[1]);
    memmove(buffer, buffer + 2, 5);
    printf("%s %d\n", buffer, memcmp("abc", "abd", 2));
    where(s, memchr(s, 'w', 12)), where(s, memchr(s, 'w', 5));
    char *copy = strdup(s), *part = strndup(s, 5);
    copy[0] = 'J';
    printf("%s %s\n", copy, part);
    free(copy);
    free(part);
    char *end = stpcpy(stpcpy(other, "ab"), "cd");
    printf("%s %d\n", other, (int)(end - other));
    return (int)strlen(other) + (buffer[0] == 'l');
}

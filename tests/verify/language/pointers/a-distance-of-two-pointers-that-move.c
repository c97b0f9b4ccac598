// A distance of two pointers that move.
// expect: safe
// check: memory
#include <stdlib.h>
#include <string.h>
unsigned char nondet_uchar(void);
int main(void) {
    unsigned char n = nondet_uchar();
    if (n > 4) return 0;
    char *s = malloc(5), *first = s, *last = s + n;
    for (int i = 0; i < n; i++) s[i] = nondet_uchar();
    s[n] = 0;
    while (first < last && *first == ' ') first++;
    while (last > first && last[-1] == ' ') last--;
    size_t length = last - first;
    memmove(s, first, length);
    s[length] = 0;
    free(s);
    return 0;
}

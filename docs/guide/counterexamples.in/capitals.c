#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 3

/* A copy of a text of at most LONGEST characters, in capital letters. */
static char *capitals(const char *text) {
    size_t length = strlen(text);
    char *copy = malloc(LONGEST);
    for (size_t i = 0; i <= length; i++)
        copy[i] = toupper((unsigned char)text[i]);
    return copy;
}

char __VERIFIER_nondet_char(void);

int main(void) {
    char text[LONGEST + 1] = "abc";
    text[1] = __VERIFIER_nondet_char();
    char *copy = capitals(text);
    int first = copy[0];
    return first == 'A' ? 0 : 1;
}

/* A word counter with a hash table of lists: malloc, strings, pointers to pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 61

struct word {
    struct word *next;
    unsigned count;
    char text[12];
};

static struct word *buckets[BUCKETS];
static int limit = 400;

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33u + (unsigned char)*s++;
    return h % BUCKETS;
}

static void count(const char *text)
{
    struct word **at = &buckets[hash(text)];
    while (*at && strcmp((*at)->text, text) != 0)
        at = &(*at)->next;
    if (!*at) {
        struct word *fresh = malloc(sizeof *fresh);
        if (!fresh)
            exit(3);
        fresh->next = 0;
        fresh->count = 0;
        strcpy(fresh->text, text);
        *at = fresh;
    }
    (*at)->count++;
}

int main(void)
{
    unsigned seed = 99, distinct = 0, most = 0;
    for (int i = 0; i < limit; i++) {
        char text[12];
        int length = 0;
        seed = seed * 1103515245u + 12345u;
        for (unsigned rest = seed >> 24; length < 3; rest /= 4)
            text[length++] = (char)('a' + rest % 4);
        text[length] = 0;
        count(text);
    }
    for (int i = 0; i < BUCKETS; i++)
        while (buckets[i]) {
            struct word *gone = buckets[i];
            buckets[i] = gone->next;
            distinct++;
            if (gone->count > most)
                most = gone->count;
            free(gone);
        }
    printf("%u %u\n", distinct, most);
    return 0;
}

// A string builder that takes its memory from hooks.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern bool __VERIFIER_nondet_bool(void);

static void *(*alloc)(size_t) = malloc;
static void (*release)(void *) = free;

static char pool[32];
static size_t pool_used;

static void *pool_alloc(size_t size)
{
    void *piece = pool + pool_used;

    if (size > sizeof pool - pool_used)
        return NULL;
    pool_used += size;
    return piece;
}

static void pool_release(void *piece)
{
    (void)piece;
    pool_used = 0;
}

static char *join(const char *a, const char *b)
{
    size_t first = strlen(a);
    char *text = alloc(first + strlen(b) + 2);

    if (!text)
        return NULL;
    memcpy(text, a, first);
    text[first] = '/';
    strcpy(text + first + 1, b);
    return text;
}

int main(void)
{
    char *path;

    if (__VERIFIER_nondet_bool()) {
        alloc = pool_alloc;
        release = pool_release;
    }
    path = join("usr", "lib");
    if (!path)
        return 1;
    assert(strcmp(path, "usr/lib") == 0);
    release(path);
    assert(pool_used == 0);
    return 0;
}

// A handle owns its text; giving it away leaves nothing behind.
// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct handle {
    char *text;
    size_t length;
};

static int open_handle(struct handle *h, const char *text)
{
    h->length = strlen(text);
    h->text = malloc(h->length + 1);
    if (!h->text)
        return -1;
    strcpy(h->text, text);
    return 0;
}

/* The caller frees what it gets. */
static char *take(struct handle *h)
{
    char *text = h->text;

    h->text = NULL;
    h->length = 0;
    return text;
}

static void close_handle(struct handle *h)
{
    free(h->text);
    h->text = NULL;
    h->length = 0;
}

int main(void)
{
    struct handle h;
    char *mine = NULL;

    if (open_handle(&h, "event") != 0)
        return 1;
    assert(h.length == 5);
    if (__VERIFIER_nondet_int() > 0) {
        mine = take(&h);
        assert(mine[0] == 'e' && h.length == 0);
    }
    free(mine);
    close_handle(&h);
    assert(h.text == NULL);
    return 0;
}

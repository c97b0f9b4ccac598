// Binary search in a sorted table, with an end that is one too far.
// expect: unsafe 28
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct message {
    int code;
    const char *text;
};

static const struct message messages[] = {
    {100, "continue"},     {200, "ok"},        {204, "no content"},   {301, "moved"},
    {304, "not modified"}, {400, "bad"},       {401, "unauthorized"}, {403, "forbidden"},
    {404, "not found"},    {418, "a teapot"},  {500, "error"},        {503, "unavailable"},
};

#define COUNT (sizeof messages / sizeof messages[0])

static const char *find(int code)
{
    size_t low = 0;
    size_t high = COUNT + 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (messages[middle].code == code)
            return messages[middle].text;
        if (messages[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

int main(void)
{
    int code = __VERIFIER_nondet_int();
    const char *text = find(code);

    if (text == NULL) {
        for (size_t i = 0; i < COUNT; i++)
            assert(messages[i].code != code);
    } else {
        assert(code >= 100 && code <= 503);
        assert(text[0] >= 'a' && text[0] <= 'z');
    }
    return 0;
}

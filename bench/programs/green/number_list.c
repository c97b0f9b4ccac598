// The mean of a list of small numbers, as in "3,14,15".
// expect: safe
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

#define INPUT 6

struct list {
    int count;
    int sum;
    int largest;
};

/* Returns 0, or -1 if the text is no list. */
static int parse(const char *text, struct list *list)
{
    list->count = list->sum = list->largest = 0;
    while (*text) {
        int number = 0;
        if (*text < '0' || *text > '9')
            return -1;
        while (*text >= '0' && *text <= '9')
            number = number * 10 + (*text++ - '0');
        list->sum += number;
        if (number > list->largest)
            list->largest = number;
        list->count++;
        if (*text == ',')
            text++;
        else if (*text)
            return -1;
    }
    return 0;
}

static int mean(const struct list *list)
{
    return list->count == 0 ? 0 : list->sum / list->count;
}

int main(void)
{
    char text[INPUT + 1];
    struct list list;

    for (int i = 0; i < INPUT; i++)
        text[i] = __VERIFIER_nondet_char();
    text[INPUT] = '\0';

    if (parse(text, &list) == 0) {
        int m = mean(&list);
        assert(m >= 0 && m <= list.largest);
        assert(list.count <= INPUT / 2);
    }
    return 0;
}

// Labels of fixed width inside of a struct, padded with blanks.
// expect: safe
#include <assert.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define WIDTH 4

struct column {
    char label[WIDTH];
    char unit;
    unsigned short width;
};

static void set_label(struct column *c, const char *text)
{
    int n = 0;

    while (n < WIDTH && *text)
        c->label[n++] = *text++;
    while (n < WIDTH)
        c->label[n++] = ' ';
}

int main(void)
{
    static const char *const names[] = {"", "id", "size", "owner"};
    struct column columns[2];
    unsigned choice = __VERIFIER_nondet_uint() % 4;

    for (int i = 0; i < 2; i++) {
        columns[i].unit = (char)('A' + i);
        columns[i].width = 8;
    }
    set_label(&columns[0], names[choice]);
    set_label(&columns[1], "kind");
    assert(columns[0].unit == 'A' && columns[0].width == 8);
    assert(memcmp(columns[1].label, "kind", WIDTH) == 0);
    if (choice == 1)
        assert(memcmp(columns[0].label, "id  ", WIDTH) == 0);
    return 0;
}

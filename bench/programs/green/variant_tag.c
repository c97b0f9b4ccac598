// Values of several types in a union, one read without a look at its tag.
// expect: unsafe 42
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

enum kind { NUMBER, TEXT, PAIR };

struct value {
    enum kind kind;
    union {
        long number;
        const char *text;
        struct {
            short first, second;
        } pair;
    } as;
};

static struct value make(int choice)
{
    struct value v;

    if (choice == 0) {
        v.kind = NUMBER;
        v.as.number = 42;
    } else if (choice == 1) {
        v.kind = TEXT;
        v.as.text = "forty-two";
    } else {
        v.kind = PAIR;
        v.as.pair.first = 4;
        v.as.pair.second = 2;
    }
    return v;
}

static long weight(const struct value *v)
{
    if (v->kind != PAIR)
        return (long)strlen(v->as.text);
    if (v->kind == NUMBER)
        return v->as.number;
    return v->as.pair.first * 10L + v->as.pair.second;
}

int main(void)
{
    int choice = __VERIFIER_nondet_int();
    struct value v = make(choice);
    long w = weight(&v);

    assert(choice == 1 ? w == 9 : w == 42);
    return 0;
}

// A list.
// expect: unsafe 12
#include <assert.h>
struct node {
    struct node *next;
    int value;
};
void ext(struct node *n);
int main(void) {
    struct node c = {0, 3}, b = {&c, 2}, a = {&b, 1};
    ext(&a);
    assert(c.value == 3);
    return 0;
}

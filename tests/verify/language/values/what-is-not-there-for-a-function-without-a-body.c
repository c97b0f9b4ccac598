// What is not there, for a function without a body.
// expect: unsafe 11
// check: memory
#include <stdlib.h>
struct p {
    int x, y;
};
int ext(struct p a);
int main(void) {
    struct p *q = malloc(4);
    return q ? ext(*q) : 0;
}

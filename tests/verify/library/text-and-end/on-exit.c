// On_exit.
// expect: unsafe 6
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
void b(int status, void *p) { assert(status != 3 || *(int *)p != 4); }
int y = 4;
int main(void) {
    on_exit(b, &y);
    return 3;
}

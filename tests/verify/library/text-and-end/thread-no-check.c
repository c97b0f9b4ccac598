// Thread no check.
// expect: unknown
#include <pthread.h>
#include <assert.h>
void *f(void *p) {
    assert(0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    return 0;
}

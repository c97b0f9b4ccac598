// A thread.
// expect: unknown
// says: threads
// says: supported
#include <pthread.h>
void *f(void *p) { return p; }
int main(void) {
    pthread_t t;
    return pthread_create(&t, 0, f, 0);
}

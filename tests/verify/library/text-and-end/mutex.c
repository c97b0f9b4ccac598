// Mutex.
// expect: safe
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
int main(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    assert(x == 1);
    return 0;
}

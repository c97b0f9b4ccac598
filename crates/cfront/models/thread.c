/* Locks and their kind (pthread.h, threads.h, semaphore.h) where there is one thread: creating another is refused, so
   nobody waits for anybody. */

int __reprove_any_bool(void);

static int free_lock(void)
{
    return 0;
}

int pthread_mutex_lock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_mutex_unlock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_mutex_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_cond_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_cond_signal(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_cond_broadcast(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_rwlock_rdlock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_rwlock_wrlock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_rwlock_unlock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_rwlock_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_spin_lock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_spin_unlock(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_spin_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_mutexattr_init(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_mutexattr_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_attr_init(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_attr_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_condattr_init(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_condattr_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int mtx_lock(void *lock)
{
    (void)lock;
    return free_lock();
}

int mtx_unlock(void *lock)
{
    (void)lock;
    return free_lock();
}

int cnd_init(void *lock)
{
    (void)lock;
    return free_lock();
}

int cnd_signal(void *lock)
{
    (void)lock;
    return free_lock();
}

int cnd_broadcast(void *lock)
{
    (void)lock;
    return free_lock();
}

int sem_post(void *lock)
{
    (void)lock;
    return free_lock();
}

int sem_destroy(void *lock)
{
    (void)lock;
    return free_lock();
}

int sem_wait(void *lock)
{
    (void)lock;
    return free_lock();
}

int pthread_mutex_init(void *lock, const void *attributes)
{
    (void)lock;
    (void)attributes;
    return free_lock();
}

int pthread_cond_init(void *lock, const void *attributes)
{
    (void)lock;
    (void)attributes;
    return free_lock();
}

int pthread_rwlock_init(void *lock, const void *attributes)
{
    (void)lock;
    (void)attributes;
    return free_lock();
}

int pthread_cond_wait(void *condition, void *lock)
{
    (void)condition;
    (void)lock;
    return free_lock();
}

int cnd_wait(void *condition, void *lock)
{
    (void)condition;
    (void)lock;
    return free_lock();
}

int pthread_spin_init(void *lock, int kind)
{
    (void)lock;
    (void)kind;
    return free_lock();
}

int pthread_mutexattr_settype(void *lock, int kind)
{
    (void)lock;
    (void)kind;
    return free_lock();
}

int pthread_mutexattr_setpshared(void *lock, int kind)
{
    (void)lock;
    (void)kind;
    return free_lock();
}

int pthread_attr_setdetachstate(void *lock, int kind)
{
    (void)lock;
    (void)kind;
    return free_lock();
}

int mtx_init(void *lock, int kind)
{
    (void)lock;
    (void)kind;
    return free_lock();
}

int sem_init(void *lock, int shared, unsigned int value)
{
    (void)lock;
    (void)shared;
    (void)value;
    return free_lock();
}

void mtx_destroy(void *lock)
{
    (void)lock;
}

void cnd_destroy(void *lock)
{
    (void)lock;
}

/* Whether it is held is not kept. */
int pthread_mutex_trylock(void *lock)
{
    (void)lock;
    return __reprove_any_bool() ? 16 : 0;
}

int pthread_rwlock_tryrdlock(void *lock)
{
    (void)lock;
    return __reprove_any_bool() ? 16 : 0;
}

int pthread_rwlock_trywrlock(void *lock)
{
    (void)lock;
    return __reprove_any_bool() ? 16 : 0;
}

int pthread_spin_trylock(void *lock)
{
    (void)lock;
    return __reprove_any_bool() ? 16 : 0;
}

int mtx_trylock(void *lock)
{
    (void)lock;
    return __reprove_any_bool() ? 1 : 0;
}

int sem_trywait(void *lock)
{
    (void)lock;
    return __reprove_any_bool() ? -1 : 0;
}

unsigned long pthread_self(void)
{
    return 1;
}

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

/* A control block of zero has not run. */
int pthread_once(int *control, void (*work)(void))
{
    if (*control == 0) {
        *control = 2;
        work();
    }
    return 0;
}

void call_once(int *control, void (*work)(void))
{
    pthread_once(control, work);
}

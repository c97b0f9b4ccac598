/* Signals (signal.h). Whoever sets a handler leaves what can be verified; ignoring a signal and its default action change
   nothing. */

int __reprove_any_int(void);
int __reprove_any_bool(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);
void *memset(void *to, int byte, unsigned long n);
void __reprove_refuse_signals(void);

typedef void (*handler)(int);

/* What was set before: never a handler. This is all that a call does whose action is a constant. */
handler __reprove_old_signal(void)
{
    return (handler)(__reprove_any_bool() ? 0 : __reprove_any_bool() ? 1 : -1);
}

handler signal(int number, handler action)
{
    (void)number;
    if (action != (handler)0 && action != (handler)1)
        __reprove_refuse_signals();
    return __reprove_old_signal();
}

handler bsd_signal(int number, handler action)
{
    return signal(number, action);
}

handler sysv_signal(int number, handler action)
{
    return signal(number, action);
}

handler __sysv_signal(int number, handler action)
{
    return signal(number, action);
}

/* The first member is the handler; the whole has 152 bytes, or 140 where long has 32 bits. */
int sigaction(int number, const void *action, void *old)
{
    (void)number;
    if (action != 0) {
        handler wanted = *(const handler *)action;
        if (wanted != (handler)0 && wanted != (handler)1)
            __reprove_refuse_signals();
    }
    if (__reprove_any_bool())
        return -1;
    if (old != 0) {
        memset(old, 0, sizeof(long) == 8 ? 152 : 140);
        *(handler *)old = (handler)(__reprove_any_bool() ? 0 : 1);
    }
    return 0;
}

int sigprocmask(int how, const void *set, void *old)
{
    (void)how;
    (void)set;
    if (old != 0)
        __reprove_havoc(old, 128);
    return 0;
}

int pthread_sigmask(int how, const void *set, void *old)
{
    return sigprocmask(how, set, old);
}

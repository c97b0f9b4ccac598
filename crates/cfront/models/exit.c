/* The end of the program (stdlib.h): handlers run last registered first, also those that handlers register. There is room for 64,
   twice what the standard demands. Lowering calls __reprove_at_exit where `main` returns and where `exit` is called, in programs
   that register any. */

void _Exit(int status);

static int count;
static void (*handlers[64])(void);
static void (*status_handlers[64])(int, void *);
static void *arguments[64];

static int quick_count;
static void (*quick_handlers[64])(void);

int atexit(void (*handler)(void))
{
    if (count == 64)
        return 1;
    handlers[count] = handler;
    count++;
    return 0;
}

int on_exit(void (*handler)(int, void *), void *argument)
{
    if (count == 64)
        return 1;
    handlers[count] = 0;
    status_handlers[count] = handler;
    arguments[count] = argument;
    count++;
    return 0;
}

int at_quick_exit(void (*handler)(void))
{
    if (quick_count == 64)
        return 1;
    quick_handlers[quick_count] = handler;
    quick_count++;
    return 0;
}

/* A handler that calls `exit` itself leaves the rest to that call. */
void __reprove_at_exit(int status)
{
    while (count > 0) {
        count--;
        if (handlers[count] != 0)
            handlers[count]();
        else
            status_handlers[count](status, arguments[count]);
    }
}

void quick_exit(int status)
{
    while (quick_count > 0) {
        quick_count--;
        quick_handlers[quick_count]();
    }
    _Exit(status);
}

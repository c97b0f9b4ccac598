/* errno: one object; there are no threads. It is visible outside, so that functions without a body may set it. */

int __reprove_any_int(void);

int __reprove_errno;

int *__errno_location(void)
{
    return &__reprove_errno;
}

static int any_number(void)
{
    return __reprove_any_int();
}

/* What a function of the library may do to it whose model says nothing about it: none sets it to zero. */
void __reprove_may_set_errno(void)
{
    int number = any_number();
    if (number != 0)
        __reprove_errno = number;
}

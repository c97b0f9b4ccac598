/* Functions that may fail (errno.h). Inputs are asked for where nothing has external linkage, so that they are not called
   after this file's functions. */

int __reprove_any_int(void);
int __reprove_any_bool(void);
void __reprove_assume(int condition);
int *__errno_location(void);

static int error_number(void)
{
    int number = __reprove_any_int();
    __reprove_assume(number > 0 && number < 4096);
    return number;
}

static int succeeds(void)
{
    return __reprove_any_bool();
}

void __reprove_fail(void)
{
    *__errno_location() = error_number();
}

/* 0, or an error and -1. */
int __reprove_done(void)
{
    if (succeeds())
        return 0;
    __reprove_fail();
    return -1;
}

/* Sets of signals (signal.h). A sigset_t has 128 bytes. */

void *memset(void *to, int byte, unsigned long n);

int sigemptyset(void *set)
{
    memset(set, 0, 128);
    return 0;
}

int sigfillset(void *set)
{
    memset(set, 255, 128);
    return 0;
}

int sigaddset(void *set, int number)
{
    if (number < 1 || number > 64)
        return -1;
    ((unsigned char *)set)[(number - 1) / 8] |= (unsigned char)(1 << (number - 1) % 8);
    return 0;
}

int sigdelset(void *set, int number)
{
    if (number < 1 || number > 64)
        return -1;
    ((unsigned char *)set)[(number - 1) / 8] &= (unsigned char)~(1 << (number - 1) % 8);
    return 0;
}

int sigismember(const void *set, int number)
{
    if (number < 1 || number > 64)
        return -1;
    return ((const unsigned char *)set)[(number - 1) / 8] >> (number - 1) % 8 & 1;
}

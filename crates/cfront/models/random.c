/* Random numbers (stdlib.h). */

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

/* The sequence is unspecified, so the seed says nothing: any number from 0 to RAND_MAX. */
int rand(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0);
    return x;
}

void srand(unsigned int seed)
{
    (void)seed;
}

int rand_r(unsigned int *seed)
{
    *seed = (unsigned int)__VERIFIER_nondet_int();
    return rand();
}

long random(void)
{
    return rand();
}

void srandom(unsigned int seed)
{
    (void)seed;
}

long lrand48(void)
{
    return rand();
}

long mrand48(void)
{
    return __VERIFIER_nondet_int();
}

void srand48(long seed)
{
    (void)seed;
}

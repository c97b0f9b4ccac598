/* GNU labels as values: a threaded interpreter. */
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, SWAP, HALT };

static int run(const int *code)
{
    static void *const labels[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&swap, &&halt};
    int stack[16], *sp = stack;
    const int *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push:
    *sp++ = *pc++;
    NEXT;
add:
    sp--;
    sp[-1] += sp[0];
    NEXT;
mul:
    sp--;
    sp[-1] *= sp[0];
    NEXT;
dup:
    *sp = sp[-1];
    sp++;
    NEXT;
jnz:
    pc = sp[-1] ? code + *pc : pc + 1;
    NEXT;
dec:
    sp[-1]--;
    NEXT;
swap : {
    int t = sp[-1];
    sp[-1] = sp[-2];
    sp[-2] = t;
}
    NEXT;
halt:
    return sp[-1];
}

int main(void)
{
    static const int square[] = {PUSH, 7, DUP, MUL, PUSH, 3, ADD, HALT};
    static const int power[] = {PUSH, 1, PUSH, 10, SWAP, PUSH, 2, MUL, SWAP, DEC, JNZ, 4, SWAP, HALT};
    printf("%d %d\n", run(square), run(power));
    void *p = &&b;
    int n = 0;
a:
    n += 1;
    if (n > 20)
        goto end;
    goto *p;
b:
    n += 10;
    p = &&a;
    goto *p;
end:
    return n;
}

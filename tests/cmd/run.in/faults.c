#include <stdlib.h>

int divide(int a, int b) {
    return a / b;
}

int add(int a, int b) {
    return a + b;
}

int shift(int a, int b) {
    return a << b;
}

int element(int i) {
    int list[4] = {1, 2, 3, 4};
    return list[i];
}

int twice_freed(void) {
    int *p = malloc(sizeof *p);
    free(p);
    free(p);
    return 0;
}

int forever(void) {
    for (;;)
        ;
}

int lost(void) {
    int *p = malloc(sizeof *p);
    return p != 0;
}

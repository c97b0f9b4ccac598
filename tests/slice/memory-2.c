// check: memory
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    *q = 1;
    free(q);
    *p = 0;
    free(p);
    *p = 1;
    return 0;
}

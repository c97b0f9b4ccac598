// Objects that no access goes to have lives, too.
// check: memory
void *malloc(unsigned long);
void free(void *);
int main(void) {
    void *p = malloc(4), *q = p;
    free(p);
    free(q);
    return 0;
}

// A list on the heap.
// expect: safe
// engine: bmc
// audit: unknown
// timeout: 10
void __VERIFIER_assert(int);
void exit(int);
void *malloc(unsigned long);
void free(void *);
struct n {
    int v;
    struct n *next;
};
int main(void) {
    struct n *head = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct n *p = malloc(sizeof *p);
        if (!p) exit(0);
        p->v = i;
        p->next = head;
        head = p;
    }
    while (head) {
        struct n *p = head;
        head = p->next;
        sum += p->v;
        free(p);
    }
    __VERIFIER_assert(sum == 3);
}

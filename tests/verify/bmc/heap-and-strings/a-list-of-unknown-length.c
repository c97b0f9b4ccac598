// A list of unknown length.
// expect: unsafe 21
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void *malloc(unsigned long);
struct n {
    int v;
    struct n *next;
};
int main(void) {
    struct n *head = 0;
    int len = 0;
    while (__VERIFIER_nondet_int()) {
        struct n *p = malloc(sizeof *p);
        if (!p) break;
        p->next = head;
        head = p;
    }
    for (; head; head = head->next) len++;
    __VERIFIER_assert(len != 3);
}

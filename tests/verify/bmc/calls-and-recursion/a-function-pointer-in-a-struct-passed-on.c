// A function pointer in a struct, passed on.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
struct ops {
    int (*get)(void *);
    void *arg;
};
int get(void *p) { return *(int *)p; }
int call(struct ops *o) { return o->get(o->arg); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    struct ops o = {get, &x};
    __VERIFIER_assert(call(&o) == x);
}

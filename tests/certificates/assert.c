// What counts depends on macros.
// holds: verify -DNDEBUG
//   front.macros: ["-DNDEBUG"]
// fails: verify
// fails: verify -DNDEBUG -UNDEBUG
//   front.macros: ["-DNDEBUG","-UNDEBUG"]
int __VERIFIER_nondet_int(void);
void reach_error(void);
#define in __VERIFIER_nondet_int

#ifdef NDEBUG
#define CHECK(c) ((void)0)
#else
#define CHECK(c) if (!(c)) reach_error()
#endif

int main(void) {
    int x = in();
    CHECK(x != 7);
    if (x > 3 && x < 2) reach_error();
    return 0;
}

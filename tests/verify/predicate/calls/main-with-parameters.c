// Main with parameters.
// expect: unsafe 5
// engine: predicate
void __VERIFIER_assert(int);
int main(int argc, char **argv) { __VERIFIER_assert(argc < 1000); }

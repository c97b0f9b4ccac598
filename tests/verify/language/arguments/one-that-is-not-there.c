// One that is not there.
// expect: unsafe 4
// check: memory
int main(int argc, char *argv[]) { return argv[1][0]; }

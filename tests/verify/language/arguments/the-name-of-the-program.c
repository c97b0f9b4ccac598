// The name of the program.
// expect: safe
// check: memory
int main(int argc, char *argv[]) { return argv[0][0]; }

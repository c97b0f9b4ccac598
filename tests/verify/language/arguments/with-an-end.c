// With an end.
// expect: safe
// check: memory
#include <string.h>
int main(int argc, char *argv[]) {
    char b[16];
    if (argc > 1 && strlen(argv[1]) < 16) strcpy(b, argv[1]);
    return 0;
}

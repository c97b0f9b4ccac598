// A buffer that grows with realloc, and is forgotten where a line is too long.
// expect: unsafe 44
// check: memory,leak
// object: heap
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static char *read_line(unsigned limit)
{
    unsigned room = 2, used = 0;
    char *line = malloc(room);

    for (;;) {
        char c = (char)__VERIFIER_nondet_uchar();

        if (used + 1 == room) {
            char *larger;

            if (room >= limit) {
                return NULL;
            }
            room *= 2;
            larger = realloc(line, room);
            if (!larger) {
                free(line);
                return NULL;
            }
            line = larger;
        }
        if (c == '\n' || c == 0)
            break;
        line[used++] = c;
    }
    line[used] = 0;
    return line;
}

int main(void)
{
    char *line = read_line(8);

    if (!line)
        return 1;
    if (line[0] == '#') {
        free(line);
        return 0;
    }
    free(line);
    return 0;
}

// project: inih
// files: ini.c
// flags: -DN=3 -DINI_USE_STACK=0 -DINI_ALLOW_REALLOC=1 -DINI_INITIAL_ALLOC=3 -DINI_MAX_LINE=6
// revisions: 0027..
// ini_parse_stream with a line on the heap that grows from 3 to 6 bytes, of any N characters but zero in memory.
#include "ini.h"
#include "handler.h"
#include "memory.h"

int main(void)
{
    char text[N];
    struct memory m = { text, N };
    size_t seen = 0;

    for (int i = 0; i < N; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (text[i] == '\0')
            return 0;
    }
    ini_parse_stream(read_line, &m, handler, &seen);
    return 0;
}

// project: inih
// files: ini.c
// flags: -DN=4
// revisions: 0000..0005 -DAPI=1
// revisions: 0006..0016 -DAPI=2
// revisions: 0017.. -DAPI=3
// ini_parse_stream of any N characters but zero in memory. Before 0017 it was ini_parse_file, and before 0006 ini_parse: there the harness brings
// its own files.
#include <stdio.h>
#include "ini.h"
#include "handler.h"
#include "memory.h"

#if API < 3
char *fgets(char *line, int size, FILE *file)
{
    return read_line(line, size, file);
}
#endif
#if API == 1
static struct memory the_file;

FILE *fopen(const char *name, const char *mode)
{
    (void)name;
    (void)mode;
    return (FILE *)&the_file;
}

int fclose(FILE *file)
{
    (void)file;
    return 0;
}
#endif

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
#if API == 1
    the_file = m;
    ini_parse("name", handler, &seen);
#elif API == 2
    ini_parse_file((FILE *)&m, handler, &seen);
#else
    ini_parse_stream(read_line, &m, handler, &seen);
#endif
    return 0;
}

// Reads the options of a command line.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define WORDS 4

struct settings {
    bool verbose;
    const char *output;
    int files;
};

static int parse(int argc, char **argv, struct settings *s)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            s->verbose = true;
        } else if (strcmp(argv[i], "-o") == 0) {
            if (++i == argc)
                return -1;
            s->output = argv[i];
        } else if (argv[i][0] == '-') {
            return -1;
        } else {
            s->files++;
        }
    }
    return 0;
}

int main(void)
{
    static char name[] = "tool", verbose[] = "-v", output[] = "-o", file[] = "a.c", other[] = "-x";
    char *const words[] = {verbose, output, file, other};
    char *argv[WORDS + 1] = {name};
    struct settings s = {false, NULL, 0};
    int argc = 1;

    while (argc < WORDS) {
        argv[argc++] = words[__VERIFIER_nondet_uint() % 4];
    }
    argv[argc] = NULL;
    if (parse(argc, argv, &s) != 0)
        return 0;
    assert(s.files >= 0 && s.files < WORDS);
    if (strcmp(argv[1], "-o") == 0) {
        assert(s.output != NULL && s.files <= 1);
    }
    if (strcmp(argv[argc - 1], "-o") == 0)
        assert(strlen(s.output) >= 2);
    return 0;
}

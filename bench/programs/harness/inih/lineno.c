// project: inih
// files: ini.c
// flags: -DN=4 -DINI_HANDLER_LINENO=1 -DINI_CALL_HANDLER_ON_NEW_SECTION=1 -DINI_ALLOW_NO_VALUE=1 -DINI_STOP_ON_FIRST_ERROR=1
// revisions: 0026..
// ini_parse_string with everything that can be switched on.
#include "ini.h"
#include "handler.h"

int main(void)
{
    char text[N + 1];
    size_t seen = 0;

    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    ini_parse_string(text, handler, &seen);
    return 0;
}

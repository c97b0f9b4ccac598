// expect: unsafe 8
// check: memory
// target: ilp32
// fails: memory

#include <stdarg.h>
#include <stdio.h>
static void say(const char *f, ...) { va_list a; va_start(a, f); vprintf(f, a); va_end(a); }
int main(void) { say("%s\n"); return 0; }

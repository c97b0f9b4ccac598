// A parameter is either.
// expect: unsafe 5
// args: --entry f
#include <assert.h>
void f(_Bool b) { assert(!b); }

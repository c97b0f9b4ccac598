/* The first revisions of sds take their allocator from here. */
#include <stdlib.h>
#define zmalloc(n) malloc(n)
#define zcalloc(n) calloc(1, n)
#define zrealloc(p, n) realloc(p, n)
#define zfree(p) free(p)

#include "check.h"
#include <arpa/inet.h>
#include <strings.h>
#include <unistd.h>

#undef htonl
#undef htons
#undef ntohl
#undef ntohs
MODEL(memcmp);
MODEL(memmem);
MODEL(memccpy);
MODEL(mempcpy);
MODEL(bcopy);
MODEL(bzero);
MODEL(explicit_bzero);
MODEL(swab);
MODEL(htonl);
MODEL(htons);
MODEL(ntohl);
MODEL(ntohs);
int m_bcmp(const void *, const void *, size_t);
void *m_memchr(const void *, int, size_t);
void *m_memrchr(const void *, int, size_t);
void *m_rawmemchr(const void *, int);
void *m___mempcpy(void *, const void *, size_t);

static void run(void)
{
    int n = below(10), m = below(4), c = below(4) - 1;
    char *a = block(n), *b = block(n), *w = block(m), x[32], y[32];
    for (int i = 0; i < n; i++)
        a[i] = (char)(below(3) - 1), b[i] = below(6) ? a[i] : (char)below(256);
    for (int i = 0; i < m; i++)
        w[i] = (char)(below(3) - 1);
    for (int i = 0; i < 32; i++)
        x[i] = y[i] = (char)below(256);
    CHECK(sign_of(m_memcmp(a, b, n)) == sign_of(memcmp(a, b, n)), "%d", n);
    CHECK((m_bcmp(a, b, n) != 0) == (memcmp(a, b, n) != 0), "%d", n);
    CHECK(m_memchr(a, c, n) == memchr(a, c, n), "%d", c);
    CHECK(m_memrchr(a, c, n) == memrchr(a, c, n), "%d", c);
    if (memchr(a, c, n))
        CHECK(m_rawmemchr(a, c) == memchr(a, c, n), "%d", c);
    CHECK(m_memmem(a, n, w, m) == memmem(a, n, w, m), "%d %d", n, m);

    char *p = memccpy(x, a, c, n), *q = m_memccpy(y, a, c, n);
    CHECK((p ? p - x : -1) == (q ? q - y : -1) && memcmp(x, y, 32) == 0, "%d", c);
    CHECK(m_mempcpy(y, a, n) == y + n && m___mempcpy(y, a, n) == y + n, "%d", n);
    memcpy(x, a, n);
    CHECK(memcmp(x, y, 32) == 0, "%d", n);
    int from = below(20), to = below(20);
    bcopy(x + from, x + to, n), m_bcopy(y + from, y + to, n);
    CHECK(memcmp(x, y, 32) == 0, "%d %d %d", from, to, n);
    swab(a, x + 1, n), m_swab(a, y + 1, n);
    CHECK(memcmp(x, y, 32) == 0, "%d", n);
    m_swab(a, y + 1, -3);
    CHECK(memcmp(x, y, 32) == 0, "negative");
    bzero(x + 3, n), m_bzero(y + 3, n);
    CHECK(memcmp(x, y, 32) == 0, "%d", n);
    explicit_bzero(x + 9, n), m_explicit_bzero(y + 9, n);
    CHECK(memcmp(x, y, 32) == 0, "%d", n);
    unsigned v = (unsigned)next_random();
    CHECK(m_htonl(v) == htonl(v) && m_ntohl(v) == ntohl(v), "%u", v);
    CHECK(m_htons((unsigned short)v) == htons((unsigned short)v), "%u", v);
    CHECK(m_ntohs((unsigned short)v) == ntohs((unsigned short)v), "%u", v);
    free(a), free(b), free(w);
}

int main(void)
{
    for (int i = 0; i < 5000; i++)
        run();
    return finish();
}

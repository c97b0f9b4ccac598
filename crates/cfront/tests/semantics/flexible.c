/* Flexible array members and zero-length arrays: allocated, copied, static. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    int length;
    char tag;
    short data[];
};
struct message {
    unsigned size;
    unsigned char bytes[0];
};

static struct buffer constant = {3, 'c', {10, 20, 30}};

static struct buffer *make(int n, char tag)
{
    struct buffer *b = malloc(sizeof *b + n * sizeof b->data[0]);
    b->length = n;
    b->tag = tag;
    for (int i = 0; i < n; i++)
        b->data[i] = i * i;
    return b;
}

static struct buffer *append(struct buffer *b, short x)
{
    struct buffer *r = malloc(sizeof *r + (b->length + 1) * sizeof(short));
    memcpy(r, b, sizeof *b + b->length * sizeof(short));
    r->data[r->length++] = x;
    free(b);
    return r;
}

static long sum(const struct buffer *b)
{
    long s = 0;
    for (const short *p = b->data; p < b->data + b->length; p++)
        s += *p;
    return s;
}

int main(void)
{
    printf("%zu %zu %ld\n", sizeof(struct buffer), sizeof(struct message), sum(&constant));
    struct buffer *b = make(5, 'x');
    for (int i = 0; i < 4; i++)
        b = append(b, 100 + i);
    printf("%d %c %ld %d\n", b->length, b->tag, sum(b), b->data[8]);
    struct buffer head = *b;
    printf("%d %c\n", head.length, head.tag);
    free(b);
    struct message *m = malloc(sizeof *m + 10);
    m->size = 10;
    memset(m->bytes, 0xab, m->size);
    m->bytes[9] = 1;
    unsigned total = 0;
    for (unsigned i = 0; i < m->size; i++)
        total += m->bytes[i];
    printf("%u\n", total);
    free(m);
    return (int)((char *)constant.data - (char *)&constant);
}

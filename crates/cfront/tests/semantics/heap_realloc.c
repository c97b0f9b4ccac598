/* malloc, calloc, realloc, free: growing vectors, matrices, null pointers, zeroed memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector { int *data; size_t length, capacity; };

static void append(struct vector *v, int x)
{
    if (v->length == v->capacity) {
        v->capacity = v->capacity ? v->capacity * 2 : 2;
        v->data = realloc(v->data, v->capacity * sizeof *v->data);
    }
    v->data[v->length++] = x;
}

static double **matrix(int n, int m)
{
    double **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        rows[i] = calloc(m, sizeof **rows);
        for (int k = 0; k < m; k += 2)
            rows[i][k] = i + k * 0.5;
    }
    return rows;
}

static char *join(const char *const *words, int n)
{
    char *s = NULL;
    size_t length = 0;
    for (int i = 0; i < n; i++) {
        size_t add = strlen(words[i]);
        s = realloc(s, length + add + 2);
        if (i)
            s[length++] = '-';
        memcpy(s + length, words[i], add + 1);
        length += add;
    }
    return s;
}

int main(void)
{
    struct vector v = {0};
    for (int i = 0; i < 100; i++)
        append(&v, i * i);
    long sum = 0;
    for (size_t i = 0; i < v.length; i++)
        sum += v.data[i];
    printf("%zu %zu %ld\n", v.length, v.capacity, sum);
    v.data = realloc(v.data, 3 * sizeof *v.data);
    printf("%d %d %d\n", v.data[0], v.data[1], v.data[2]);
    free(v.data);
    double **m = matrix(3, 5);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 5; k++)
            printf("%g ", m[i][k]);
        free(m[i]);
    }
    free(m);
    printf("\n");
    const char *const words[] = {"one", "two", "three"};
    char *s = join(words, 3);
    printf("%s\n", s);
    free(s);
    free(NULL);
    unsigned char *zero = calloc(16, 4);
    int any = 0;
    for (int i = 0; i < 64; i++)
        any |= zero[i];
    free(zero);
    struct { int tag; char text[12]; } *record = malloc(sizeof *record), *copy = malloc(sizeof *record);
    record->tag = 5;
    strcpy(record->text, "record");
    *copy = *record;
    memset(record, 0, sizeof *record);
    free(record);
    printf("%d %d %s\n", any, copy->tag, copy->text);
    int tag = copy->tag;
    free(copy);
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *a = 1, *b = 2;
    printf("%d\n", a != b);
    free(a), free(b);
    return tag;
}

/* qsort and bsearch with callbacks: numbers, strings, structs; stable where glibc is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { const char *name; int age; double height; };

static int comparisons;
static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    comparisons++;
    return (x > y) - (x < y);
}
static int descending(const void *a, const void *b) { return by_int(b, a); }
static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static int by_age(const void *a, const void *b)
{
    const struct person *p = a, *q = b;
    return p->age - q->age;
}
static int by_char(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int key_to_person(const void *key, const void *element)
{
    return strcmp(key, ((const struct person *)element)->name);
}
static int by_name(const void *a, const void *b) { return key_to_person(((const struct person *)a)->name, b); }

static void show(const int *a, int n)
{
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
}

int main(void)
{
    int a[] = {5, -3, 9, 0, 5, 2147483647, -2147483647 - 1, 1};
    qsort(a, 8, sizeof *a, by_int);
    show(a, 8);
    qsort(a, 8, sizeof *a, descending);
    show(a, 8);
    qsort(a + 2, 3, sizeof *a, by_int);
    show(a, 8);
    qsort(a, 0, sizeof *a, by_int), qsort(a, 1, sizeof *a, by_int);
    const char *words[] = {"pear", "apple", "fig", "", "apples"};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++)
        printf("'%s' ", words[i]);
    struct person people[] = {{"bob", 30, 1.8}, {"al", 25, 1.7}, {"cy", 30, 1.6}, {"di", 25, 1.5}, {"ed", 27, 1.9}};
    qsort(people, 5, sizeof *people, by_age);
    for (int i = 0; i < 5; i++)
        printf("%s,%d,%g ", people[i].name, people[i].age, people[i].height);
    qsort(people, 5, sizeof *people, by_name);
    struct person *found = bsearch("cy", people, 5, sizeof *people, key_to_person);
    printf("%s %d %d\n", found->name, (int)(found - people), bsearch("zz", people, 5, sizeof *people, key_to_person) == 0);
    char text[] = "the quick brown fox";
    qsort(text, strlen(text), 1, by_char);
    printf("%s\n", text);
    int squares[20];
    for (int i = 0; i < 20; i++)
        squares[i] = i * i;
    int hits = 0;
    for (int key = 0; key < 400; key++)
        hits += bsearch(&key, squares, 20, sizeof *squares, by_int) != 0;
    unsigned seed = 1;
    int many[60];
    for (int i = 0; i < 60; i++)
        many[i] = (int)((seed = seed * 1103515245 + 12345) >> 16 & 1023);
    qsort(many, 60, sizeof *many, by_int);
    int ordered = 1;
    for (int i = 1; i < 60; i++)
        ordered &= many[i - 1] <= many[i];
    printf("%d %d %d %d\n", many[0], many[59], ordered, comparisons > 100);
    return hits;
}

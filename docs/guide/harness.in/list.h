struct node {
    int key;
    struct node *next;
};

/* Keeps a list in ascending order. */
struct node *insert(struct node *head, struct node *n);

struct s {
    int x;
    int y;
};
struct s f(struct s a) {
    a.x++;
    return a;
}

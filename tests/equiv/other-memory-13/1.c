// expect: different
// function: f
struct s {
    int x;
    int y;
};
struct s f(struct s a) {
    a.y++;
    return a;
}

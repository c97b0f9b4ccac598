// expect: equivalent
// function: f
// integers: unbounded
/*@ rel_in (and (= x$1 x$2) (= y$1 y$2)) @*/
int f(int x, int y) { return x - y; }

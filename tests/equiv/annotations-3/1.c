// expect: equivalent
// function: f
// integers: unbounded
/*@ rel_out (= result$1 (- result$2)) @*/
int f(int x, int y) { return x - y; }

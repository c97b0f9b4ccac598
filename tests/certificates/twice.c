// Coupled loops.
// holds: equiv twice-new.c
//   proof: equivalent
// holds: equiv twice-new.c --int unbounded
//   integers: "unbounded"
// fails: equiv twice-bad.c
int f(int n) {
    int s = 0;
    for (int k = 0; k < n; k++) s = s + 2 * k;
    return s;
}

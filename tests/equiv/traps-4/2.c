long long f(long long x, long long y) { return y == -1 ? -x : x / y; }

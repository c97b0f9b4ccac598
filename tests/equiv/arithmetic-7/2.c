long f(long *p) { return (long)p + 8; }

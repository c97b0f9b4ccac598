int f(short s) { return (unsigned short)s >> 1; }

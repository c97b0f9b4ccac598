#include <assert.h>

int clamp(int x, int low, int high) {
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}

int sensor(void);

int main(void) {
    int percent = clamp(sensor(), 0, 100);
    assert(percent >= 0 && percent <= 100);
    return 0;
}

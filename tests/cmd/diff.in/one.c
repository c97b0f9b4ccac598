int limit = 3;

int main(void) {
    return limit;
}

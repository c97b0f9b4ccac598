/* The crc32 instruction of x86, of which only builtins know. */
#include <stdio.h>
__attribute__((target("sse4.2"))) int main(void)
{
    unsigned c = 0x12345678;
    c = __builtin_ia32_crc32qi(c, 0xab);
    printf("%x\n", c);
    c = __builtin_ia32_crc32hi(c, 0xbeef);
    printf("%x\n", c);
    c = __builtin_ia32_crc32si(c, 0xdeadbeef);
    printf("%x\n", c);
    printf("%llx\n", (unsigned long long)__builtin_ia32_crc32di(c, 0x0123456789abcdefull));
    return 0;
}

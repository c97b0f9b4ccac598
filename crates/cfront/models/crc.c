/* The crc32 instruction: one step for each bit, with the polynomial of Castagnoli, bits reversed. */
static unsigned int crc32c(unsigned int crc, unsigned long long data, int bits)
{
    crc ^= (unsigned int)data;
    for (int i = 0; i < bits; i++)
        crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
    return crc;
}

unsigned int __builtin_ia32_crc32qi(unsigned int crc, unsigned char data)
{
    return crc32c(crc, data, 8);
}

unsigned int __builtin_ia32_crc32hi(unsigned int crc, unsigned short data)
{
    return crc32c(crc, data, 16);
}

unsigned int __builtin_ia32_crc32si(unsigned int crc, unsigned int data)
{
    return crc32c(crc, data, 32);
}

unsigned long long __builtin_ia32_crc32di(unsigned long long crc, unsigned long long data)
{
    return crc32c(crc32c((unsigned int)crc, data, 32), data >> 32, 32);
}

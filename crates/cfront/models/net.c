/* Byte order of the network (arpa/inet.h); the targets are little-endian. */

unsigned int htonl(unsigned int x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

unsigned int ntohl(unsigned int x)
{
    return htonl(x);
}

unsigned short htons(unsigned short x)
{
    return (unsigned short)(x << 8 | x >> 8);
}

unsigned short ntohs(unsigned short x)
{
    return htons(x);
}

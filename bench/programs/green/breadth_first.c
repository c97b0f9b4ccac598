// Distances in a graph, breadth first.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <string.h>
extern _Bool __VERIFIER_nondet_bool(void);
#define N 4
static bool edge[N][N];
static int dist[N];

static void bfs(int s)
{
    int q[N], head = 0, tail = 0;
    for (int i = 0; i < N; i++)
        dist[i] = -1;
    dist[s] = 0;
    q[tail++] = s;
    while (head < tail) {
        int u = q[head++];
        for (int v = 0; v < N; v++)
            if (edge[u][v] && dist[v] < 0) {
                dist[v] = dist[u] + 1;
                q[tail++] = v;
            }
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            edge[i][j] = __VERIFIER_nondet_bool();
    bfs(0);
    for (int u = 0; u < N; u++)
        for (int v = 0; v < N; v++)
            if (edge[u][v] && dist[u] >= 0)
                assert(dist[v] >= 0 && dist[v] <= dist[u] + 1);
}

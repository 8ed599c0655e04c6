/* Trains three instances of test_sanitizers.deep() in three threads that share a pool of four. */

#include "deep.h"
#include "deep_threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static deep_pool *pool;
static float data[64 * 20 * 32], label[64];

static void *train(void *result) {
    size_t bytes = deep_bytes(4);
    char *block = (char *)malloc(bytes + 64);
    double loss = 0.0;
    deep *net;
    int k;
    if (deep_init(block + 64 - (size_t)block % 64, bytes, &net) == DEEP_OK &&
        deep_use_threads(net, 4, deep_pool_run, pool) == DEEP_OK) {
        for (k = 0; k < 6; k++) {
            deep_step(net, data, label, &loss);
        }
    }
    *(double *)result = loss;
    free(block);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    double losses[3];
    int k;
    for (k = 0; k < 64 * 20 * 32; k++) {
        data[k] = (float)(k % 13) / 13.0f;
    }
    pool = deep_pool_start(4);
    for (k = 0; k < 2; k++) {
        pthread_create(&threads[k], NULL, train, &losses[k]);
    }
    train(&losses[2]);
    for (k = 0; k < 2; k++) {
        pthread_join(threads[k], NULL);
    }
    deep_pool_stop(pool);
    printf("%s\n", losses[0] == losses[1] && losses[1] == losses[2] && losses[0] > 0.0 ? "same" : "different");
    return 0;
}

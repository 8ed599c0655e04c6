/* Calls every function of the library of nets.mlp() with Adam, rightly and wrongly, for sanitizers and valgrind. */

#include "mlp.h"
#include "mlp_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define CHECK(call, code)                                                        \
    do {                                                                         \
        mlp_code got_ = (call);                                                  \
        if (got_ != (code)) {                                                    \
            printf("line %d: %s instead of %s\n", __LINE__, mlp_text(got_), mlp_text(code)); \
            return 1;                                                            \
        }                                                                        \
    } while (0)

static void *room(size_t bytes, void **block) {
    *block = malloc(bytes + 64);
    memset(*block, 0x5a, bytes + 64);
    return (char *)*block + 64 - (uintptr_t)*block % 64;
}

int main(void) {
    size_t one = mlp_bytes(1), three = mlp_bytes(3), state_bytes = mlp_save_state_bytes(), save_bytes = mlp_save_bytes(), i;
    void *blocks[3];
    void *memory = room(one, blocks), *other = room(three, blocks + 1);
    /* exactly as long as they must be, so that sanitizers see every access beyond their ends */
    float *data = (float *)malloc(19 * 6 * sizeof(float)), *label = (float *)malloc(19 * sizeof(float));
    float *out = (float *)malloc(19 * 2 * sizeof(float));
    unsigned char *state = (unsigned char *)malloc(state_bytes), *again = (unsigned char *)malloc(state_bytes);
    double loss = 0, same = 0, results[MLP_STATISTICS], value = 0;
    mlp_pool *pool = mlp_pool_start(3);
    mlp *net, *net2;
    int k;
    for (k = 0; k < 19 * 6; k++) {
        data[k] = (float)(k * 7 % 13) / 13.0f - 0.5f;
    }
    for (k = 0; k < 19; k++) {
        label[k] = (float)(k % 2);
    }
    CHECK(mlp_init(NULL, one, &net), MLP_ERROR_NULL);
    CHECK(mlp_init((char *)memory + 4, one, &net), MLP_ERROR_UNALIGNED);
    CHECK(mlp_init(memory, one - 1, &net), MLP_ERROR_SIZE);
    CHECK(mlp_predict((mlp *)other, data, 1, out), MLP_ERROR_NO_INSTANCE);
    CHECK(mlp_init(memory, one, &net), MLP_OK);
    CHECK(mlp_init_drawn(other, three, 3, &net2), MLP_OK);
    CHECK(mlp_use_threads(net2, 3, mlp_pool_run, pool), MLP_OK);
    CHECK(mlp_use_threads(net, 3, mlp_pool_run, pool), MLP_ERROR_SIZE);
    for (k = 0; k < 5; k++) {
        CHECK(mlp_step(net, data, label, &loss), MLP_OK);
    }
    CHECK(mlp_save_state(net, state, state_bytes), MLP_OK);
    CHECK(mlp_save(net, state, save_bytes - 1), MLP_ERROR_SIZE);
    CHECK(mlp_load(net2, state, state_bytes), MLP_OK);
    CHECK(mlp_step(net, data, label, &loss), MLP_OK);
    CHECK(mlp_step(net2, data, label, &same), MLP_OK);
    CHECK(mlp_save_state(net, state, state_bytes), MLP_OK);
    CHECK(mlp_save_state(net2, again, state_bytes), MLP_OK);
    if (loss != same || memcmp(state, again, state_bytes) != 0 || mlp_iteration(net2) != 6) {
        printf("threads or loading changed something\n");
        return 1;
    }
    for (i = 0; i < state_bytes; i += 97) {
        again[i] ^= 4;
        if (mlp_load(net, again, state_bytes) == MLP_OK) {
            printf("byte %d was changed, and nothing seen\n", (int)i);
            return 1;
        }
        again[i] ^= 4;
    }
    CHECK(mlp_load(net, again, 10), MLP_ERROR_OTHER);
    CHECK(mlp_evaluate(net, data, label, 19, results), MLP_OK);
    CHECK(mlp_evaluate(net, data, label, 0, results), MLP_ERROR_COUNT);
    for (k = 0; k <= 19; k++) {
        CHECK(mlp_predict(net, data, k, out), MLP_OK);
    }
    label[3] = 2.0f;
    CHECK(mlp_step(net, data, label, &loss), MLP_ERROR_LABEL);
    label[3] = 1e30f;
    CHECK(mlp_step(net, data, label, &loss), MLP_ERROR_LABEL);
    CHECK(mlp_step(net, data, NULL, &loss), MLP_ERROR_NULL);
    CHECK(mlp_set_scalar(net, "lr", -1), MLP_ERROR_SCALAR);
    CHECK(mlp_set_scalar(net, "l", 1), MLP_ERROR_NAME);
    CHECK(mlp_set_scalar(net, "lr", 0.125), MLP_OK);
    CHECK(mlp_get_scalar(net, "lr", &value), MLP_OK);
    mlp_pool_stop(pool);
#if defined(__x86_64__)
    label[3] = 1.0f;
    _mm_setcsr(_mm_getcsr() | 0x6000u); /* round to zero */
    CHECK(mlp_use_threads(net2, 1, NULL, NULL), MLP_OK);
    CHECK(mlp_step(net2, data, label, &loss), MLP_OK);
    if ((_mm_getcsr() & 0xffc0u) != (0x1f80u | 0x6000u)) {
        printf("the floating-point mode was changed\n");
        return 1;
    }
#endif
    for (k = 0; k < 2; k++) {
        free(blocks[k]);
    }
    free(data);
    free(label);
    free(out);
    free(state);
    free(again);
    printf("done %g\n", value);
    return 0;
}

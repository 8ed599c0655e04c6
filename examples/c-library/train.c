/* train: trains on a CSV file, a line for each image: the digit, then 64 numbers from 0 to 16.

     ./train digits.csv 10 digits.safetensors      10 epochs; Python's program.load() reads the file, too */

#include "digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = DIGITS_ELEMS_IMAGE, BATCH = DIGITS_BATCH };

typedef struct {
    float *images, *labels;
    int64_t n;
} samples;

static samples read_csv(const char *path) {
    samples read = {NULL, NULL, 0};
    FILE *file = fopen(path, "r");
    int64_t room = 0;
    float label;
    int k;
    while (file != NULL && fscanf(file, "%f", &label) == 1) {
        if (read.n == room) {
            room = room ? 2 * room : 1024;
            read.images = (float *)realloc(read.images, (size_t)(room * PIXELS) * sizeof(float));
            read.labels = (float *)realloc(read.labels, (size_t)room * sizeof(float));
        }
        read.labels[read.n] = label;
        for (k = 0; k < PIXELS; k++) {
            if (fscanf(file, ",%f", &read.images[read.n * PIXELS + k]) != 1) {
                fprintf(stderr, "%s: line %d is too short\n", path, (int)read.n + 1);
                exit(1);
            }
            read.images[read.n * PIXELS + k] /= 16.0f;
        }
        read.n++;
    }
    if (file != NULL) {
        fclose(file);
    }
    return read;
}

/* The next random number: Marsaglia's xorshift. */
static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int main(int argc, char **argv) {
    static float images[BATCH * PIXELS], labels[BATCH];
    size_t bytes = digits_bytes(1), saved_bytes = digits_save_bytes();
    char *block = (char *)malloc(bytes + DIGITS_ALIGNMENT);
    char *memory = block + DIGITS_ALIGNMENT - (uintptr_t)block % DIGITS_ALIGNMENT;
    samples all = argc == 4 ? read_csv(argv[1]) : (samples){NULL, NULL, 0};
    int epochs = argc == 4 ? atoi(argv[2]) : 0, epoch, k;
    uint64_t state = 88172645463325252u;
    double loss = 0.0, results[DIGITS_STATISTICS];
    digits *net;
    digits_code code = digits_init(memory, bytes, &net);
    void *saved = malloc(saved_bytes);
    FILE *file;
    int64_t done;
    if (all.n == 0) {
        fprintf(stderr, "usage: train FILE.csv EPOCHS OUT.safetensors\n");
        return 2;
    }
    for (epoch = 1; epoch <= epochs && code == DIGITS_OK; epoch++) {
        for (done = 0; done + BATCH <= all.n && code == DIGITS_OK; done += BATCH) {
            for (k = 0; k < BATCH; k++) {
                int64_t i = (int64_t)(next(&state) % (uint64_t)all.n);
                memcpy(images + k * PIXELS, all.images + i * PIXELS, PIXELS * sizeof(float));
                labels[k] = all.labels[i];
            }
            code = digits_step(net, images, labels, &loss);
        }
        if (code == DIGITS_OK) {
            code = digits_evaluate(net, all.images, all.labels, all.n, results);
            printf("epoch %d: loss %.4f, accuracy %.3f\n", epoch, results[DIGITS_STATISTIC_LOSS],
                   results[DIGITS_STATISTIC_ACCURACY_ACCURACY]);
        }
    }
    if (code == DIGITS_OK) {
        code = digits_save(net, saved, saved_bytes);
    }
    if (code != DIGITS_OK) {
        fprintf(stderr, "%s\n", digits_text(code));
        return 1;
    }
    file = fopen(argv[3], "wb");
    if (file == NULL || fwrite(saved, 1, saved_bytes, file) != saved_bytes || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", argv[3]);
        return 1;
    }
    free(saved);
    free(all.images);
    free(all.labels);
    free(block);
    return 0;
}

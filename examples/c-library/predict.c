/* predict: reads an image of a digit from standard input, 64 numbers from 0 to 16 as text, and prints the digit.

     ./predict digits.safetensors < image.txt */

#include "digits.h"

#include <stdio.h>
#include <stdlib.h>

/* The content of a file; NULL if it cannot be read. */
static void *content_of(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    void *content = NULL;
    long end;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) > 0) {
        rewind(file);
        *bytes = (size_t)end;
        content = malloc(*bytes);
        if (content != NULL && fread(content, 1, *bytes, file) != *bytes) {
            free(content);
            content = NULL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return content;
}

int main(int argc, char **argv) {
    size_t bytes = digits_bytes(1), saved_bytes = 0;
    char *block = (char *)malloc(bytes + DIGITS_ALIGNMENT);
    char *memory = block + DIGITS_ALIGNMENT - (uintptr_t)block % DIGITS_ALIGNMENT;
    void *saved = argc > 1 ? content_of(argv[1], &saved_bytes) : NULL;
    float image[DIGITS_ELEMS_IMAGE], digit[DIGITS_ELEMS_DIGIT];
    digits *net;
    digits_code code = saved != NULL ? digits_init_saved(memory, bytes, saved, saved_bytes, &net)
                                     : digits_init(memory, bytes, &net);
    int k, best = 0;
    if (argc > 1 && saved == NULL) {
        fprintf(stderr, "cannot read %s\n", argv[1]);
        return 1;
    }
    for (k = 0; k < DIGITS_ELEMS_IMAGE; k++) {
        if (scanf("%f", &image[k]) != 1) {
            fprintf(stderr, "expected %d numbers, got %d\n", DIGITS_ELEMS_IMAGE, k);
            return 1;
        }
        image[k] /= 16.0f;
    }
    if (code == DIGITS_OK) {
        code = digits_predict(net, image, 1, digit);
    }
    if (code != DIGITS_OK) {
        fprintf(stderr, "%s\n", digits_text(code));
        return 1;
    }
    for (k = 1; k < DIGITS_ELEMS_DIGIT; k++) {
        best = digit[k] > digit[best] ? k : best;
    }
    printf("%d\n", best);
    free(saved);
    free(block);
    return 0;
}

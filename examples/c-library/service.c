/* service: answers requests on standard input, a line each, and learns while it runs.

     predict P1 ... P64        answers: digit D
     learn D P1 ... P64        answers: learnt N, or after every 32nd image: loss L
     rate R                    sets the learning rate; answers: rate R
     bye                       ends

   A wrong request is answered by: error TEXT. */

#include "digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = DIGITS_ELEMS_IMAGE, BATCH = DIGITS_BATCH };

static int read_image(char *text, float *image) {
    int k;
    char *end;
    for (k = 0; k < PIXELS; k++, text = end) {
        image[k] = strtof(text, &end) / 16.0f;
        if (end == text) {
            return 0;
        }
    }
    return 1;
}

static void answer(digits_code code, const char *name, double value) {
    if (code == DIGITS_OK) {
        printf("%s %g\n", name, value);
    } else {
        printf("error %s\n", digits_text(code));
    }
}

int main(void) {
    static float images[BATCH * PIXELS], labels[BATCH], digit[DIGITS_ELEMS_DIGIT];
    size_t bytes = digits_bytes(1);
    char *block = (char *)malloc(bytes + DIGITS_ALIGNMENT), line[4096], *rest;
    char *memory = block + DIGITS_ALIGNMENT - (uintptr_t)block % DIGITS_ALIGNMENT;
    digits *net;
    digits_code code = digits_init(memory, bytes, &net);
    int known = 0, k, best;
    double loss, rate;
    if (code != DIGITS_OK) {
        fprintf(stderr, "%s\n", digits_text(code));
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "bye", 3) != 0) {
        if (strncmp(line, "predict ", 8) == 0 && read_image(line + 8, images + known * PIXELS)) {
            code = digits_predict(net, images + known * PIXELS, 1, digit);
            for (k = 1, best = 0; k < DIGITS_ELEMS_DIGIT; k++) {
                best = digit[k] > digit[best] ? k : best;
            }
            answer(code, "digit", best);
        } else if (strncmp(line, "learn ", 6) == 0) {
            labels[known] = strtof(line + 6, &rest);
            if (!read_image(rest, images + known * PIXELS)) {
                printf("error an image has %d numbers\n", PIXELS);
            } else if (++known < BATCH) {
                answer(DIGITS_OK, "learnt", known);
            } else {
                known = 0;
                code = digits_step(net, images, labels, &loss);
                answer(code, "loss", loss);
            }
        } else if (strncmp(line, "rate ", 5) == 0) {
            rate = strtod(line + 5, NULL);
            answer(digits_set_scalar(net, "lr", rate), "rate", rate);
        } else {
            printf("error no such request\n");
        }
        fflush(stdout);
    }
    free(block);
    return 0;
}

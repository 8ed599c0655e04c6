/* Runs random plans by the native step driver, as runtime/cpu/executor.py does, with kernels in C.

   team_harness THREADS SEED COUNT [unsynced | short]

   Each plan has rows that read what others wrote, in this step or the one before, feeds, hyperparameters, scalars and
   loops over time; every table is an allocation of its own, which is freed as soon as the driver returns. Two callers
   share the team. Results must be those of plain loops. "unsynced" leaves the barriers out that rows need, "short" the
   last line of the table of feeds. native_driver.py compiles it with a sanitizer, beside the driver's instrumented text
   and the layout of the tables. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "layout.h"

typedef long long word;
void mochac_run(void *job);
void *mochac_worker(void *box);

enum { ROWS = 7, TRIPS = 4, STEPS = 3, SCRATCH = 256, PLACE = 128 };
typedef struct { int n, n_in, salt; double *hyper; } Spec;
typedef struct { int items, reads, cap, sync, back, trips, meet, looped; double *data; Spec *spec; void **args; word *strides; } Line;
typedef struct { unsigned long state; int threads, n_rows, n_steps, n_feeds, feed_n; Line rows[ROWS]; double block[1]; double **feeds; double *table; } Plan;
static char *team;
static int unsynced, too_short;

static int drawn(Plan *p, int n) { p->state = p->state * 6364136223846793005ul + 1442695040888963407ul; return (int)(p->state >> 33) % n; }
static void *exact(size_t n) { void *at = calloc(1, n ? n : 1); if (!at) abort(); return at; }

/* args: result, what is read, a feed, the Spec. */
static void kernel(void **args, word from, word to, double *scratch) {
    double *out = args[0], *in = args[1], *feed = args[2];
    Spec *spec = args[3];
    for (word i = from; i < to; i++) {
        scratch[i % 8] = in[(i * 7 + spec->salt) % spec->n_in];
        out[i] = 0.5 * scratch[i % 8] + feed[i % 3] + spec->hyper[0] + (double)i;
    }
}

static size_t slice(Line *row) { return (size_t)row->items; }

/* Where row r begins to read, and how far on with each trip. Slice 0 of a buffer never changes. */
static double *read_from(Plan *p, int r, word *stride) {
    Line *row = &p->rows[r], *from = &p->rows[row->reads];
    int together = row->looped && row->looped == from->looped;
    *stride = together ? (word)(8 * slice(from)) : 0;
    if (together) return from->data + (row->reads < r ? slice(from) : 0);
    return from->data + slice(from) * (size_t)from->trips;
}

static void draw(Plan *p, unsigned long seed, int threads) {
    int written[ROWS] = {0}, read[ROWS] = {0};
    memset(p, 0, sizeof *p);
    p->state = seed * 977 + 13; drawn(p, 2);
    p->threads = threads; p->n_rows = 2 + drawn(p, ROWS - 1); p->n_steps = 1 + drawn(p, STEPS);
    p->n_feeds = 1 + drawn(p, 2); p->feed_n = 4;
    int first = drawn(p, p->n_rows), length = drawn(p, 3) ? 1 + drawn(p, p->n_rows - first) : 0, trips = 2 + drawn(p, TRIPS - 1);
    int alone = drawn(p, 4) == 0;
    for (int r = 0; r < p->n_rows; r++) {
        Line *row = &p->rows[r];
        row->looped = r >= first && r < first + length;
        row->trips = row->looped ? trips : 1;
        row->items = 1 + drawn(p, 40); row->cap = row->looped && alone ? 1 : 1 + drawn(p, threads);
        row->reads = drawn(p, p->n_rows);
        if (row->reads == r && !row->looped) row->reads = (r + 1) % p->n_rows;
        row->data = exact(8 * slice(row) * (size_t)(row->trips + 1));
        for (size_t k = 0; k < slice(row) * (size_t)(row->trips + 1); k++) row->data[k] = (double)(k % 5);
    }
    for (int r = 0; r < p->n_rows; r++) {
        Line *row = &p->rows[r];
        if (row->looped && r == first + length - 1) { row->back = length; row->meet = !alone; }
        int needs = written[row->reads] || read[r] || (r > 0 && (r == first || r == first + length));
        if (needs) { memset(written, 0, sizeof written); memset(read, 0, sizeof read); }
        row->sync = r > 0 && needs && !unsynced;
        written[r] = read[row->reads] = 1;
        row->spec = exact(sizeof(Spec));
        *row->spec = (Spec){row->items, p->rows[row->reads].items, drawn(p, 9), p->block};
        row->args = exact(4 * sizeof(void *)); row->strides = exact(4 * sizeof(word));
        row->args[0] = row->data + slice(row); row->strides[0] = (word)(8 * slice(row));
        row->args[1] = read_from(p, r, &row->strides[1]);
        row->args[3] = row->spec;
    }
    int lines = p->n_steps + !too_short;
    p->feeds = exact((size_t)(lines * p->n_feeds) * sizeof(double *)); p->table = exact(8 * (size_t)p->n_steps);
    for (int k = 0; k < lines * p->n_feeds; k++) {
        p->feeds[k] = exact(8 * (size_t)p->feed_n);
        for (int i = 0; i < p->feed_n; i++) p->feeds[k][i] = 0.25 * (k + i);
    }
    for (int s = 0; s < p->n_steps; s++) p->table[s] = 3.0 * s;
}

static void discard(Plan *p) {
    for (int r = 0; r < p->n_rows; r++) { free(p->rows[r].data); free(p->rows[r].spec); free(p->rows[r].args); free(p->rows[r].strides); }
    for (int k = 0; k < (p->n_steps + !too_short) * p->n_feeds; k++) free(p->feeds[k]);
    free(p->feeds); free(p->table);
}

static int feed_of(Plan *p, int r) { return r % p->n_feeds; }

/* The plan by plain loops; writes the last row's first result of every step. */
static void by_loops(Plan *p, double *results) {
    double scratch[8];
    for (int s = 0; s < p->n_steps; s++) {
        p->block[0] = p->table[s];
        for (int r = 0, trip = 0; r < p->n_rows;) {
            Line *row = &p->rows[r];
            void *args[4] = {(char *)row->args[0] + trip * row->strides[0], (char *)row->args[1] + trip * row->strides[1],
                             p->feeds[s * p->n_feeds + feed_of(p, r)] + r % 2, row->spec};
            kernel(args, 0, row->items, scratch);
            if (row->back && ++trip < row->trips) r += 1 - row->back;
            else { r++; if (row->back) trip = 0; }
        }
        results[s] = *(double *)p->rows[p->n_rows - 1].args[0];
    }
}

static void by_driver(Plan *p, double *results, int timed) {
    word *job = exact(8 * JOB_WORDS), *rows = exact(8 * (size_t)(ROW_WORDS * p->n_rows)), *patches = exact(8 * 3 * (size_t)p->n_rows);
    word *slots, *scalars = exact(16), *lines = exact(8 * (size_t)p->n_feeds), *ticks = NULL;
    char *scratch = exact((size_t)(SCRATCH * p->threads));
    if (posix_memalign((void **)&slots, 64, 8 * (size_t)(SLOTWORD_WORDS * p->n_rows * p->threads))) abort();
    if (timed) ticks = exact(16 * (size_t)(p->n_steps * p->threads * p->n_rows));
    for (int r = 0; r < p->n_rows; r++) {
        Line *line = &p->rows[r];
        word *row = rows + ROW_WORDS * r, *patch = patches + 3 * r;
        int takers = line->cap < p->threads ? line->cap : p->threads;
        row[ROW_FN] = (word)kernel; row[ROW_ARGS] = (word)line->args; row[ROW_ITEMS] = line->items; row[ROW_CAP] = line->cap;
        row[ROW_SYNC] = line->sync; row[ROW_GRAIN] = 1 + r % 3; row[ROW_N_ARGS] = 4;
        row[ROW_STRIDES] = line->looped ? (word)line->strides : 0;
        row[ROW_BACK] = line->back; row[ROW_TRIPS] = line->trips; row[ROW_MEET] = line->meet;
        patch[0] = feed_of(p, r); patch[1] = (word)&line->args[2]; patch[2] = 8 * (r % 2);
        for (int t = 0; t < p->threads; t++) {
            word *slot = slots + SLOTWORD_WORDS * (r * p->threads + t), lo = 0, hi = 0;
            if (t < takers) { lo = line->items * t / takers; hi = line->items * (t + 1) / takers; }
            slot[SLOTWORD_LEFT] = slot[SLOTWORD_FULL] = lo | hi << 32;
        }
    }
    scalars[0] = (word)p->rows[p->n_rows - 1].args[0]; scalars[1] = KIND_F64;
    for (int f = 0; f < p->n_feeds; f++) lines[f] = 1;
    job[JOB_TEAM] = (word)team; job[JOB_THREADS] = p->threads; job[JOB_N_STEPS] = p->n_steps; job[JOB_ROWS] = (word)rows;
    job[JOB_N_ROWS] = p->n_rows; job[JOB_FEEDS] = (word)p->feeds; job[JOB_N_FEEDS] = p->n_feeds;
    job[JOB_PATCHES] = (word)patches; job[JOB_N_PATCHES] = p->n_rows; job[JOB_HYPER_TABLE] = (word)p->table;
    job[JOB_HYPER_BYTES] = 8; job[JOB_HYPER_BLOCK] = (word)p->block; job[JOB_SCALARS] = (word)scalars; job[JOB_N_SCALARS] = 1;
    job[JOB_RESULTS] = (word)results; job[JOB_SCRATCH] = (word)scratch; job[JOB_SCRATCH_STRIDE] = SCRATCH;
    job[JOB_TICKS] = (word)ticks; job[JOB_PATIENCE] = p->state % 3 ? 20000 : 0; job[JOB_SLOTS] = (word)slots;
    job[JOB_FEED_LINES] = (word)lines; job[JOB_MOVED] = PLACE;
    mochac_run(job);
    free(job); free(rows); free(patches); free(scalars); free(lines); free(ticks); free(scratch); free(slots);
}

typedef struct { int threads; unsigned long seed; int count, wrong; } Caller;

static void *call(void *given) {
    Caller *c = given;
    for (int k = 0; k < c->count; k++) {
        static _Thread_local Plan one, two;
        double wanted[STEPS], got[STEPS];
        draw(&one, c->seed + (unsigned long)k, c->threads); draw(&two, c->seed + (unsigned long)k, c->threads);
        by_loops(&one, wanted); by_driver(&two, got, k % 3 == 0);
        for (int s = 0; s < one.n_steps; s++) c->wrong += wanted[s] != got[s];
        for (int r = 0; r < one.n_rows; r++)
            c->wrong += memcmp(one.rows[r].data, two.rows[r].data, 8 * slice(&one.rows[r]) * (size_t)(one.rows[r].trips + 1)) != 0;
        discard(&one); discard(&two);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int threads = atoi(argv[1]), count = atoi(argv[3]);
    unsigned long seed = strtoul(argv[2], NULL, 10);
    pthread_t other, worker;
    unsynced = argc > 4 && !strcmp(argv[4], "unsynced"); too_short = argc > 4 && !strcmp(argv[4], "short");
    if (posix_memalign((void **)&team, LINE, MAILBOXES + LINE * (size_t)threads)) return 2;
    memset(team, 0, MAILBOXES + LINE * (size_t)threads);
    for (int t = 1; t < threads; t++) {
        char *box = team + MAILBOXES + LINE * t;
        *(word *)(box + BOX_TEAM) = (word)team;
        if (pthread_create(&worker, NULL, mochac_worker, box)) return 2;
        pthread_detach(worker);
    }
    Caller mine = {threads, seed, count, 0}, others = {threads, seed + 1000000, count, 0};
    if (pthread_create(&other, NULL, call, &others)) return 2;
    call(&mine);
    pthread_join(other, NULL);
    printf("%d plans, %d wrong\n", 2 * count, mine.wrong + others.wrong);
    return mine.wrong + others.wrong > 0;
}

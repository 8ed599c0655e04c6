/* Lets calls that write, open or close files below a folder fail. It is preloaded; failing_disk.py tells it when, by ctypes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FDS = 4096 };
static char folder[4096];
static unsigned char known[FDS];
static int armed, calls, first, code, stays, short_writes, hits;
static char last[256];

void faults_folder(const char *path) { snprintf(folder, sizeof folder, "%s", path); }
void faults_arm(int from, int error, int staying, int shorts) {
    calls = hits = 0; first = from; code = error; stays = staying; short_writes = shorts; armed = 1;
}
int faults_disarm(void) { armed = 0; return calls; }
int faults_hits(void) { return hits; }
const char *faults_last(void) { return last; }

static int inside(int dirfd, const char *path) {
    char full[8192], link[64];
    ssize_t n;
    if (!folder[0] || path == NULL) return 0;
    if (path[0] == '/') return strncmp(path, folder, strlen(folder)) == 0;
    if (dirfd == AT_FDCWD) { if (getcwd(full, sizeof full) == NULL) return 0; }
    else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", dirfd);
        n = readlink(link, full, sizeof full - 1);
        if (n < 0) return 0;
        full[n] = 0;
    }
    return strncmp(full, folder, strlen(folder)) == 0;
}
static int due(const char *what) {
    if (!armed) return 0;
    int k = calls++;
    if (k < first || (k > first && !stays)) return 0;
    if (k == first) snprintf(last, sizeof last, "%s", what);
    hits++;
    return 1;
}
#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL(what) if (!short_writes && due(what)) { errno = code; return -1; }

#define OPENER(NAME)                                                                             \
    int NAME(const char *path, int flags, ...) {                                                 \
        REAL(NAME); va_list a; va_start(a, flags); mode_t m = va_arg(a, mode_t); va_end(a);      \
        int in = inside(AT_FDCWD, path);                                                         \
        if (in) { FAIL("open"); }                                                                \
        int fd = real(path, flags, m); if (fd >= 0 && fd < FDS) known[fd] = (unsigned char)in; return fd; }
#define OPENERAT(NAME)                                                                           \
    int NAME(int d, const char *path, int flags, ...) {                                          \
        REAL(NAME); va_list a; va_start(a, flags); mode_t m = va_arg(a, mode_t); va_end(a);      \
        int in = inside(d, path);                                                                \
        if (in) { FAIL("openat"); }                                                              \
        int fd = real(d, path, flags, m); if (fd >= 0 && fd < FDS) known[fd] = (unsigned char)in; return fd; }
OPENER(open) OPENER(open64) OPENERAT(openat) OPENERAT(openat64)
#define IS(fd) ((fd) >= 0 && (fd) < FDS && known[fd])
ssize_t write(int fd, const void *b, size_t n) {
    REAL(write);
    if (IS(fd)) { if (short_writes) { if (n > 1 && due("write")) n = n / 2; } else { FAIL("write"); } }
    return real(fd, b, n);
}
#define PWRITER(NAME, OFF) ssize_t NAME(int fd, const void *b, size_t n, OFF o) { REAL(NAME);        \
    if (IS(fd)) { if (short_writes) { if (n > 1 && due("pwrite")) n = n / 2; } else { FAIL("pwrite"); } } \
    return real(fd, b, n, o); }
PWRITER(pwrite, off_t) PWRITER(pwrite64, off64_t)
int fsync(int fd) { REAL(fsync); if (IS(fd)) { FAIL("fsync"); } return real(fd); }
int fdatasync(int fd) { REAL(fdatasync); if (IS(fd)) { FAIL("fdatasync"); } return real(fd); }
int ftruncate(int fd, off_t n) { REAL(ftruncate); if (IS(fd)) { FAIL("ftruncate"); } return real(fd, n); }
int ftruncate64(int fd, off64_t n) { REAL(ftruncate64); if (IS(fd)) { FAIL("ftruncate"); } return real(fd, n); }
int close(int fd) {
    REAL(close);
    int in = IS(fd);
    if (in) known[fd] = 0;
    int r = real(fd);
    if (in) { FAIL("close"); }
    return r;
}
int rename(const char *a, const char *b) { REAL(rename); if (inside(AT_FDCWD, b)) { FAIL("rename"); } return real(a, b); }
int renameat(int x, const char *a, int y, const char *b) { REAL(renameat); if (inside(y, b)) { FAIL("renameat"); } return real(x, a, y, b); }
int unlink(const char *a) { REAL(unlink); if (inside(AT_FDCWD, a)) { FAIL("unlink"); } return real(a); }
int unlinkat(int d, const char *a, int f) { REAL(unlinkat); if (inside(d, a)) { FAIL("unlinkat"); } return real(d, a, f); }
int mkdir(const char *a, mode_t m) { REAL(mkdir); if (inside(AT_FDCWD, a)) { FAIL("mkdir"); } return real(a, m); }
int mkdirat(int d, const char *a, mode_t m) { REAL(mkdirat); if (inside(d, a)) { FAIL("mkdirat"); } return real(d, a, m); }

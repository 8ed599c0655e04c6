/* Lets allocations of NumPy's arrays fail. failing_memory.py compiles it, and gives it NumPy's handler of memory. */
#include <stdatomic.h>
#include <stddef.h>

typedef struct {
    void *context;
    void *(*allocate)(void *, size_t);
    void *(*zeroed)(void *, size_t, size_t);
    void *(*resized)(void *, void *, size_t);
    void (*freed)(void *, void *, size_t);
} Functions;
typedef struct { char name[127]; unsigned char version; Functions functions; } Handler;

static Functions real;
static atomic_long calls, due = -1;

static int fails(void) { long call = atomic_fetch_add(&calls, 1); return call == atomic_load(&due); }
static void *allocate(void *context, size_t n) { return fails() ? NULL : real.allocate(context, n); }
static void *zeroed(void *context, size_t n, size_t size) { return fails() ? NULL : real.zeroed(context, n, size); }
static void *resized(void *context, void *old, size_t n) { return fails() ? NULL : real.resized(context, old, n); }

void memory_install(Handler *handler) {
    real = handler->functions;
    handler->functions.allocate = allocate; handler->functions.zeroed = zeroed; handler->functions.resized = resized;
}
/* Call number `call` from now on fails; -1: none. */
void memory_arm(long call) { atomic_store(&calls, 0); atomic_store(&due, call); }
long memory_calls(void) { return atomic_load(&calls); }

// Blocks, fibers, barriers, errors and launches of the CUDA emulator.
//
// Linked into every emulated module. A launch that goes wrong is abandoned by a long jump out of the fiber: kernels own
// nothing that a destructor would have to free.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif
#include "emu_core.h"

uint64_t emu_waits = 0;

namespace emu {

constexpr unsigned kMaxThreads = 1024, kMaxGridYZ = 65535, kMaxShared = 232448;  // sm_90
constexpr size_t kGuardBytes = 4096;
constexpr size_t kKeptStacks = 64;  // after a launch: a process has room for 65530 mappings, and loads many modules

Now now;
Block block;

namespace {

EmuReport report;
sigjmp_buf escape;
std::vector<char*> idle_stacks;
void* scheduler_sp;
void (*kernel_body)(const void*);
const void* kernel_argument;
bool descending;
size_t dynamic_bytes;

// __shared__ variables are thread-local (cuda_emu.h), so they are this library's part of the thread's local storage.
struct StaticShared {
  char* begin = nullptr;
  size_t bytes = 0;
} static_shared;
thread_local char touched[16];

// ---- switching between stacks ---------------------------------------------------------------------------------------

#if defined(__x86_64__) && !defined(EMU_UCONTEXT)
extern "C" void emu_switch(void** save, void* to);
asm(R"(
.text
.type emu_switch, @function
emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emu_switch, .-emu_switch
)");

// Six saved registers lie below the address that emu_switch returns to; the entry finds the stack as after a call.
void* fresh_stack(char* stack, void (*entry)()) {
  void** sp = reinterpret_cast<void**>(stack + kStackBytes) - 8;
  memset(sp, 0, 8 * sizeof *sp);
  sp[6] = reinterpret_cast<void*>(entry);
  return sp;
}
#else
void emu_switch(void** save, void* to) {
  ucontext_t here;
  *save = &here;
  swapcontext(&here, static_cast<ucontext_t*>(to));
}

void* fresh_stack(char* stack, void (*entry)()) {
  size_t usable = kStackBytes - kGuardBytes - sizeof(ucontext_t) - 64;
  ucontext_t* context = reinterpret_cast<ucontext_t*>(stack + kGuardBytes + usable);
  getcontext(context);
  context->uc_stack.ss_sp = stack + kGuardBytes;
  context->uc_stack.ss_size = usable;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}
#endif

char* take_stack() {
  if (!idle_stacks.empty()) {
    char* stack = idle_stacks.back();
    idle_stacks.pop_back();
    return stack;
  }
  void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) fail("the emulator finds no room for the stack of a thread", 0, nullptr, 0);
  mprotect(stack, kGuardBytes, PROT_NONE);
  return static_cast<char*>(stack);
}

void give_stacks_back() {
  for (; idle_stacks.size() > kKeptStacks; idle_stacks.pop_back()) munmap(idle_stacks.back(), kStackBytes);
}

// ---- errors ---------------------------------------------------------------------------------------------------------

void on_signal(int number, siginfo_t* info, void* context) {
  const void* code = nullptr;
#ifdef __x86_64__
  code = reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  (void)context;
#endif
  bool memory = number == SIGSEGV || number == SIGBUS;
  const char* what = memory             ? "illegal memory access"
                     : number == SIGFPE ? "integer division by zero"
                                        : "array index, shift or integer arithmetic out of range";
  fail(what, 0, code, memory ? uint64_t(info->si_addr) : 0);
}

// Signal handlers and floating-point mode of a launch, put back afterwards.
class Surroundings {
 public:
  Surroundings() {
    stack_t own = {};
    own.ss_sp = signal_stack;
    own.ss_size = sizeof signal_stack;
    sigaltstack(&own, &stack_before);
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int i = 0; i < 4; ++i) sigaction(kSignals[i], &action, &before[i]);
#ifdef __x86_64__
    mode_before = _mm_getcsr();
    _mm_setcsr(0x1f80 | 0x8040);  // round to nearest, no traps, denormals are zero: nvcc -ftz=true
#endif
  }
  ~Surroundings() {
#ifdef __x86_64__
    _mm_setcsr(mode_before);
#endif
    for (int i = 0; i < 4; ++i) sigaction(kSignals[i], &before[i], nullptr);
    sigaltstack(&stack_before, nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  struct sigaction before[4];
  stack_t stack_before;
  unsigned mode_before = 0;
  char signal_stack[64 << 10];
};

// ---- threads of a block ---------------------------------------------------------------------------------------------

void set_current(int t) {
  now.thread = t;
  now.thread_index = block.fibers[t].thread;
}

Fiber& wait_at(State state, int line) {
  Fiber& me = block.fibers[now.thread];
  me.state = state;
  me.line = line;
  emu_switch(&me.sp, scheduler_sp);
  return me;
}

void fiber_main() {
  kernel_body(kernel_argument);
  wait_at(kFinished, 0);
  __builtin_unreachable();
}

void resume(int t) {
  Fiber& f = block.fibers[t];
  set_current(t);
  if (!f.stack) {
    f.stack = take_stack();
    f.sp = fresh_stack(f.stack, fiber_main);
  }
  emu_switch(&scheduler_sp, f.sp);
  if (f.state == kFinished) {
    idle_stacks.push_back(f.stack);
    f.stack = nullptr;
  }
}

[[noreturn]] void refuse(int t, const char* what) {
  set_current(t);
  fail(what, block.fibers[t].line, nullptr, 0);
}

int threads() { return int(block.fibers.size()); }

// Whether all lanes that the mask of waiting thread t names have arrived, those aside that have left the kernel.
bool warp_complete(int t) {
  const Fiber& me = block.fibers[t];
  int base = t & ~31;
  if (!(me.mask >> (t - base) & 1)) refuse(t, "a lane calls a *_sync function whose mask does not name it");
  for (int u = base; u < base + 32 && u < threads(); ++u) {
    const Fiber& other = block.fibers[u];
    if (!(me.mask >> (u - base) & 1) || other.state == kFinished) continue;
    if (other.state != kWarpBarrier) return false;
    if (other.mask != me.mask || other.line != me.line)
      refuse(u, "lanes of one warp meet in different *_sync calls (divergent warp)");
  }
  return true;
}

// Every lane takes what its source sent; a source that is not there gives poison.
void exchange(int t) {
  int base = t & ~31, end = base + 32 < threads() ? base + 32 : threads();
  auto takes_part = [&, mask = block.fibers[t].mask](int u) {
    return u >= base && u < end && (mask >> (u - base) & 1) && block.fibers[u].state == kWarpBarrier;
  };
  for (int u = base; u < end; ++u) {
    Fiber& f = block.fibers[u];
    int from = base + f.source;
    if (takes_part(u)) f.received = takes_part(from) ? block.fibers[from].sent : kPoison;
  }
  uint64_t released = 0;
  for (int u = base; u < end; ++u) released |= uint64_t(takes_part(u)) << (u - base);
  for (int u = base; u < end; ++u) {
    if (!(released >> (u - base) & 1)) continue;
    Fiber& f = block.fibers[u];
    f.state = kReady;
    ++f.exchanges;
    f.warp_syncs += f.source < 0;  // only __syncwarp: shuffles and votes "do not imply a memory barrier"
  }
}

bool release_warps() {
  bool released = false;
  for (int t = 0; t < threads(); ++t)
    if (block.fibers[t].state == kWarpBarrier && warp_complete(t)) exchange(t), released = true;
  return released;
}

bool release_block() {
  const Fiber* first = nullptr;
  bool left = false;
  for (const Fiber& f : block.fibers) {
    if (f.state == kWarpBarrier) return false;
    left |= f.state == kFinished;
    if (f.state == kBlockBarrier && !first) first = &f;
  }
  for (int t = 0; t < threads(); ++t) {
    if (block.fibers[t].state != kBlockBarrier) continue;
    if (left) refuse(t, "waits at __syncthreads while other threads have left the kernel (divergent barrier)");
    if (block.fibers[t].line != first->line)
      refuse(t, "waits at another __syncthreads than the rest of its block (divergent barrier)");
  }
  for (Fiber& f : block.fibers) f.state = kReady;
  ++block.syncs;
  count_barrier();
  return true;
}

int first_waiting() {
  for (int t = 0; t < threads(); ++t)
    if (block.fibers[t].state != kFinished) return t;
  return -1;
}

void start_block() {
  for (int i = 0; i < threads(); ++i) {
    unsigned t = i, x = now.block.x, y = now.block.y;
    block.fibers[i] = Fiber{nullptr, nullptr, kReady, 0, 0, 0, 0, -1, 0, 0, {t % x, t / x % y, t / (x * y)}, {}};
  }
  block.syncs = 0;
  memset(static_shared.begin, 0xff, static_shared.bytes);
  memset(now.dynamic_shared, 0xff, dynamic_bytes);
}

void run_block() {
  start_block();
  while (true) {
    for (int i = 0; i < threads(); ++i) {
      int t = descending ? threads() - 1 - i : i;
      if (block.fibers[t].state == kReady) resume(t);
    }
    int waiting = first_waiting();
    if (waiting < 0) break;
    if (!release_warps() && !release_block()) refuse(waiting, "waits at a barrier that can never complete (deadlock)");
  }
  for (int t = 0; t < threads(); ++t)
    if (!block.fibers[t].copies.empty()) refuse(t, "ends before its copies into shared memory have arrived");
}

// The address in shared memory with this low half.
char* shared_at(unsigned low) {
  char* begins[] = {static_shared.begin, now.dynamic_shared};
  size_t sizes[] = {static_shared.bytes, dynamic_bytes};
  for (int k = 0; k < 2; ++k) {
    unsigned offset = low - uint32_t(uint64_t(begins[k]));
    if (offset < sizes[k]) return begins[k] + offset;
  }
  fail("a copy into shared memory goes elsewhere", 0, __builtin_return_address(0), 0);
}

void run_blocks() {
  uint64_t x = now.grid.x, y = now.grid.y, blocks = x * y * now.grid.z;
  uint64_t runs = counted_blocks && counted_blocks < blocks ? counted_blocks : blocks;
  for (uint64_t i = 0; i < runs; ++i) {
    uint64_t k = i * blocks / runs, b = descending ? blocks - 1 - k : k;
    now.block_index = {unsigned(b % x), unsigned(b / x % y), unsigned(b / (x * y))};
    block.number = unsigned(b);
    run_block();
    count_block();
  }
}

// ---- launches -------------------------------------------------------------------------------------------------------

const char* bad_shape(const EmuShape& s) {
  for (int i = 0; i < 3; ++i)
    if (!s.grid[i] || !s.block[i]) return "a grid or block dimension is zero";
  if (uint64_t(s.block[0]) * s.block[1] * s.block[2] > kMaxThreads) return "more than 1024 threads in a block";
  if (s.block[2] > 64) return "a block is deeper than 64 threads";
  if (s.grid[0] > 0x7fffffffu || s.grid[1] > kMaxGridYZ || s.grid[2] > kMaxGridYZ) return "the grid is too large";
  if (s.shared_bytes > kMaxShared) return "more dynamic shared memory than a block can have";
  return nullptr;
}

int find_static_shared(dl_phdr_info* info, size_t, void* own_base) {
  if (reinterpret_cast<void*>(info->dlpi_addr) != own_base) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      static_shared = StaticShared{static_cast<char*>(info->dlpi_tls_data), info->dlpi_phdr[i].p_memsz};
  return 1;
}

void set_up_static_shared() {
  *const_cast<volatile char*>(touched) = 0;  // storage is allocated when it is first used
  Dl_info mine;
  dladdr(reinterpret_cast<void*>(&launch), &mine);
  dl_iterate_phdr(find_static_shared, mine.dli_fbase);
  watch_shared(static_shared.begin, static_shared.bytes);
}

// Dynamic shared memory ends where an unmapped page begins.
class DynamicShared {
 public:
  explicit DynamicShared(size_t bytes) {
    size_t used = (bytes + 4095) / 4096 * 4096;
    total = used + kGuardBytes;
    pages = static_cast<char*>(mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(pages + used, kGuardBytes, PROT_NONE);
    now.dynamic_shared = pages + used - (bytes + 15) / 16 * 16;
    dynamic_bytes = bytes;
    watch_shared(now.dynamic_shared, bytes);
  }
  ~DynamicShared() { munmap(pages, total); }

 private:
  char* pages;
  size_t total;
};

}  // namespace

uint64_t offset_in_module(const void* code) {
  Dl_info mine, its;
  bool found = dladdr(reinterpret_cast<void*>(&launch), &mine) && dladdr(code, &its);
  return found && mine.dli_fbase == its.dli_fbase ? uint64_t(code) - uint64_t(its.dli_fbase) : 0;
}

void fail(const char* what, int line, const void* code, uint64_t address) {
  const uint3 &b = now.block_index, &t = now.thread_index;
  snprintf(report.text, sizeof report.text, "%s (block %u,%u,%u thread %u,%u,%u)", what, b.x, b.y, b.z, t.x, t.y, t.z);
  report.line = line;
  report.code = offset_in_module(code);
  report.address = address;
  siglongjmp(escape, 1);
}

void block_barrier(int line) { wait_at(kBlockBarrier, line); }

void copy_async(unsigned to, const void* from, unsigned bytes, unsigned read) {
  Copy copy{shared_at(to), static_cast<const char*>(from), bytes, read, __builtin_return_address(0)};
  watch_copy(copy);
  memset(copy.to, 0xff, bytes);
  block.fibers[now.thread].copies.push_back(copy);
}

void copies_arrived() {
  auto& copies = block.fibers[now.thread].copies;
  for (const Copy& copy : copies) {
    watch_arrival(copy);
    memcpy(copy.to, copy.from, copy.read);
    memset(copy.to + copy.read, 0, copy.bytes - copy.read);
  }
  copies.clear();
}

uint64_t warp_barrier(unsigned mask, int line, uint64_t value, int source) {
  Fiber& me = block.fibers[now.thread];
  me.mask = mask;
  me.sent = value;
  me.source = source;
  return wait_at(kWarpBarrier, line).received;
}

int launch(const EmuShape& shape, void (*body)(const void*), const void* argument) {
  report = EmuReport{};
  if (const char* why = bad_shape(shape)) {
    snprintf(report.text, sizeof report.text, "%s", why);
    return 1;
  }
  now.grid = dim3(shape.grid[0], shape.grid[1], shape.grid[2]);
  now.block = dim3(shape.block[0], shape.block[1], shape.block[2]);
  descending = shape.descending;
  kernel_body = body;
  kernel_argument = argument;
  block.fibers.resize(size_t(now.block.x) * now.block.y * now.block.z);
  forget_shared();
  count_launch();
  set_up_static_shared();
  DynamicShared dynamic(shape.shared_bytes);
  Surroundings surroundings;
  bool abandoned = sigsetjmp(escape, 1);
  if (!abandoned) run_blocks();
  now.thread = -1;
  for (Fiber& f : block.fibers)
    if (f.stack) idle_stacks.push_back(f.stack);
  give_stacks_back();
  return abandoned;
}

}  // namespace emu

extern "C" const EmuReport* emu_report() { return &emu::report; }

// Watches every memory access of a kernel: races, reads of shared memory that nobody wrote, accesses beside a buffer.
//
// A watched module is compiled with -fsanitize=thread and linked without libtsan: the calls that the compiler inserts
// land here. Two accesses to one byte, one of them a write, by two threads are a race unless a barrier lies between:
// __syncthreads within a block, __syncwarp within a warp. Across blocks, a counter orders accesses (atomicInc, which alone
// of the atomics does so here): those of a block that has counted behind fences and a barrier come before those of a block
// that counts later, behind a barrier and fences. Atomics are not watched.
#include <cstdio>
#include <cstring>
#include "emu_core.h"

// The linker's names for this library's first and last byte.
extern "C" char __ehdr_start[] __attribute__((visibility("hidden")));
extern "C" char _end[] __attribute__((visibility("hidden")));

namespace emu {
namespace {

struct Access {
  const void* code;  // null: none
  unsigned block, block_syncs, warp_syncs;
  int thread;
};

// The last write to a byte and the last reads of two different threads; whether a copy to it is on its way.
struct Cell {
  Access write, read, other_read;
  bool arriving;
};

struct Region {
  EmuWatched place;
  bool shared;
  std::vector<Cell> cells;
};

std::vector<Region> regions;
size_t last_region;

// When a block counted: the order of it among all blocks and fences (0: not yet), and the barriers before it.
struct Arrival {
  unsigned order, syncs;
};

std::vector<Arrival> arrivals;  // by block
// Of the threads of block `fenced_block`: those that have written since their last fence, and the order of that.
unsigned fenced_block, clock_order;
std::vector<char> unfenced;
std::vector<unsigned> fenced;

void begin_block() {
  if (fenced_block == block.number && !fenced.empty()) return;
  fenced_block = block.number;
  unfenced.assign(1024, 0);
  fenced.assign(1024, 0);
}

Arrival arrival(unsigned number) { return number < arrivals.size() ? arrivals[number] : Arrival{0, 0}; }

bool counted_between(const Access& before, const Access& access) {
  Arrival then = arrival(before.block), here = arrival(access.block);
  bool told = then.order && before.block_syncs < then.syncs;
  return told && here.order > then.order && access.block_syncs > here.syncs && fenced[access.thread] > here.order;
}

bool unordered(const Access& before, const Access& access, bool shared) {
  if (!before.code || (shared && before.block != access.block)) return false;
  if (before.block != access.block) return !counted_between(before, access);
  if (before.thread == access.thread || before.block_syncs != access.block_syncs) return false;
  return (before.thread ^ access.thread) >= 32 || before.warp_syncs == access.warp_syncs;
}

[[noreturn]] void forbid(const char* what, const Access& access, uint64_t address) {
  fail(what, 0, static_cast<const char*>(access.code) - 1, address);
}

[[noreturn]] void race(const char* what, const Access& before, const Access& access, uint64_t address) {
  char text[160];
  const char* whose = before.block == access.block ? "" : " of another block";
  snprintf(text, sizeof text, "race, no barrier between: %s thread %d%s", what, before.thread, whose);
  forbid(text, access, address);
}

void check_read(Cell& cell, const Access& access, bool shared, uint64_t address) {
  if (cell.arriving && cell.write.block == access.block)
    forbid("reads where a copy into shared memory has not arrived, since its thread has not waited", access, address);
  bool written = cell.write.code && cell.write.block == access.block;
  if (shared && !written) forbid("reads shared memory that no thread wrote", access, address);
  if (unordered(cell.write, access, shared)) race("reads the value of", cell.write, access, address);
  if (cell.read.code && cell.read.thread != access.thread) cell.other_read = cell.read;
  cell.read = access;
}

void check_write(Cell& cell, const Access& access, bool shared, uint64_t address) {
  if (cell.arriving && cell.write.block == access.block)
    forbid("writes where a copy into shared memory is on its way", access, address);
  if (unordered(cell.write, access, shared)) race("overwrites the value of", cell.write, access, address);
  for (const Access& before : {cell.read, cell.other_read})
    if (unordered(before, access, shared)) race("overwrites what was read by", before, access, address);
  cell.write = access;
}

Region* region_of(uint64_t address) {
  for (size_t k = 0; k < regions.size(); ++k) {
    size_t i = (last_region + k) % regions.size();
    const EmuWatched& place = regions[i].place;
    if (address >= place.first_page && address < place.end_page) return &regions[last_region = i];
  }
  return nullptr;
}

// Local variables, constants and the emulator's own memory.
bool private_memory(uint64_t address) {
  uint64_t stack = uint64_t(block.fibers[now.thread].stack);
  bool image = address >= uint64_t(__ehdr_start) && address < uint64_t(_end);
  return image || (address >= stack && address < stack + kStackBytes);
}

void watch(const void* at, size_t bytes, bool write, const void* code) {
  if (regions.empty() || now.thread < 0) return;
  uint64_t address = uint64_t(at);
  Region* r = region_of(address);
  if (!r && private_memory(address)) return;
  Access access{code, block.number, block.syncs, block.fibers[now.thread].warp_syncs, now.thread};
  begin_block();
  if (write && r && !r->shared) unfenced[now.thread] = 1;
  if (!r) forbid(write ? "writes outside the launch's buffers" : "reads outside the launch's buffers", access, address);
  if (address < r->place.begin || address + bytes > r->place.end)
    forbid(write ? "writes beside its buffer" : "reads beside its buffer", access, address);
  if (address % bytes && !(bytes & (bytes - 1))) forbid("misaligned address", access, address);
  count_access(code, r->shared ? -1 : int(r - regions.data()), address - r->place.begin, bytes, write);
  for (uint64_t a = address; a < address + bytes; ++a) {
    Cell& cell = r->cells[a - r->place.begin];
    write ? check_write(cell, access, r->shared, a) : check_read(cell, access, r->shared, a);
  }
}

void add_region(const EmuWatched& place, bool shared) {
  regions.push_back(Region{place, shared, std::vector<Cell>(place.end - place.begin)});
}

}  // namespace

void move(void* to, const void* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 16) {  // the widest access there is
    size_t part = bytes - at < 16 ? bytes - at : 16;
    watch(static_cast<const char*>(from) + at, part, false, __builtin_return_address(0));
    watch(static_cast<char*>(to) + at, part, true, __builtin_return_address(0));
  }
  memcpy(to, from, bytes);
}

void arriving(const Copy& copy, bool on_its_way) {
  Region* r = regions.empty() ? nullptr : region_of(uint64_t(copy.to));
  for (unsigned k = 0; r && k < copy.bytes; ++k) r->cells[uint64_t(copy.to) + k - r->place.begin].arriving = on_its_way;
}

void watch_copy(const Copy& copy) {
  if (copy.read) watch(copy.from, copy.read, false, copy.code);
  watch(copy.to, copy.bytes, true, copy.code);
  arriving(copy, true);
}

void watch_arrival(const Copy& copy) {
  arriving(copy, false);
  watch(copy.to, copy.bytes, true, copy.code);
}

void fence() {
  if (now.thread < 0) return;
  begin_block();
  unfenced[now.thread] = 0;
  fenced[now.thread] = ++clock_order;
}

void arrive() {
  begin_block();
  for (char wrote : unfenced)
    if (wrote) return;
  if (arrivals.size() <= block.number) arrivals.resize(block.number + 1);
  arrivals[block.number] = Arrival{++clock_order, block.syncs};
}

void forget_shared() {
  while (!regions.empty() && regions.back().shared) regions.pop_back();
}

void watch_shared(const char* begin, size_t bytes) {
  uint64_t from = uint64_t(begin), to = from + bytes;
  if (!regions.empty() && bytes) add_region(EmuWatched{from, to, from, to}, true);
}

}  // namespace emu

// Called before a launch with all its buffers; without them nothing is watched.
extern "C" void emu_watch(const EmuWatched* buffers, size_t count) {
  emu::regions.clear();
  emu::arrivals.clear();
  emu::fenced.clear();
  for (size_t k = 0; k < count; ++k) emu::add_region(buffers[k], false);
}

#define EMU_HOOK(name, bytes, write)                                     \
  extern "C" __attribute__((visibility("hidden"))) void name(void* at) { \
    emu::watch(at, bytes, write, __builtin_return_address(0));           \
  }
#define EMU_HOOKS(bytes)                               \
  EMU_HOOK(__tsan_read##bytes, bytes, false)           \
  EMU_HOOK(__tsan_write##bytes, bytes, true)           \
  EMU_HOOK(__tsan_unaligned_read##bytes, bytes, false) \
  EMU_HOOK(__tsan_unaligned_write##bytes, bytes, true)
EMU_HOOKS(1)
EMU_HOOKS(2)
EMU_HOOKS(4)
EMU_HOOKS(8)
EMU_HOOKS(16)

#define EMU_RANGE_HOOK(name, write)                                                    \
  extern "C" __attribute__((visibility("hidden"))) void name(void* at, size_t bytes) { \
    emu::watch(at, bytes, write, __builtin_return_address(0));                         \
  }
EMU_RANGE_HOOK(__tsan_read_range, false)
EMU_RANGE_HOOK(__tsan_write_range, true)
extern "C" __attribute__((visibility("hidden"))) void __tsan_init() {}

// What emu_machine.cpp, emu_access.cpp and emu_counters.cpp share; kernels do not see it.
#pragma once
#include <vector>
#include "emu_machine.h"

#pragma GCC visibility push(hidden)
namespace emu {

constexpr size_t kStackBytes = 256 << 10;

// A copy into shared memory that a thread has started: `read` bytes, then zeros.
struct Copy {
  char* to;
  const char* from;
  unsigned bytes, read;
  const void* code;
};

struct Fiber {
  void* sp;
  char* stack;
  State state;
  int line;  // of the barrier it waits at
  unsigned mask, exchanges, warp_syncs;  // *_sync calls it took part in, and those of them that order memory
  int source;  // lane whose `sent` it asks for, -1 for none
  uint64_t sent, received;
  uint3 thread;
  std::vector<Copy> copies;
};

struct Block {
  unsigned number, syncs;
  std::vector<Fiber> fibers;
};
extern Block block;

// Memory that the threads of a block share, and an end of what was watched for the launch before.
void forget_shared();
void watch_shared(const char* begin, size_t bytes);

// A copy of this thread starts, and ends.
void watch_copy(const Copy& copy);
void watch_arrival(const Copy& copy);

// Counting, if it is asked for: how many blocks to run (0: do not count), an access at an offset in a region, all
// threads of the block at a barrier, a block at its end, a launch about to begin.
extern unsigned counted_blocks;
void count_access(const void* code, int region, uint64_t at, size_t bytes, bool write);
void count_barrier();
void count_block();
void count_launch();

// Where an instruction lies in this library; 0 elsewhere.
uint64_t offset_in_module(const void* code);

// Ends the launch with a message, the source line or the code address, the memory touched.
[[noreturn]] void fail(const char* what, int line, const void* code, uint64_t address);

}  // namespace emu
#pragma GCC visibility pop

// What emu_machine.cpp and emu_access.cpp share; kernels do not see it.
#pragma once
#include <vector>
#include "emu_machine.h"

#pragma GCC visibility push(hidden)
namespace emu {

constexpr size_t kStackBytes = 256 << 10;

struct Fiber {
  void* sp;
  char* stack;
  State state;
  int line;  // of the barrier it waits at
  unsigned mask, warp_syncs;
  int source;  // lane whose `sent` it asks for, -1 for none
  uint64_t sent, received;
  uint3 thread;
};

struct Block {
  unsigned number, syncs;
  std::vector<Fiber> fibers;
};
extern Block block;

// Memory that the threads of a block share, and an end of what was watched for the launch before.
void forget_shared();
void watch_shared(const char* begin, size_t bytes);

// Ends the launch with a message, the source line or the code address, the memory touched.
[[noreturn]] void fail(const char* what, int line, const void* code, uint64_t address);

}  // namespace emu
#pragma GCC visibility pop

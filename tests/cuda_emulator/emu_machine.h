// The machine of the CUDA emulator, as kernels and entry points see it; emu_machine.cpp and emu_access.cpp are its
// parts.
//
// Blocks run one after another, the threads of a block as fibers on one OS thread, so a launch is deterministic. No
// timing is modelled, and no memory order between blocks: blocks never overlap.
#pragma once
#include <cstddef>
#include <cstdint>

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct uint3 {
  unsigned x, y, z;
};

// What a launch is told; the same layout as `Shape` in emulated.py and in fake_cuda.cpp.
struct EmuShape {
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  int descending;  // run blocks and threads from the last to the first
};

// What went wrong; the same layout as `Report` in emulated.py and in fake_cuda.cpp.
struct EmuReport {
  char text[512];
  int line;          // of the kernel source, 0 where only the code address is known
  uint64_t code;     // offset of the failing instruction in this library, 0 where unknown
  uint64_t address;  // the memory touched, 0 where none
};

// What one instruction asked of one buffer; the same layout as `Counted` in counters.py. Units are sectors of 32 bytes
// of global memory, or rounds of the banks of shared memory; `least` is what the same bytes take at least.
struct EmuCounted {
  uint64_t code;
  int region;  // number of the watched buffer, -1 for shared memory
  int write;
  unsigned bytes;  // of one lane
  uint64_t requests, units, least;
  uint64_t worst, worst_least;  // of the request that takes the most units for its bytes
};

// Of a launch: blocks that ran; the most barriers and meetings of warps that a thread went through.
struct EmuTotals {
  uint64_t blocks, barriers, exchanges;
};

// A buffer and the pages that hold it; the same layout as `Watched` in emulated.py.
struct EmuWatched {
  uint64_t first_page, end_page, begin, end;
};

// Threads that have waited for the kernels before theirs, of all launches.
extern "C" uint64_t emu_waits;

namespace emu {

constexpr uint64_t kPoison = ~uint64_t(0);  // a NaN in float and double, -1 in integers

enum State { kReady, kBlockBarrier, kWarpBarrier, kFinished };

// The thread that runs now, its block, the launch.
struct Now {
  dim3 grid, block;
  uint3 block_index, thread_index;
  int thread = -1;  // linear number in the block, -1 between launches
  char* dynamic_shared;
};

#pragma GCC visibility push(hidden)
extern Now now;

// Waits at a barrier of the block.
void block_barrier(int line);

// Meets the lanes of `mask`, sends `value` and gives back what lane `source` of the warp sent (-1: nobody).
uint64_t warp_barrier(unsigned mask, int line, uint64_t value, int source);

// The writes of this thread so far are seen by other blocks that learn of them, and it sees those of blocks that it has
// learned of.
void fence();

// The block learns of all that arrived before it, and tells those that will, if its threads have fenced their writes.
void arrive();

// Starts a copy to a place in shared memory, given by the low half of its address: `read` bytes, then zeros.
void copy_async(unsigned to, const void* from, unsigned bytes, unsigned read);

// Waits for the copies that this thread has started: until then, nobody may read where they go.
void copies_arrived();

// One load or store of a vector: g++ would take it apart into scalars.
void move(void* to, const void* from, size_t bytes);

// Runs body(argument) for every thread of the launch; 0, or 1 with the reason in emu_report().
int launch(const EmuShape& shape, void (*body)(const void*), const void* argument);
#pragma GCC visibility pop

}  // namespace emu

// Counts what the warps of a kernel ask of memory, as a device's profiler does: 32-byte sectors of global memory and
// rounds of the banks of shared memory for each request, barriers of a block.
//
// A request is what the lanes of a warp make at one instruction of the source: the nth execution of that instruction by
// each lane since the last barrier. emu_access.cpp tells of every access, emu_machine.cpp of barriers. Compilers keep
// in registers what unrolled code loads twice, so requests are an upper bound, and they merge aligned neighbours that a
// thread loads one by one into vectors, whose lanes go eight at a time: rounds of such loads are an upper bound too.
#include <algorithm>
#include <map>
#include "emu_core.h"

namespace emu {
namespace {

constexpr int kWarp = 32;
constexpr uint64_t kSector = 32, kWord = 4, kBanks = 32;

struct Request {
  uint64_t at[kWarp];  // offset of each lane in its region
  unsigned lanes;
};

// One instruction on one region, and what its warps have asked for since the last barrier.
struct Site {
  EmuCounted counted;
  std::vector<unsigned> executed;              // by thread
  std::vector<std::vector<Request>> requests;  // by warp
};

std::map<std::pair<const void*, int>, Site> sites;
std::vector<EmuCounted> result;
EmuTotals totals;

// Offsets of what each active lane asks for, sorted, each once.
std::vector<uint64_t> parts(const Request& r, int from, int to, uint64_t bytes, uint64_t unit) {
  std::vector<uint64_t> found;
  for (int lane = from; lane < to; ++lane)
    if (r.lanes >> lane & 1)
      for (uint64_t a = r.at[lane] / unit; a <= (r.at[lane] + bytes - 1) / unit; ++a) found.push_back(a);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Sectors touched; at least as many as hold the bytes asked for.
void count_sectors(const Request& r, uint64_t bytes, uint64_t* units, uint64_t* least) {
  *units = parts(r, 0, kWarp, bytes, kSector).size();
  *least = (parts(r, 0, kWarp, bytes, 1).size() + kSector - 1) / kSector;
}

// Rounds of the banks: lanes go together as far as they ask for 128 bytes; a bank gives one word a round, to all.
void count_rounds(const Request& r, uint64_t bytes, uint64_t* units, uint64_t* least) {
  int together = bytes <= kWord ? kWarp : int(kWarp * kWord / bytes);
  *units = *least = 0;
  for (int from = 0; from < kWarp; from += together) {
    uint64_t of_bank[kBanks] = {}, rounds = 0;
    for (uint64_t word : parts(r, from, from + together, bytes, kWord))
      rounds = std::max(rounds, ++of_bank[word % kBanks]);
    *units += rounds;
    *least += rounds > 0;
  }
}

void close(Site& site) {
  EmuCounted& c = site.counted;
  for (auto& warp : site.requests) {
    for (const Request& r : warp) {
      uint64_t units, least;
      (c.region < 0 ? count_rounds : count_sectors)(r, c.bytes, &units, &least);
      ++c.requests;
      c.units += units;
      c.least += least;
      if (units * c.worst_least > c.worst * least) c.worst = units, c.worst_least = least;
    }
    warp.clear();
  }
  std::fill(site.executed.begin(), site.executed.end(), 0u);
}

}  // namespace

unsigned counted_blocks;

void count_access(const void* code, int region, uint64_t at, size_t bytes, bool write) {
  if (!counted_blocks) return;
  auto found = sites.try_emplace({code, region});
  Site& site = found.first->second;
  if (found.second) {
    site.counted = EmuCounted{offset_in_module(code) - 1, region, write, unsigned(bytes), 0, 0, 0, 0, 1};
    site.executed.resize(block.fibers.size());
    site.requests.resize(block.fibers.size() / kWarp + 1);
  }
  auto& warp = site.requests[now.thread / kWarp];
  unsigned n = site.executed[now.thread]++;
  if (n >= warp.size()) warp.resize(n + 1, Request{});
  warp[n].at[now.thread % kWarp] = at;
  warp[n].lanes |= 1u << now.thread % kWarp;
}

void count_barrier() {
  if (counted_blocks)
    for (auto& site : sites) close(site.second);
}

void count_block() {
  if (!counted_blocks) return;
  count_barrier();
  ++totals.blocks;
  totals.barriers = std::max(totals.barriers, uint64_t(block.syncs));
  for (const Fiber& f : block.fibers) totals.exchanges = std::max(totals.exchanges, uint64_t(f.exchanges));
}

void count_launch() {
  sites.clear();
  totals = EmuTotals{};
}

}  // namespace emu

// Launches from now on run `blocks` of their blocks, evenly spread, and count; 0: all blocks, and nothing is counted.
extern "C" void emu_count(unsigned blocks) { emu::counted_blocks = blocks; }

// What the last launch counted, an entry for each instruction and region.
extern "C" const EmuCounted* emu_counted(size_t* size, EmuTotals* totals) {
  emu::result.clear();
  for (auto& site : emu::sites) emu::result.push_back(site.second.counted);
  *size = emu::result.size();
  *totals = emu::totals;
  return emu::result.data();
}

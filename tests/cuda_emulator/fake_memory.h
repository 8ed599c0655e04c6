// Device memory of the stand-in driver: host memory, poisoned when fresh, with watched surroundings; pinned host
// memory.
//
// Every allocation ends at an unmapped page, but for the rest to 256 bytes, which like the bytes before it hold a
// pattern that is checked after every kernel. The size of the device is MOCHAC_FAKE_CUDA_MEMORY bytes.
#pragma once
#include <map>
#include <sys/mman.h>
#include "fake_state.h"

namespace fake {

constexpr size_t kPage = 4096, kAlign = 256;
constexpr uint32_t kPattern = 0xFFFA7000u;  // a NaN in float and double that no computation makes

struct Allocation {
  size_t bytes;
  char* pages;
  size_t mapped;
};
inline std::map<uint64_t, Allocation> allocations;
inline std::map<uint64_t, size_t> pinned;
inline size_t used_bytes = 0;

inline size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

inline size_t total_bytes() {
  const char* given = getenv("MOCHAC_FAKE_CUDA_MEMORY");
  return given ? strtoull(given, nullptr, 10) : size_t(8) << 30;
}

inline Result allocate(uint64_t* address, size_t bytes) {
  if (!bytes) return kInvalidValue;
  if (used_bytes + bytes > total_bytes()) return kOutOfMemory;
  size_t inner = round_up(bytes, kPage), mapped = inner + 2 * kPage;
  void* at = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return kOutOfMemory;
  char *pages = static_cast<char*>(at), *end = pages + kPage + inner;
  for (uint32_t* p = reinterpret_cast<uint32_t*>(pages + kPage); p < reinterpret_cast<uint32_t*>(end); ++p)
    *p = kPattern;
  char* begin = end - round_up(bytes, kAlign);
  memset(begin, 0xff, bytes);
  mprotect(pages, kPage, PROT_NONE);
  mprotect(end, kPage, PROT_NONE);
  *address = uint64_t(begin);
  allocations[*address] = Allocation{bytes, pages, mapped};
  used_bytes += bytes;
  return kSuccess;
}

inline Result release(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end()) return kInvalidValue;
  used_bytes -= found->second.bytes;
  munmap(found->second.pages, found->second.mapped);
  allocations.erase(found);
  return kSuccess;
}

inline bool intact(const char* from, const char* to, const char* pages) {
  for (const char* p = from; p < to; ++p)
    if (*p != reinterpret_cast<const char*>(&kPattern)[(p - pages) % 4]) return false;
  return true;
}

// The first allocation whose surroundings were written, or null.
inline const Allocation* damaged() {
  for (const auto& [address, a] : allocations) {
    const char *begin = reinterpret_cast<char*>(address), *end = begin + a.bytes;
    if (!intact(a.pages + kPage, begin, a.pages) || !intact(end, a.pages + a.mapped - kPage, a.pages)) return &a;
  }
  return nullptr;
}

// Whether bytes of the device lie in one allocation.
inline bool owned(uint64_t address, size_t bytes) {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin()) return false;
  const auto& [begin, a] = *--next;
  return address + bytes <= begin + a.bytes;
}

inline bool is_pinned(uint64_t address, size_t bytes) {
  auto next = pinned.upper_bound(address);
  if (next == pinned.begin()) return false;
  const auto& [begin, n] = *--next;
  return address + bytes <= begin + n;
}

}  // namespace fake

// Modules of the stand-in driver: shared libraries made by toolchain.py in the cubin's place, and launches of their
// kernels.
#pragma once
#include <dlfcn.h>
#include <elf.h>
#include <memory>
#include <unistd.h>
#include "emu_machine.h"
#include "fake_memory.h"
#include "fake_streams.h"

namespace fake {

struct Module {
  void* library;
  int file;
  ~Module() {
    dlclose(library);
    close(file);
  }
};

struct Function {
  Module* module;
  std::string name;
  int (*run)(void**, const EmuShape*);
  int (*parameter)(size_t, size_t*, size_t*);
  int max_threads;
  int max_dynamic_shared = 49152;
};

inline std::set<Module*> modules;
inline std::map<std::pair<Module*, std::string>, std::unique_ptr<Function>> functions;

// A real cubin is for another machine.
inline Result load(const void* image, Module** module) {
  const Elf64_Ehdr* head = static_cast<const Elf64_Ehdr*>(image);
  if (memcmp(image, ELFMAG, SELFMAG)) return kInvalidImage;
  if (head->e_machine != EM_X86_64 && head->e_machine != EM_AARCH64) return kNoBinary;
  size_t bytes = head->e_shoff + size_t(head->e_shnum) * head->e_shentsize;
  int file = memfd_create("mochac-emulated-module", 0);
  if (file < 0 || write(file, image, bytes) != ssize_t(bytes)) return kInvalidImage;
  void* library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "stand-in driver: %s\n", dlerror());
    close(file);
    return kInvalidImage;
  }
  *module = new Module{library, file};
  modules.insert(*module);
  return kSuccess;
}

template <class T>
inline T symbol(Module* module, const std::string& name) {
  return reinterpret_cast<T>(dlsym(module->library, name.c_str()));
}

inline Result function(Module* module, const char* name, Function** found) {
  if (!modules.count(module)) return kInvalidHandle;
  std::unique_ptr<Function>& slot = functions[{module, name}];
  if (!slot) {
    std::string n = name;
    auto run = symbol<int (*)(void**, const EmuShape*)>(module, "emu_launch_" + n);
    auto parameter = symbol<int (*)(size_t, size_t*, size_t*)>(module, "emu_parameter_" + n);
    auto threads = symbol<const int*>(module, "emu_threads_" + n);
    if (!run || !parameter || !threads) return kNotFound;
    slot.reset(new Function{module, n, run, parameter, *threads});
  }
  *found = slot.get();
  return kSuccess;
}

// "line 17" of the source, by addr2line of the library that the module's file still holds.
inline std::string line_of(const Function& f, const EmuReport& report) {
  if (report.line) return "line " + std::to_string(report.line);
  char command[160], text[160];
  snprintf(command, sizeof command, "addr2line -i -e /proc/%d/fd/%d 0x%llx 2>/dev/null", getpid(), f.module->file,
           (unsigned long long)report.code);
  std::string found = "line unknown";
  FILE* pipe = report.code ? popen(command, "r") : nullptr;
  if (!pipe) return found;
  while (fgets(text, sizeof text, pipe))
    if (const char* at = strstr(text, "kernel.cu:")) {
      found = "line " + std::to_string(atoi(at + 10));
      break;
    }
  pclose(pipe);
  return found;
}

// MOCHAC_FAKE_CUDA_FAULT="scale 7": the seventh run of kernel scale breaks the context, as a device tells it: without
// saying where.
inline bool struck(const Function& f) {
  static const char* told = getenv("MOCHAC_FAKE_CUDA_FAULT");
  static uint64_t left = told && strchr(told, ' ') ? strtoull(strchr(told, ' '), nullptr, 10) : 0;
  return left && f.name == std::string(told, strchr(told, ' ')) && !--left;
}

inline uint64_t n_early = 0;  // kernels captured so that they may begin early

inline Result run(const Function& f, const EmuShape& shape, const std::vector<char>& values,
                  const std::vector<size_t>& at, bool early) {
  std::vector<void*> parameters;
  if (struck(f)) return break_context(kIllegalAddress, "somewhere");
  worked_ns += 1000 + uint64_t(shape.grid[0]) * shape.block[0];
  const uint64_t waits = early ? *symbol<uint64_t*>(f.module, "emu_waits") : 0;
  for (size_t offset : at) parameters.push_back(const_cast<char*>(values.data()) + offset);
  if (f.run(parameters.data(), &shape)) {
    const EmuReport& report = *symbol<const EmuReport* (*)()>(f.module, "emu_report")();
    bool memory = report.address != 0;
    return break_context(memory ? kIllegalAddress : kLaunchFailed,
                         "kernel " + f.name + ", " + line_of(f, report) + ": " + report.text);
  }
  const uint64_t threads = uint64_t(shape.grid[0]) * shape.block[0];
  if (early && *symbol<uint64_t*>(f.module, "emu_waits") != waits + threads)
    return break_context(kLaunchFailed, "kernel " + f.name + " begins early and not all its threads wait");
  if (const Allocation* a = damaged())
    return break_context(kIllegalAddress,
                         "kernel " + f.name + " wrote beside an allocation of " + std::to_string(a->bytes) + " bytes");
  return kSuccess;
}

// Parameters are copied now, as a device's driver does; the kernel runs when its stream is waited for.
inline Result launch(Function* f, const EmuShape& shape, void* stream, void** parameters, void** extra) {
  if (uint64_t(shape.block[0]) * shape.block[1] * shape.block[2] > uint64_t(f->max_threads)) return kInvalidValue;
  if (int(shape.shared_bytes) > f->max_dynamic_shared) return kInvalidValue;
  for (int i = 0; i < 3; ++i)
    if (!shape.grid[i] || !shape.block[i] || (i && shape.grid[i] > 65535)) return kInvalidValue;
  const char* packed = nullptr;
  for (void** e = extra; e && *e; e += 2)
    if (*e == reinterpret_cast<void*>(1)) packed = static_cast<const char*>(e[1]);
  if (!parameters && !packed && f->parameter(0, nullptr, nullptr)) return kInvalidValue;
  std::vector<char> values;
  std::vector<size_t> at;
  size_t offset, size;
  for (size_t i = 0; f->parameter(i, nullptr, nullptr) && f->parameter(i, &offset, &size); ++i) {
    const char* from = parameters ? static_cast<const char*>(parameters[i]) : packed + offset;
    values.resize(offset + size);
    memcpy(values.data() + offset, from, size);
    at.push_back(offset);
  }
  Stream* s = stream_of(stream);
  const bool early = s && s->early;
  if (early) s->early = false, ++n_early;
  return enqueue(stream, [=] { return modules.count(f->module) ? run(*f, shape, values, at, early) : kInvalidHandle; });
}

inline Result unload(Module* module) {
  if (!modules.erase(module)) return kInvalidHandle;
  for (auto it = functions.begin(); it != functions.end();) it = it->first.first == module ? functions.erase(it) : ++it;
  delete module;
  return kSuccess;
}

}  // namespace fake

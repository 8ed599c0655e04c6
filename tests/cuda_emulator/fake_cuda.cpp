// libcuda.so.1 for machines without a GPU: the calls that PyCUDA and cuda-bindings make, on the emulator.
//
// fake_driver.py builds and loads it. Signatures are those of cuda.h with plain types; what is not here does not exist
// for cuGetProcAddress, or answers "not supported" where PyCUDA binds it (fake_unsupported.h).
#include "fake_device.h"

typedef uint64_t Ptr;

static uint64_t n_launches;

// ---- memory ---------------------------------------------------------------------------------------------------------

API(cuMemAlloc_v2, Ptr* address, size_t bytes) {
  WORKING;
  if (Result r = forbidden_in_capture()) return r;
  return allocate(address, bytes);
}
API(cuMemFree_v2, Ptr address) {
  WORKING;
  if (Result r = forbidden_in_capture()) return r;
  if (Result r = run_everything(true)) return r;
  return address ? release(address) : kSuccess;
}
API(cuMemGetInfo_v2, size_t* free, size_t* total) {
  WORKING;
  *total = total_bytes();
  *free = *total - used_bytes;
  return kSuccess;
}
API(cuMemHostAlloc, void** at, size_t bytes, unsigned) {
  WORKING;
  *at = aligned_alloc(kPage, round_up(bytes, kPage));
  memset(*at, 0xff, bytes);
  pinned[uint64_t(*at)] = bytes;
  return kSuccess;
}
API(cuMemAllocHost_v2, void** at, size_t bytes) { return cuMemHostAlloc(at, bytes, 0); }
API(cuMemFreeHost, void* at) {
  LOCKED;
  run_everything(true);
  return pinned.erase(uint64_t(at)) ? (free(at), kSuccess) : kInvalidValue;
}
API(cuMemHostRegister_v2, void* at, size_t bytes, unsigned) {
  WORKING;
  return pinned[uint64_t(at)] = bytes, kSuccess;
}
API(cuMemHostUnregister, void* at) {
  LOCKED;
  run_everything(true);
  return pinned.erase(uint64_t(at)) ? kSuccess : kInvalidValue;
}

static Result move_now(Ptr to, Ptr from, size_t bytes, bool to_device, bool from_device) {
  if ((to_device && !owned(to, bytes)) || (from_device && !owned(from, bytes)))
    return break_context(kIllegalAddress, "a copy reaches beside its allocation, or that is freed");
  memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return kSuccess;
}
// The legacy stream's copies are done when the call returns.
static Result move(Ptr to, Ptr from, size_t bytes, bool to_device, bool from_device) {
  if ((to_device && !owned(to, bytes)) || (from_device && !owned(from, bytes))) return kInvalidValue;
  if (Result r = forbidden_in_capture()) return r;
  return enqueue(nullptr, [=] { return move_now(to, from, bytes, to_device, from_device); });
}
// Pageable memory is read before the call returns, and written before it returns.
static Result move_async(Ptr to, Ptr from, size_t bytes, bool to_device, bool from_device, Handle stream) {
  if ((to_device && !owned(to, bytes)) || (from_device && !owned(from, bytes))) return kInvalidValue;
  Stream* s = stream_of(stream);
  if (!s) return kInvalidHandle;
  if (!from_device && !s->capture && !is_pinned(from, bytes)) {
    auto copy =
        std::make_shared<std::vector<char>>(reinterpret_cast<char*>(from), reinterpret_cast<char*>(from) + bytes);
    return enqueue(stream, [=] { return move_now(to, Ptr(copy->data()), bytes, true, false); });
  }
  Result r = enqueue(stream, [=] { return move_now(to, from, bytes, to_device, from_device); });
  return !r && !to_device && !s->capture && !is_pinned(to, bytes) ? synchronize(stream) : r;
}
API(cuMemcpyHtoD_v2, Ptr to, const void* from, size_t n) {
  WORKING;
  return move(to, Ptr(from), n, true, false);
}
API(cuMemcpyDtoH_v2, void* to, Ptr from, size_t n) {
  WORKING;
  return move(Ptr(to), from, n, false, true);
}
API(cuMemcpyDtoD_v2, Ptr to, Ptr from, size_t n) {
  WORKING;
  return move(to, from, n, true, true);
}
API(cuMemcpyHtoDAsync_v2, Ptr to, const void* from, size_t n, Handle s) {
  WORKING;
  return move_async(to, Ptr(from), n, true, false, s);
}
API(cuMemcpyDtoHAsync_v2, void* to, Ptr from, size_t n, Handle s) {
  WORKING;
  return move_async(Ptr(to), from, n, false, true, s);
}
API(cuMemcpyDtoDAsync_v2, Ptr to, Ptr from, size_t n, Handle s) {
  WORKING;
  return move_async(to, from, n, true, true, s);
}

template <class T>
static Result fill(Ptr at, T value, size_t n, Handle stream) {
  if (!owned(at, n * sizeof(T))) return kInvalidValue;
  return enqueue(stream, [=] {
    if (!owned(at, n * sizeof(T))) return break_context(kIllegalAddress, "a memset of freed memory");
    for (size_t i = 0; i < n; ++i) reinterpret_cast<T*>(at)[i] = value;
    return kSuccess;
  });
}
API(cuMemsetD8_v2, Ptr at, unsigned char v, size_t n) {
  WORKING;
  return fill(at, v, n, nullptr);
}
API(cuMemsetD16_v2, Ptr at, unsigned short v, size_t n) {
  WORKING;
  return fill(at, v, n, nullptr);
}
API(cuMemsetD32_v2, Ptr at, unsigned v, size_t n) {
  WORKING;
  return fill(at, v, n, nullptr);
}
API(cuMemsetD8Async, Ptr at, unsigned char v, size_t n, Handle s) {
  WORKING;
  return fill(at, v, n, s);
}
API(cuMemsetD16Async, Ptr at, unsigned short v, size_t n, Handle s) {
  WORKING;
  return fill(at, v, n, s);
}
API(cuMemsetD32Async, Ptr at, unsigned v, size_t n, Handle s) {
  WORKING;
  return fill(at, v, n, s);
}

// ---- modules and kernels --------------------------------------------------------------------------------------------

API(cuModuleLoadData, Handle* module, const void* image) {
  WORKING;
  if (Result r = forbidden_in_capture()) return r;
  return load(image, reinterpret_cast<Module**>(module));
}
API(cuModuleLoadDataEx, Handle* module, const void* image, unsigned, void*, void**) {
  return cuModuleLoadData(module, image);
}
API(cuModuleUnload, Handle module) {
  WORKING;
  if (Result r = run_everything(true)) return r;
  return unload(static_cast<Module*>(module));
}
API(cuModuleGetFunction, Handle* found, Handle module, const char* name) {
  WORKING;
  return function(static_cast<Module*>(module), name, reinterpret_cast<Function**>(found));
}
API(cuModuleGetGlobal_v2, Ptr* address, size_t*, Handle module, const char* name) {
  WORKING;
  *address = Ptr(dlsym(static_cast<Module*>(module)->library, name));
  return *address ? kSuccess : kNotFound;
}
API(cuFuncGetAttribute, int* value, int attribute, Handle function) {
  WORKING;
  const Function& f = *static_cast<Function*>(function);
  *value = attribute == 0   ? f.max_threads
           : attribute == 4 ? 32
           : attribute == 6 ? 90
           : attribute == 8 ? f.max_dynamic_shared
                            : 0;
  return kSuccess;
}
API(cuFuncSetAttribute, Handle function, int attribute, int value) {
  WORKING;
  if (attribute != 8) return kSuccess;
  if (value > 232448) return kInvalidValue;
  return static_cast<Function*>(function)->max_dynamic_shared = value, kSuccess;
}
API(cuFuncSetCacheConfig, Handle, int) { return kSuccess; }
API(cuFuncSetBlockShape, Handle, int, int, int) { return kSuccess; }
API(cuOccupancyMaxActiveBlocksPerMultiprocessor, int* blocks, Handle, int threads, size_t) {
  return threads > 0 ? (*blocks = 2048 / threads, kSuccess) : kInvalidValue;
}

API(cuLaunchKernel, Handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
    unsigned shared, Handle stream, void** parameters, void** extra) {
  WORKING;
  ++n_launches;
  return launch(static_cast<Function*>(f), EmuShape{{gx, gy, gz}, {bx, by, bz}, shared, 0}, stream, parameters, extra);
}

struct LaunchConfig {  // CUlaunchConfig
  unsigned grid[3], block[3], shared;
  Handle stream, attributes;
  unsigned n_attributes;
};
API(cuLaunchKernelEx, const LaunchConfig* c, Handle f, void** parameters, void** extra) {
  return cuLaunchKernel(f, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2], c->shared,
                        c->stream, parameters, extra);
}

// ---- streams, events, graphs ----------------------------------------------------------------------------------------

API(cuStreamCreate, Handle* stream, unsigned flags) {
  WORKING;
  Stream* s = new Stream{!(flags & 1)};
  streams.insert(s);
  return *stream = s, kSuccess;
}
API(cuCtxGetStreamPriorityRange, int* least, int* greatest) {
  WORKING;
  return *least = 0, *greatest = -5, kSuccess;
}
API(cuStreamCreateWithPriority, Handle* stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }
API(cuStreamDestroy_v2, Handle stream) {
  LOCKED;
  Stream* s = stream_of(stream);
  if (!s || s == &legacy) return kInvalidHandle;
  run_all(*s);
  streams.erase(s);
  return delete s, kSuccess;
}
API(cuStreamSynchronize, Handle stream) {
  WORKING;
  return synchronize(stream);
}
API(cuStreamQuery, Handle stream) {
  WORKING;
  Stream* s = stream_of(stream);
  return !s ? kInvalidHandle : s->work.empty() ? kSuccess : kNotReady;
}
API(cuStreamWaitEvent, Handle stream, Handle event, unsigned) {
  WORKING;
  return wait_event(stream, *static_cast<Event*>(event));
}

API(cuLaunchHostFunc, Handle stream, void (*f)(void*), void* data) {
  WORKING;
  return enqueue(stream, [f, data] { return f(data), kSuccess; });
}

API(cuEventCreate, Handle* event, unsigned flags) {
  WORKING;
  Event* e = new Event;
  e->timed = !(flags & 2);
  events.insert(e);
  return *event = e, kSuccess;
}
API(cuEventDestroy_v2, Handle event) {
  LOCKED;
  Event* e = static_cast<Event*>(event);
  if (!events.erase(e)) return kInvalidHandle;
  const bool pending = streams.count(e->stream) && e->stream->done < e->position;  // its recording has still to come
  if (!pending) delete e;
  return kSuccess;
}
API(cuEventRecord, Handle event, Handle stream) {
  WORKING;
  return record(*static_cast<Event*>(event), stream);
}
API(cuEventRecordWithFlags, Handle event, Handle stream, unsigned) { return cuEventRecord(event, stream); }
API(cuEventSynchronize, Handle event) {
  WORKING;
  return synchronize_event(*static_cast<Event*>(event));
}
API(cuEventQuery, Handle event) {
  WORKING;
  return query(*static_cast<Event*>(event));
}
API(cuEventElapsedTime_v2, float* ms, Handle first, Handle last) {
  WORKING;
  const Event &a = *static_cast<Event*>(first), &b = *static_cast<Event*>(last);
  for (const Event* e : {&a, &b}) {
    if (!e->stream || !e->timed) return kInvalidHandle;
    if (e->stream != &legacy && e->stream->done < e->position) return kNotReady;
  }
  *ms = float(b.time.tv_sec - a.time.tv_sec) * 1e3f + float(b.time.tv_nsec - a.time.tv_nsec) * 1e-6f;
  return kSuccess;
}

API(cuStreamBeginCapture_v2, Handle stream, int mode) {
  WORKING;
  return begin_capture(stream, mode);
}
API(cuStreamEndCapture, Handle stream, Handle* graph) {
  WORKING;
  return end_capture(stream, reinterpret_cast<Graph**>(graph));
}
API(cuStreamIsCapturing, Handle stream, int* status) {
  WORKING;
  Stream* s = stream_of(stream);
  if (!s) return kInvalidHandle;
  return *status = s->capture ? 1 + s->capture->broken : 0, kSuccess;
}
// Edges of a capture: nodes are numbered from 1, and a programmatic edge is a promise that the stream's next kernel waits.
struct EdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};
API(cuStreamGetCaptureInfo_v3, Handle stream, int* status, uint64_t* id, Handle* graph, const Handle** nodes,
    const EdgeData** edges, size_t* count) {
  WORKING;
  static std::vector<Handle> found;
  Stream* s = stream_of(stream);
  if (!s) return kInvalidHandle;
  found.clear();
  for (size_t k : s->tips) found.push_back(reinterpret_cast<Handle>(k + 1));
  *id = 1, *graph = nullptr, *edges = nullptr, *nodes = found.data(), *count = s->capture ? found.size() : 0;
  return *status = s->capture ? 1 : 0, kSuccess;
}
API(cuStreamUpdateCaptureDependencies_v2, Handle stream, const Handle* nodes, const EdgeData* edges, size_t count,
    unsigned flags) {
  WORKING;
  Stream* s = stream_of(stream);
  if (!s || !s->capture || flags != 1 || count != 1) return kInvalidValue;
  if (s->tips != Nodes{reinterpret_cast<size_t>(nodes[0]) - 1}) return kInvalidValue;
  const EdgeData wanted = {1, 0, 1, {}};
  if (memcmp(edges, &wanted, sizeof wanted)) return kInvalidValue;
  return s->early = true, kSuccess;
}
API(cuThreadExchangeStreamCaptureMode, int* mode) { return *mode = 0, kSuccess; }
API(cuGraphInstantiateWithFlags, Handle* ready, Handle graph, unsigned long long) {
  WORKING;
  return *ready = new Graph(*static_cast<Graph*>(graph)), kSuccess;
}
API(cuGraphInstantiate, Handle* ready, Handle graph, unsigned long long flags) {
  return cuGraphInstantiateWithFlags(ready, graph, flags);
}
API(cuGraphUpload, Handle, Handle) { return kSuccess; }
API(cuGraphLaunch, Handle ready, Handle stream) {
  WORKING;
  Graph& graph = *static_cast<Graph*>(ready);
  for (size_t k : order(graph))
    if (Result r = enqueue(stream, graph.nodes[k])) return r;
  return kSuccess;
}
API(cuGraphGetNodes, Handle graph, Handle*, size_t* count) {
  return *count = static_cast<Graph*>(graph)->nodes.size(), kSuccess;
}
API(cuGraphDestroy, Handle graph) { return delete static_cast<Graph*>(graph), kSuccess; }
API(cuGraphExecDestroy, Handle ready) { return delete static_cast<Graph*>(ready), kSuccess; }

// ---- finding functions; what tests ask ------------------------------------------------------------------------------

API(cuGetProcAddress_v2, const char* name, void** found, int, uint64_t, int* status) {
  Dl_info mine;
  dladdr(reinterpret_cast<void*>(&cuInit), &mine);
  void* self = dlopen(mine.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  *found = nullptr;
  for (const char* suffix : {"_v4", "_v3", "_v2", ""})
    if (!*found) *found = dlsym(self, (std::string(name) + suffix).c_str());
  dlclose(self);
  if (status) *status = *found ? 0 : 1;
  return *found ? kSuccess : kNotFound;
}
API(cuGetProcAddress, const char* name, void** found, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, found, version, flags, nullptr);
}

extern "C" size_t fake_cuda_allocations() {
  LOCKED;
  return allocations.size() + pinned.size();
}
// Libraries on this driver say what their work takes.
extern "C" void fake_cuda_worked(uint64_t ns) {
  LOCKED;
  worked_ns += ns;
}
// Libraries on this driver enqueue work that answers kSuccess, or kNotReady to be asked again.
extern "C" int fake_cuda_enqueue(Handle stream, int (*f)(void*), void* data) {
  WORKING;
  return enqueue(stream, [f, data] { return Result(f(data)); });
}
extern "C" uint64_t fake_cuda_early_launches() {
  LOCKED;
  return n_early;
}
extern "C" uint64_t fake_cuda_launches() {
  LOCKED;
  return n_launches;
}

// A new device, for the next test: the fault forgotten, unfinished work dropped, memory freed.
extern "C" void fake_cuda_reset() {
  LOCKED;
  for (Stream* s : streams) s->work.clear(), s->done = s->enqueued, s->capture = nullptr;
  while (!allocations.empty()) release(allocations.begin()->first);
  fault = kSuccess;
}

#define UNSUPPORTED(name) \
  API(name) { return kNotSupported; }
#include "fake_unsupported.h"

// Streams, events and graphs of the stand-in driver. Work waits in its stream until something synchronises with it.
//
// So a program that reads results, frees buffers or reuses pinned memory too early computes wrong numbers here, always,
// where a device would only sometimes. Streams created as non-blocking do not wait for the legacy stream, as on a
// device. A captured graph keeps only the order that its streams and events gave it, and every replay but the first runs
// it in another legal order: a dependence that is missing gives wrong numbers as well. Work may answer that it is not
// ready, as NCCL's does that waits for another process: whoever synchronises tries it again, and a query goes on.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <time.h>
#include <unistd.h>
#include <vector>
#include "fake_state.h"

namespace fake {

using Work = std::function<Result()>;

using Nodes = std::set<size_t>;

struct Graph {
  std::vector<Work> nodes;
  std::vector<Nodes> after;  // of each node those it follows directly
  uint64_t replays = 0;
};

struct Stream;
struct Capture {
  Graph graph;
  Stream* origin;
  bool strict;  // global or thread-local mode: calls that may synchronise are refused
  bool broken = false, ended = false;
};

struct Stream {
  bool blocking;
  std::deque<Work> work;
  uint64_t enqueued = 0, done = 0;
  std::shared_ptr<Capture> capture;
  Nodes tips;  // of the capture: what the stream's next node follows
  bool early = false;  // which may begin before these end
};

struct Event {
  Stream* stream = nullptr;
  uint64_t position = 0;
  std::shared_ptr<Capture> capture;
  Nodes tips;
  bool timed = true;
  timespec time = {};
};

inline std::set<Stream*> streams;
inline std::set<Event*> events;
inline Stream legacy{true};

inline bool patient = true;  // whether work that is not ready is waited for

inline Result run_until(Stream& stream, uint64_t position) {
  while (stream.done < position && !stream.work.empty()) {
    Work work = std::move(stream.work.front());
    stream.work.pop_front();
    ++stream.done;
    Result r = fault != kSuccess ? fault : work();
    if (r == kNotReady) {
      --stream.done;
      stream.work.push_front(std::move(work));
      if (!patient) return r;
      usleep(200);
    } else if (r) {
      return r;
    }
  }
  return fault;
}

inline Result run_all(Stream& stream) { return run_until(stream, stream.enqueued); }

inline Result run_everything(bool also_non_blocking) {
  for (Stream* s : streams)
    if (s->blocking || also_non_blocking)
      if (Result r = run_all(*s)) return r;
  return fault;
}

// Refuses a call that a capture forbids, and breaks the capture.
inline Result forbidden_in_capture(Result code = kCaptureUnsupported) {
  bool any = false;
  for (Stream* s : streams)
    if (s->capture && s->capture->strict) any = s->capture->broken = true;
  return any ? code : kSuccess;
}

inline Stream* stream_of(void* handle) {
  if (uint64_t(handle) <= 2) return &legacy;  // null, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
  auto found = streams.find(static_cast<Stream*>(handle));
  return found == streams.end() ? nullptr : *found;
}

inline Result enqueue(void* handle, Work work) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  if (stream->capture) {
    Graph& graph = stream->capture->graph;
    graph.nodes.push_back(std::move(work));
    graph.after.push_back(stream->tips);
    stream->tips = {graph.nodes.size() - 1};
    return kSuccess;
  }
  if (stream != &legacy) {
    stream->work.push_back(std::move(work));
    ++stream->enqueued;
    return kSuccess;
  }
  for (Stream* s : streams)
    if (s->capture && s->blocking) return s->capture->broken = true, kCaptureImplicit;
  if (Result r = run_everything(false)) return r;
  return work();
}

inline Result synchronize(void* handle) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  if (stream->capture) return stream->capture->broken = true, kCaptureUnsupported;
  if (Result r = forbidden_in_capture()) return r;
  return stream == &legacy ? run_everything(false) : run_all(*stream);
}

inline Result begin_capture(void* handle, int mode) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  if (stream == &legacy) return kCaptureUnsupported;
  if (stream->capture) return kInvalidValue;
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  stream->capture->strict = mode != 2;
  stream->tips.clear();
  return kSuccess;
}

// Whether all nodes come before what the stream would do next.
inline bool joined(const Graph& graph, const Nodes& tips) {
  Nodes seen = tips;
  for (size_t k = graph.nodes.size(); k--;)
    if (seen.count(k)) seen.insert(graph.after[k].begin(), graph.after[k].end());
  return seen.size() == graph.nodes.size();
}

// Nodes in a legal order: as captured the first time, then with the latest that may run first, then any.
inline std::vector<size_t> order(Graph& graph) {
  std::vector<size_t> found;
  std::set<size_t> done, waiting;
  for (size_t k = 0; k < graph.nodes.size(); ++k) waiting.insert(k);
  uint64_t replay = graph.replays++, random = replay * 0x9e3779b97f4a7c15u + 1;
  while (!waiting.empty()) {
    std::vector<size_t> ready;
    for (size_t k : waiting)
      if (std::includes(done.begin(), done.end(), graph.after[k].begin(), graph.after[k].end())) ready.push_back(k);
    random = random * 6364136223846793005u + 1442695040888963407u;
    size_t pick = replay == 0 ? ready.front() : replay == 1 ? ready.back() : ready[(random >> 33) % ready.size()];
    waiting.erase(pick);
    done.insert(pick);
    found.push_back(pick);
  }
  return found;
}

// Streams that events brought into the capture leave it with its end, which the stream must come to that began it.
inline Result end_capture(void* handle, Graph** graph) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  std::shared_ptr<Capture> capture = stream->capture;
  *graph = nullptr;
  if (!capture || capture->origin != stream) return kCaptureUnmatched;
  for (Stream* s : streams)
    if (s->capture == capture) s->capture = nullptr;
  capture->ended = true;
  if (capture->broken) return kCaptureInvalidated;
  if (!joined(capture->graph, stream->tips)) return kCaptureUnjoined;
  *graph = new Graph(std::move(capture->graph));
  return kSuccess;
}

inline Result record(Event& event, void* handle) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  event.capture = stream->capture;
  event.stream = stream;
  event.tips = stream->tips;
  if (stream->capture) return kSuccess;
  Event* e = &event;
  Result r = enqueue(handle, [e] {
    if (own_clock()) return e->time = {time_t(worked_ns / 1000000000), long(worked_ns % 1000000000)}, kSuccess;
    return clock_gettime(CLOCK_MONOTONIC, &e->time), kSuccess;
  });
  event.position = stream->enqueued;
  return r;
}

inline Result wait_event(void* handle, const Event& event) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  if (event.capture) {
    if (event.capture->ended) return kCapturedEvent;
    if (stream->capture && stream->capture != event.capture) return event.capture->broken = true, kCaptureMerge;
    if (!stream->capture) stream->tips.clear();
    stream->capture = event.capture;
    stream->tips.insert(event.tips.begin(), event.tips.end());
    return kSuccess;
  }
  if (stream->capture) return stream->capture->broken = true, kCaptureIsolation;
  if (!event.stream || event.stream == &legacy) return kSuccess;
  Stream* other = event.stream;
  uint64_t position = event.position;
  return enqueue(handle, [other, position] { return streams.count(other) ? run_until(*other, position) : kSuccess; });
}

// Whether what an event follows is done; its stream goes on with its next piece of work meanwhile, as a device does.
inline Result query(const Event& event) {
  auto pending = [&] { return streams.count(event.stream) && event.stream->done < event.position; };
  if (!event.stream || event.stream == &legacy || !pending()) return fault;
  patient = false;
  Result r = run_until(*event.stream, event.stream->done + 1);
  patient = true;
  return r != kSuccess ? r : pending() ? kNotReady : fault;
}

inline Result synchronize_event(const Event& event) {
  if (event.capture) return kCaptureUnsupported;
  bool pending = event.stream && event.stream != &legacy && streams.count(event.stream);
  return pending ? run_until(*event.stream, event.position) : fault;
}

}  // namespace fake

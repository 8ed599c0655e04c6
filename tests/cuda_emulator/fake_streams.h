// Streams, events and graphs of the stand-in driver. Work waits in its stream until something synchronises with it.
//
// So a program that reads results, frees buffers or reuses pinned memory too early computes wrong numbers here, always,
// where a device would only sometimes. Streams created as non-blocking do not wait for the legacy stream, as on a
// device.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <time.h>
#include <vector>
#include "fake_state.h"

namespace fake {

using Work = std::function<Result()>;

struct Graph {
  std::vector<Work> nodes;
};

struct Capture {
  Graph graph;
  bool strict;  // global or thread-local mode: calls that may synchronise are refused
  bool broken = false;
};

struct Stream {
  bool blocking;
  std::deque<Work> work;
  uint64_t enqueued = 0, done = 0;
  std::shared_ptr<Capture> capture;
};

struct Event {
  Stream* stream = nullptr;
  uint64_t position = 0;
  std::shared_ptr<Capture> capture;
  timespec time = {};
};

inline std::set<Stream*> streams;
inline std::set<Event*> events;
inline Stream legacy{true};

inline Result run_until(Stream& stream, uint64_t position) {
  while (stream.done < position && !stream.work.empty()) {
    Work work = std::move(stream.work.front());
    stream.work.pop_front();
    ++stream.done;
    if (Result r = fault != kSuccess ? fault : work()) return r;
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
    stream->capture->graph.nodes.push_back(std::move(work));
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
  stream->capture->strict = mode != 2;
  return kSuccess;
}

// Streams that events brought into the capture leave it with its end.
inline Result end_capture(void* handle, Graph** graph) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  std::shared_ptr<Capture> capture = stream->capture;
  *graph = nullptr;
  if (!capture) return kCaptureUnmatched;
  for (Stream* s : streams)
    if (s->capture == capture) s->capture = nullptr;
  if (capture->broken) return kCaptureInvalidated;
  *graph = new Graph(std::move(capture->graph));
  return kSuccess;
}

inline Result record(Event& event, void* handle) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  event.capture = stream->capture;
  event.stream = stream;
  if (stream->capture) return kSuccess;
  Event* e = &event;
  Result r = enqueue(handle, [e] { return clock_gettime(CLOCK_MONOTONIC, &e->time), kSuccess; });
  event.position = stream->enqueued;
  return r;
}

inline Result wait_event(void* handle, const Event& event) {
  Stream* stream = stream_of(handle);
  if (!stream) return kInvalidHandle;
  if (event.capture) {
    if (stream->capture && stream->capture != event.capture) return kCaptureUnsupported;
    stream->capture = event.capture;
    return kSuccess;
  }
  if (!event.stream || event.stream == &legacy) return kSuccess;
  Stream* other = event.stream;
  uint64_t position = event.position;
  return enqueue(handle, [other, position] { return streams.count(other) ? run_until(*other, position) : kSuccess; });
}

inline Result synchronize_event(const Event& event) {
  if (event.capture) return kCaptureUnsupported;
  bool pending = event.stream && event.stream != &legacy && streams.count(event.stream);
  return pending ? run_until(*event.stream, event.position) : fault;
}

}  // namespace fake

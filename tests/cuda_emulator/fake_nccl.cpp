// A stand-in libnccl.so.2 with the functions mochac calls: processes on one machine swap values through files in a
// folder, in the order of the streams their calls are put on, so that captured graphs hold them. Signatures and codes
// are those of nccl.h. As there, every rank must make the same calls in the same order, a rank that does not answer holds
// up the stream of the others, and sums are added in an order of the library's own (here the last rank first).
//
// A file "fault" in the folder makes ncclCommGetAsyncError report one. MOCHAC_FAKE_NCCL_VERSION is the version.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

extern "C" int fake_cuda_enqueue(void* stream, int (*f)(void*), void* data);

namespace {

enum { kSuccess = 0, kSystemError = 2, kInvalidArgument = 4, kInvalidUsage = 5, kRemoteError = 6 };
enum { kReady = 0, kNotReady = 600 };
enum { kFloat32 = 7, kFloat64 = 8, kSum = 0 };
struct Id {
  char folder[128];
};
std::string last;

int refused(int code, const char* why) { return last = why, code; }
size_t bytes_of(int type) { return type == kFloat32 ? 4 : type == kFloat64 ? 8 : 0; }

struct Comm {
  std::string folder;
  int rank, ranks;
  bool aborted = false;
  std::map<int, uint64_t> sent, received;

  std::string name(int from, int to, uint64_t number) const {
    return folder + "/" + std::to_string(from) + "-" + std::to_string(to) + "-" + std::to_string(number);
  }
  void send(int to, const void* data, size_t bytes) {
    const std::string path = name(rank, to, sent[to]++), part = path + ".part";
    FILE* file = fopen(part.c_str(), "wb");
    fwrite(data, 1, bytes, file);
    fclose(file);
    rename(part.c_str(), path.c_str());
  }
  bool receive(int from, void* data, size_t bytes) {
    const std::string path = name(from, rank, received[from]);
    FILE* file = fopen(path.c_str(), "rb");
    if (!file) return false;
    fseek(file, 0, SEEK_END);
    if (size_t(ftell(file)) != bytes) fprintf(stderr, "fake NCCL: %s has another size than %zu\n", path.c_str(), bytes), abort();
    rewind(file);
    if (fread(data, 1, bytes, file) != bytes) abort();
    fclose(file);
    unlink(path.c_str());
    return ++received[from], true;
  }
};

struct Move {
  bool sends;
  char* data;
  size_t bytes;
  int peer;
};

// One operation on a stream; a captured one is run again and again.
struct Operation {
  Comm* comm;
  std::vector<Move> moves;
  bool begun = false;
  std::vector<bool> done;
  std::vector<std::vector<char>> all;  // of a sum, the values of every rank
  const void* from = nullptr;
  void* to = nullptr;
  size_t n = 0;
  int type = 0;

  template <class T>
  void add() {
    for (size_t i = 0; i < n; ++i) {
      T sum = 0;
      for (int r = comm->ranks; r--;) sum += reinterpret_cast<const T*>(all[r].data())[i];
      static_cast<T*>(to)[i] = sum;
    }
  }
  int run() {
    if (comm->aborted) return begun = false, kReady;
    if (!begun) {
      begun = true;
      if (from)
        for (int r = 0; r < comm->ranks; ++r) memcpy(moves[r].data, from, moves[r].bytes);
      done.assign(moves.size(), false);
      for (const Move& move : moves)
        if (move.sends) comm->send(move.peer, move.data, move.bytes);
    }
    for (size_t k = 0; k < moves.size(); ++k)
      if (!moves[k].sends && !done[k]) {
        if (!comm->receive(moves[k].peer, moves[k].data, moves[k].bytes)) return kNotReady;
        done[k] = true;
      }
    if (from) type == kFloat32 ? add<float>() : add<double>();
    return begun = false, kReady;
  }
};

std::vector<std::shared_ptr<Operation>> kept;

int enqueue(std::shared_ptr<Operation> operation, void* stream) {
  kept.push_back(operation);
  auto run = [](void* data) { return static_cast<Operation*>(data)->run(); };
  return fake_cuda_enqueue(stream, run, operation.get()) ? refused(kInvalidUsage, "the stream refuses") : kSuccess;
}

int grouping = 0;
void* group_stream = nullptr;
std::shared_ptr<Operation> group;

int put(Comm* comm, Move move, void* stream) {
  if (!comm || move.peer < 0 || move.peer >= comm->ranks || !move.bytes) return refused(kInvalidArgument, "a message");
  if (!grouping) return refused(kInvalidUsage, "the stand-in wants messages in groups");
  if (!group) group = std::make_shared<Operation>(), group->comm = comm, group_stream = stream;
  if (group_stream != stream || group->comm != comm) return refused(kInvalidUsage, "a group on two streams");
  return group->moves.push_back(move), kSuccess;
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  const char* told = getenv("MOCHAC_FAKE_NCCL_VERSION");
  return *version = told ? atoi(told) : 22809, kSuccess;
}
int ncclGetUniqueId(Id* id) {
  memset(id, 0, sizeof *id);
  const char* where = getenv("TMPDIR");
  snprintf(id->folder, sizeof id->folder, "%s/fake-nccl-XXXXXX", where ? where : "/tmp");
  return mkdtemp(id->folder) ? kSuccess : refused(kSystemError, "no folder");
}
int ncclCommInitRank(Comm** out, int ranks, Id id, int rank) {
  if (rank < 0 || rank >= ranks) return refused(kInvalidArgument, "no such rank");
  if (access(id.folder, W_OK)) return refused(kSystemError, "the id is of no communicator");
  *out = new Comm{id.folder, rank, ranks};
  for (int r = 0; r < ranks; ++r) (*out)->send(r, &ranks, sizeof ranks);
  for (int r = 0, theirs; r < ranks; ++r)
    while (!(*out)->receive(r, &theirs, sizeof theirs)) usleep(200);
  return kSuccess;
}
int ncclCommAbort(Comm* comm) { return comm->aborted = true, kSuccess; }
int ncclCommDestroy(Comm* comm) {
  rmdir(comm->folder.c_str());  // the last one to leave
  return comm->aborted = true, kSuccess;
}
int ncclCommGetAsyncError(Comm* comm, int* status) {
  const bool fault = !access((comm->folder + "/fault").c_str(), F_OK);
  return *status = fault ? refused(kRemoteError, "the stand-in was told to fail") : kSuccess, kSuccess;
}
const char* ncclGetErrorString(int status) {
  return status == kRemoteError      ? "remote process exited or there was a network error"
         : status == kInvalidArgument ? "invalid argument"
                                      : "invalid usage";
}
const char* ncclGetLastError(Comm*) { return last.c_str(); }
int ncclGroupStart() { return ++grouping, kSuccess; }
int ncclGroupEnd() {
  if (--grouping || !group) return kSuccess;
  auto operation = std::move(group);
  return group = nullptr, enqueue(operation, group_stream);
}
int ncclSend(const void* from, size_t n, int type, int peer, Comm* comm, void* stream) {
  return put(comm, Move{true, const_cast<char*>(static_cast<const char*>(from)), n * bytes_of(type), peer}, stream);
}
int ncclRecv(void* to, size_t n, int type, int peer, Comm* comm, void* stream) {
  return put(comm, Move{false, static_cast<char*>(to), n * bytes_of(type), peer}, stream);
}
int ncclAllReduce(const void* from, void* to, size_t n, int type, int operation, Comm* comm, void* stream) {
  if (!comm || !n || !bytes_of(type) || operation != kSum) return refused(kInvalidArgument, "a sum");
  auto sum = std::make_shared<Operation>();
  sum->comm = comm, sum->from = from, sum->to = to, sum->n = n, sum->type = type;
  sum->all.assign(2 * comm->ranks, std::vector<char>(n * bytes_of(type)));
  for (int r = 0; r < comm->ranks; ++r)
    sum->moves.push_back(Move{true, sum->all[comm->ranks + r].data(), n * bytes_of(type), r});
  for (int r = 0; r < comm->ranks; ++r) sum->moves.push_back(Move{false, sum->all[r].data(), n * bytes_of(type), r});
  return enqueue(sum, stream);
}
}

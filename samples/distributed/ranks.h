// What the C++ samples for several GPUs share: a rank for each GPU, a thread of one process or a
// process of its own, with NCCL's communicator; messages beside kernels; a stopwatch.
#pragma once
#include "../sample.h"

#include <nccl.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <new>
#include <string>
#include <thread>

namespace sample {

/// Ends the program with exit status 1 when `status` is an error.
inline void require(ncclResult_t status, const char *what) {
  if (status == ncclSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", what, ncclGetErrorString(status));
  std::exit(1);
}

/// Which GPU this is, of how many. Kernels run in the GPU's default stream, messages in `side`.
class ranks {
public:
  const int rank, size;
  cudaStream_t side;

  ranks(int rank, int size, const ncclUniqueId &id) : rank(rank), size(size) {
    require(cudaSetDevice(rank), "cudaSetDevice");
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.CTAPolicy = NCCL_CTA_POLICY_ZERO; // multiprocessors are left to kernels where possible
    require(ncclCommInitRankConfig(&messages_, size, id, rank, &config), "ncclCommInitRankConfig");
    require(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "cudaStreamCreate");
    require(cudaMalloc(&number_, sizeof(float)), "cudaMalloc");
  }
  ranks(const ranks &) = delete;
  ranks &operator=(const ranks &) = delete;
  ~ranks() {
    cudaFree(number_);
    cudaStreamDestroy(side);
    ncclCommDestroy(messages_);
  }

  /// Starts send(messages) in `side` when the kernels launched so far have run. The event comes
  /// when the messages have.
  template <class Send> cudaEvent_t start(Send send) const {
    order(nullptr, side);
    require(ncclGroupStart(), "ncclGroupStart");
    send(messages_);
    require(ncclGroupEnd(), "ncclGroupEnd");
    return recorded(side);
  }

  /// Kernels launched from now on wait for the event, which is destroyed.
  void wait(cudaEvent_t event) const {
    require(cudaStreamWaitEvent(nullptr, event), "cudaStreamWaitEvent");
    cudaEventDestroy(event);
  }

  /// Starts the sum of `size` numbers over all ranks, in place.
  template <class T> cudaEvent_t all_reduce(T *data, std::size_t size) const;

  /// Starts the messages that put all ranks' parts of `size` numbers behind one another.
  template <class T> cudaEvent_t all_gather(const T *part, T *whole, std::size_t size) const;

  /// The largest of all ranks' numbers; returns when all have come here.
  float largest(float number) const {
    require(cudaMemcpy(number_, &number, sizeof(number), cudaMemcpyHostToDevice), "cudaMemcpy");
    wait(start([&](ncclComm_t messages) {
      require(ncclAllReduce(number_, number_, 1, ncclFloat, ncclMax, messages, side),
              "ncclAllReduce");
    }));
    require(cudaMemcpy(&number, number_, sizeof(number), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return number;
  }

  /// Of an array that each rank has; a collective call.
  ncclWindow_t window_of(void *data, std::size_t bytes) const {
    ncclWindow_t window = nullptr;
    require(ncclCommWindowRegister(messages_, data, bytes, &window, NCCL_WIN_COLL_SYMMETRIC),
            "ncclCommWindowRegister");
    return window;
  }
  void close(ncclWindow_t window) const { ncclCommWindowDeregister(messages_, window); }

  /// Microseconds of one act() among 20, by the slowest rank; the median of three times.
  template <class Act> double microseconds(Act act) const {
    std::vector<double> times;
    for (int turn = 0; turn < 4; ++turn) { // the first one warms up
      largest(0);
      const double seconds = seconds_once([&] {
        for (int run = 0; run < 20; ++run)
          act();
      });
      const double slowest = largest(float(seconds));
      if (turn != 0)
        times.push_back(1e6 * slowest / 20);
    }
    std::sort(times.begin(), times.end());
    return times[1];
  }

  /// Of what only the first rank does, while the others wait.
  template <class Act> double microseconds_alone(Act act) const {
    return microseconds([&] {
      if (rank == 0)
        act();
    });
  }

  /// A row of the table that run.sh prints.
  void report(const std::string &work, double microseconds, double alone) const {
    if (rank == 0)
      std::printf("%-44s %10.0f us   one rank %10.0f us, %4.2f x\n", work.c_str(), microseconds,
                  alone, alone / microseconds);
  }

private:
  static cudaEvent_t recorded(cudaStream_t stream) {
    cudaEvent_t event;
    require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
    require(cudaEventRecord(event, stream), "cudaEventRecord");
    return event;
  }

  static void order(cudaStream_t first, cudaStream_t second) {
    const cudaEvent_t event = recorded(first);
    require(cudaStreamWaitEvent(second, event), "cudaStreamWaitEvent");
    cudaEventDestroy(event);
  }

  ncclComm_t messages_;
  float *number_;
};

template <class T> cudaEvent_t ranks::all_reduce(T *data, std::size_t count) const {
  constexpr ncclDataType_t type = sizeof(T) == 2 ? ncclBfloat16 : ncclFloat;
  return start([&](ncclComm_t messages) {
    require(ncclAllReduce(data, data, count, type, ncclSum, messages, side), "ncclAllReduce");
  });
}

template <class T>
cudaEvent_t ranks::all_gather(const T *part, T *whole, std::size_t size) const {
  return start([&](ncclComm_t messages) {
    require(ncclAllGather(part, whole, size * sizeof(T), ncclInt8, messages, side),
            "ncclAllGather");
  });
}

/// An array of the same size on each rank, which other GPUs' copy engines reach: NCCL gathers such
/// arrays without a multiprocessor. All ranks make and destroy it together.
template <class T> class symmetric_array {
public:
  symmetric_array(const ranks &all, std::size_t size) : all_(all) {
    require(ncclMemAlloc(&data_, size * sizeof(T)), "ncclMemAlloc");
    window_ = all.window_of(data_, size * sizeof(T));
  }
  symmetric_array(const ranks &all, const std::vector<T> &numbers)
      : symmetric_array(all, numbers.size()) {
    require(cudaMemcpy(data_, numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  symmetric_array(const symmetric_array &) = delete;
  symmetric_array &operator=(const symmetric_array &) = delete;
  ~symmetric_array() {
    cudaDeviceSynchronize();
    all_.close(window_);
    ncclMemFree(data_);
  }
  T *get() const { return static_cast<T *>(data_); }

private:
  const ranks &all_;
  void *data_ = nullptr;
  ncclWindow_t window_;
};

/// Ends the program unless `got` is as near `wanted` as a hundredth, as whole vectors.
template <class T>
double expect_whole(const std::vector<T> &got, const std::vector<T> &wanted, double most = 1e-2) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double a = float(got[i]), b = float(wanted[i]);
    difference += (a - b) * (a - b), size += b * b;
  }
  const double relative = std::sqrt(difference / size);
  if (got.size() == wanted.size() && relative < most)
    return relative;
  std::fprintf(stderr, "error: the result differs from that of one GPU by %.3g\n", relative);
  std::exit(1);
}

/// What ranks tell each other ahead of NCCL.
struct meeting {
  std::atomic<bool> is_there{false};
  ncclUniqueId id;
};

/// The first rank makes the number by which all of them find each other.
template <class Body> void run_rank(int rank, int size, meeting &at, Body body) {
  if (rank == 0) {
    require(ncclGetUniqueId(&at.id), "ncclGetUniqueId");
    at.is_there = true;
  }
  while (!at.is_there)
    usleep(1000);
  const ranks all(rank, size, at.id);
  body(all);
  all.largest(0);
}

/// By a process of its own: one that has called CUDA cannot be forked.
inline int count_gpus() {
  const pid_t child = fork();
  if (child == 0) {
    int count = 0;
    _exit(cudaGetDeviceCount(&count) == cudaSuccess ? count : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/// A process for each rank; the first failure ends all. The exit status.
template <class Body> int run_processes(int size, Body body) {
  void *const shared =
      mmap(nullptr, sizeof(meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    return std::perror("error: mmap"), 1;
  auto &at = *new (shared) meeting;
  std::vector<pid_t> children;
  for (int rank = 0; rank < size; ++rank) {
    children.push_back(fork());
    if (children.back() == 0) {
      run_rank(rank, size, at, body);
      std::exit(0);
    }
  }
  int failed = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    int status = 0;
    wait(&status);
    if (status != 0 && !failed++)
      for (pid_t child : children)
        kill(child, SIGTERM);
  }
  return failed != 0;
}

template <class Body> int run_threads(int size, Body body) {
  meeting at;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] { run_rank(rank, size, at, body); });
  for (std::thread &thread : threads)
    thread.join();
  return 0;
}

/// Runs body(ranks) on each GPU, as the words ahead of the program's own say:
///
///   --processes   a process for each GPU; without it one process with a thread for each
///   --gpus=N      the first N, not all
///
/// Those words are removed from the arguments. The exit status.
struct launcher {
  int gpus = count_gpus();
  bool has_processes = false;

  launcher(int &argc, char **argv) {
    int kept = 1, wanted = gpus;
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--processes") == 0)
        has_processes = true;
      else if (std::strncmp(argv[i], "--gpus=", 7) == 0)
        wanted = std::atoi(argv[i] + 7);
      else
        argv[kept++] = argv[i];
    }
    argc = kept;
    if (gpus == 0) {
      std::fprintf(stderr, "error: this program needs a GPU, and there is none here; the sample of "
                           "the same name in Python also runs on the CPU\n");
      std::exit(1);
    }
    if (wanted < 1 || wanted > gpus) {
      std::fprintf(stderr, "error: --gpus takes 1 to %d here\n", gpus);
      std::exit(1);
    }
    gpus = wanted;
  }

  template <class Body> int run(Body body) const {
    return has_processes ? run_processes(gpus, body) : run_threads(gpus, body);
  }

  /// Ends the program unless `size` can be divided so.
  void require_multiple(const char *name, unsigned size, unsigned factor) const {
    if (size % factor == 0)
      return;
    std::fprintf(stderr, "error: %s must be a multiple of %u on %d GPUs\n", name, factor, gpus);
    std::exit(1);
  }
};

} // namespace sample

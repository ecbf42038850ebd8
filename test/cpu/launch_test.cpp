// Launches on the CPU: every block once, CUDA's errors for CUDA's mistakes, cudaLaunchKernel by
// entry.
#include <tessera/host/cpu.h>
#include <tessera/host/failure.h>
#include <tessera/tile/cpu/grid.h>

#include <gtest/gtest.h>

#include <sched.h>

#include <atomic>
#undef NDEBUG
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace tessera::host {
std::size_t worker_count();
}

namespace {
namespace prim = cuda::tiles::__prim;
using tessera::host::configure;

// What the compiler makes of a tile kernel and of its launch.
template <int Step> void count_blocks(std::atomic<int> *counts, unsigned width, unsigned height) {
  if (auto *launch = tessera::host::pending_launch())
    return launch->run([=] { count_blocks<Step>(counts, width, height); });
  EXPECT_EQ(prim::num_blocks<0>(), width);
  counts[(prim::bid<2>() * height + prim::bid<1>()) * width + prim::bid<0>()] += Step;
}
const tessera::host::kernel_registration<void (*)(std::atomic<int> *, unsigned, unsigned),
                                         &count_blocks<2>>
    registration{"count_blocks<2>"};

TEST(Launch, EveryBlockOnce) {
  std::vector<std::atomic<int>> counts(7 * 5 * 300);
  (configure(dim3(300, 5, 7), 1), count_blocks<1>(counts.data(), 300, 5));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  for (auto &c : counts)
    EXPECT_EQ(c, 1);
}

TEST(Launch, ConfigurationsThatCudaRefusesRunNothing) {
  std::vector<std::atomic<int>> counts(4);
  for (auto [grid, block] : {std::pair(dim3(4), dim3(32)), std::pair(dim3(0), dim3(1)),
                             std::pair(dim3(1, 70000), dim3(1))}) {
    (configure(grid, block), count_blocks<1>(counts.data(), 4, 1));
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
  for (auto &c : counts)
    EXPECT_EQ(c, 0);
}

// The arguments of a launch may launch.
TEST(Launch, NestedInItsArguments) {
  std::vector<std::atomic<int>> counts(4);
  const auto width = [&] { return (configure(4), count_blocks<1>(counts.data(), 4, 1)), 2u; };
  (configure(2), count_blocks<1>(counts.data(), width(), 1));
  EXPECT_EQ(counts[0], 2);
  EXPECT_EQ(counts[3], 1);
}

// What a SIMT kernel is made into: its threads run on the launching thread, too.
void add_one(int *x) {
  if (auto *launch =
          tessera::host::pending_simt_launch<void (*)(int *), &add_one>([] { return "add_one"; }))
    return launch->run("add_one", [=] { add_one(x); });
  ++*x;
}

TEST(Launch, OfSimtKernelsInTheArguments) {
  int x = 0;
  const auto launching = [&] { return (configure(1), add_one(&x)), &x; };
  (configure(1), add_one(launching()));
  EXPECT_EQ(x, 2);
  std::vector<std::atomic<int>> counts(4);
  (configure(4), count_blocks<1>(counts.data(), unsigned(*launching() + 1), 1));
  EXPECT_EQ(x, 3);
  EXPECT_EQ(counts[3], 1);
}

// A launch whose argument throws launches nothing, and no later one.
TEST(Launch, WhoseArgumentsThrow) {
  int x = 0;
  const auto throwing = []() -> int * { throw 1; };
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW((configure(7), add_one(throwing())), int);
    EXPECT_EQ(tessera::host::configured_launches.size(), 0u);
    (configure(1), add_one(&x));
  }
  EXPECT_EQ(x, 3);
  const auto catching = [&] {
    try {
      (configure(7), add_one(throwing()));
    } catch (int) {
    }
    return &x;
  };
  (configure(1), add_one(catching()));
  EXPECT_EQ(x, 4);
  add_one(&x); // no launch: an ordinary call
  EXPECT_EQ(x, 5);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(LaunchKernel, FindsTheEntry) {
  std::vector<std::atomic<int>> counts(6);
  std::atomic<int> *p = counts.data();
  unsigned width = 6, height = 1;
  void *arguments[] = {&p, &width, &height};
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void *>(&count_blocks<2>), 6, 1, arguments, 0,
                             nullptr),
            cudaSuccess);
  for (auto &c : counts)
    EXPECT_EQ(c, 2);
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void *>(&count_blocks<2>), 6, 2, arguments, 0,
                             nullptr),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void *>(&count_blocks<3>), 6, 1, arguments, 0,
                             nullptr),
            cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
}

// A tile of 16 MB fits on the stack of a block.
void use_a_big_tile(long *sum) {
  if (auto *launch = tessera::host::pending_launch())
    return launch->run([=] { use_a_big_tile(sum); });
  volatile char tile[3][16 << 20];
  for (auto &t : tile)
    for (int i = 0; i < 16 << 20; i += 4096)
      t[i] = 1, *sum += t[i];
}
TEST(Launch, BigTilesFit) {
  long sum = 0;
  (configure(1), use_a_big_tile(&sum));
  EXPECT_EQ(sum, 3 * 4096);
}

// Blocks that wait for later ones, as blocks that a GPU holds at once may: all for the next (step
// 1), or each first of two for the second.
void wait_for_next(volatile int *flags, int step) {
  if (auto *launch = tessera::host::pending_launch())
    return launch->run([=] { wait_for_next(flags, step); });
  const unsigned block = prim::bid<0>();
  if (block % unsigned(step) == 0 && block + 1 < prim::num_blocks<0>())
    while (flags[block + 1] == 0)
      ;
  flags[block] = 1;
}

bool ends(unsigned blocks, int step) {
  std::vector<int> flags(blocks);
  (configure(blocks), wait_for_next(flags.data(), step));
  return flags[0] == 1 && cudaGetLastError() == cudaSuccess;
}

TEST(Launch, BlocksThatWaitForLaterOnes) {
  if (std::getenv("TESSERA_CPU_THREADS"))
    GTEST_SKIP() << "no more threads than that";
  const auto workers = unsigned(tessera::host::worker_count());
  EXPECT_TRUE(ends(workers + 3, 1));
  EXPECT_TRUE(ends(64 * workers, 2)); // a worker takes several blocks at once
}

TEST(Launch, BlocksThatWaitOnOneProcessor) {
  if (std::getenv("TESSERA_CPU_THREADS"))
    GTEST_SKIP() << "no more threads than that";
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // before there are workers
  const auto on_one_processor = [] {
    cpu_set_t allowed, one;
    sched_getaffinity(0, sizeof allowed, &allowed);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
      if (CPU_ISSET(i, &allowed))
        CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    std::_Exit(tessera::host::worker_count() == 1 && ends(3, 1) ? 0 : 1);
  };
  EXPECT_EXIT(on_one_processor(), testing::ExitedWithCode(0), "");
}

// Block 2 of 4 fails; the others count.
enum class failing { assertion, null_pointer, division, stack, far };

int deep(volatile int *x) {
  volatile char frame[1024];
  frame[0] = char(*x);
  return *x ? deep(x) + frame[0] : 0;
}

void fail(failing how, int *counts) {
  if (auto *launch = tessera::host::pending_launch())
    return launch->run([=] { fail(how, counts); });
  const unsigned block = prim::bid<0>();
  volatile int zero = 0, one = 1;
  if (block != 2)
    counts[block]++;
  else if (how == failing::assertion)
    assert(zero == 1);
  else if (how == failing::null_pointer)
    *reinterpret_cast<volatile int *>(zero) = 1;
  else if (how == failing::division)
    zero = one / zero;
  else if (how == failing::stack)
    zero = deep(&one);
  else
    one = counts[(1ll << 42) + zero];
}

// What is wrong with such a launch, which is known when it returns; null: nothing.
const char *wrong_of(failing how, cudaError_t wanted) {
  int *counts = nullptr;
  cudaMalloc(reinterpret_cast<void **>(&counts), 16);
  cudaMemset(counts, 0, 16);
  (configure(4), fail(how, counts));
  if (cudaGetLastError() != wanted || cudaDeviceSynchronize() != wanted)
    return "the error";
  if (counts[0] != 1 || counts[1] != 1 || counts[2] != 0 || counts[3] != 1)
    return "the other blocks";
  if (!std::strstr(tessera::host::failure_message(), "[kernel fail, block (2, 0, 0)]"))
    return "the message";
  (configure(4), fail(how, counts));
  if (cudaPeekAtLastError() != wanted || counts[0] != 1)
    return "the next launch";
  return nullptr;
}

void expect_failure(failing how, cudaError_t wanted, const char *said) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // before there are workers
  const auto fails = [&] {
    setenv("TESSERA_CPU_STACK_MIB", "1", 1);
    const char *wrong = wrong_of(how, wanted);
    std::fprintf(stderr, "%s\n", wrong ? wrong : "as it should");
    std::_Exit(wrong != nullptr);
  };
  EXPECT_EXIT(fails(), testing::ExitedWithCode(0), said);
}

TEST(Failure, OfAnAssertion) {
  expect_failure(
      failing::assertion, cudaErrorAssert,
      "launch_test.cpp:[0-9]+: void .*fail.*: Assertion `zero == 1' failed. .kernel fail");
}
TEST(Failure, OfAnAccess) {
  expect_failure(failing::null_pointer, cudaErrorIllegalAddress,
                 "segmentation fault: access of 0x0, a null pointer .kernel fail, block .2, 0, 0.");
  expect_failure(failing::far, cudaErrorIllegalAddress,
                 "17592186044400 bytes behind the 16 bytes allocated at 0x");
}
TEST(Failure, OfADivision) {
  expect_failure(failing::division, cudaErrorLaunchFailure, "an integer is divided by zero");
}
TEST(Failure, OfAStack) {
  expect_failure(failing::stack, cudaErrorIllegalAddress, "the stack of its thread is exhausted");
}

// What is not a kernel's goes where it went before.
TEST(Failure, OfTheHost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fault = [](bool is_handled) {
    if (is_handled)
      std::signal(SIGSEGV, [](int) { std::_Exit(7); });
    std::vector<std::atomic<int>> counts(4);
    (configure(4), count_blocks<1>(counts.data(), 4, 1));
    volatile int zero = 0;
    *reinterpret_cast<volatile int *>(zero) = 1;
  };
  EXPECT_EXIT(fault(true), testing::ExitedWithCode(7), "");
  EXPECT_DEATH(fault(false), "");
  EXPECT_EXIT((fault(true), std::raise(SIGSEGV)), testing::ExitedWithCode(7), "");
}

TEST(Runtime, CopiesSymbolsAndEvents) {
  static int symbol[4] = {1, 2, 3, 4};
  int back[2];
  EXPECT_EQ(cudaMemcpyFromSymbol(back, symbol, sizeof back, 2 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(back[1], 4);
  int *device = nullptr;
  EXPECT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(device) % 256, 0u);
  EXPECT_EQ(cudaMemset(device, 0, 64), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, back, 8, static_cast<cudaMemcpyKind>(77)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(nullptr, back, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_STREQ(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidValue");
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  cudaEventRecord(start);
  cudaEventRecord(end);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  cudaGetLastError();
}

} // namespace

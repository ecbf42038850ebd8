// Kernels in forked children: the threads that ran the parent's are gone, and whoever held a lock
// while another thread forked never gives it back.
#ifdef TESSERA_TEST_EMULATED
#define TESSERA_EMULATE
#include <tessera/host/launch.h>
#include <tessera/simt.cuh>
#else
#include <tessera/host/cpu.h>
#include <tessera/tile/cpu/grid.h>
#endif

#include <gtest/gtest.h>

#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace {
using tessera::host::configure;

constexpr unsigned blocks = 40;

#ifdef TESSERA_TEST_EMULATED

void count_simt(unsigned *counts) {
  using namespace tessera;
  arch::atomic_rmw<atomic::add, order::relaxed, scope::device>(counts + block_index<0>(), 1u);
}
void count(unsigned *counts) { tessera::host::launch<void (*)(unsigned *), &count>(counts); }
const tessera::host::kernel_registration<decltype(&count_simt), &count> registration{
    &count_simt, "count", {{90, 1, 0}}};

#else

void count(unsigned *counts) {
  if (auto *launch = tessera::host::pending_launch())
    return launch->run([=] { count(counts); });
  ++counts[cuda::tiles::__prim::bid<0>()];
}

#endif

// Allocates, launches and frees.
bool is_right() {
  unsigned *counts = nullptr;
  bool result = cudaMalloc(reinterpret_cast<void **>(&counts), blocks * sizeof *counts) == 0 &&
                cudaMemset(counts, 0, blocks * sizeof *counts) == 0;
  (configure(blocks), count(counts));
  result = result && cudaGetLastError() == cudaSuccess;
  for (unsigned i = 0; i < blocks; i++)
    result = result && counts[i] == 1;
  return cudaFree(counts) == cudaSuccess && result;
}

// Whether a child, and a child of its own, launch as their parent does.
bool is_right_in_child(int generations) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60); // which ends one that hangs
    const bool result = is_right() && (generations == 1 || is_right_in_child(generations - 1));
    _exit(result && is_right() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

TEST(Fork, ChildrenLaunch) {
  EXPECT_TRUE(is_right());
  EXPECT_TRUE(is_right_in_child(2));
  EXPECT_TRUE(is_right());
}

// Forks 30 times while two other threads act over and over.
template <class Act> void fork_beside(Act act) {
  std::atomic<bool> is_enough = false;
  const auto act_on = [&] {
    while (!is_enough)
      act();
  };
  std::thread one(act_on), other(act_on);
  for (int i = 0; i < 30; i++)
    EXPECT_TRUE(is_right_in_child(1)) << i;
  is_enough = true;
  one.join();
  other.join();
}

TEST(Fork, WhileOtherThreadsLaunch) {
  std::atomic<bool> were_right = true;
  fork_beside([&] { were_right = is_right() && were_right; });
  EXPECT_TRUE(were_right);
}

// As unwinders do: fork() does not give the loader's lock back in the child.
TEST(Fork, WhileOtherThreadsListLibraries) {
  fork_beside([] { dl_iterate_phdr([](auto...) { return 0; }, nullptr); });
}

} // namespace

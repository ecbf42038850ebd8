// Eight threads launch tile kernels, by <<<>>> and by address, while libraries with tile kernels
// are loaded, used and closed. Every launch must run the right kernel.
//
//   main LIBRARY... [-n ROUNDS]
#include "kernels.h"
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <vector>

constexpr int count = 128;
std::atomic<int> failures{0};

void require(cudaError_t error, const char *what) {
  if (error != cudaSuccess && failures++ < 10)
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
}

struct numbers {
  int *device = nullptr;
  cudaStream_t stream;
  int expected = 0;

  numbers() {
    require(cudaStreamCreate(&stream), "stream");
    require(cudaMalloc((void **)&device, count * sizeof(int)), "memory");
    require(cudaMemset(device, 0, count * sizeof(int)), "memset");
    require(cudaDeviceSynchronize(), "memset");
  }
  ~numbers() {
    cudaFree(device);
    cudaStreamDestroy(stream);
  }

  void check(const char *who) {
    int host[count];
    require(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, stream), "copy");
    require(cudaStreamSynchronize(stream), who);
    for (int i = 0; i < count; i++)
      if (host[i] != expected && failures++ < 10)
        std::printf("%s: [%d] is %d, not %d\n", who, i, host[i], expected);
  }
};

void launch_in_a_thread(const std::atomic<bool> &is_over) {
  numbers x;
  for (int round = 0; !is_over || round < 4; round++) {
    add<64><<<2, 1, 0, x.stream>>>(x.device, 1);
    require(cudaGetLastError(), "launch");
    int by = 2;
    void *arguments[] = {&x.device, &by};
    require(cudaLaunchKernel((const void *)add<128>, 1, 1, arguments, 0, x.stream), "by address");
    x.expected += 3;
    if (round % 16 == 0)
      x.check("a thread");
  }
  x.check("a thread");
}

int main(int argc, char **argv) {
  std::vector<const char *> libraries;
  int rounds = 100;
  for (int i = 1; i < argc; i++)
    if (std::strcmp(argv[i], "-n") == 0 && i + 1 < argc)
      rounds = std::atoi(argv[++i]);
    else
      libraries.push_back(argv[i]);

  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back([&] { launch_in_a_thread(is_over); });
  numbers x;
  for (int round = 0; round < rounds; round++)
    for (const char *library : libraries) {
      void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
      auto launch_all =
          handle ? (cudaError_t(*)(int *, cudaStream_t))dlsym(handle, "launch_all") : nullptr;
      if (!launch_all)
        return std::printf("%s\n", dlerror()), 1;
      require(launch_all(x.device, x.stream), "library");
      x.expected += 111;
      x.check("the libraries");
      dlclose(handle);
    }
  is_over = true;
  for (std::thread &thread : threads)
    thread.join();
  std::printf("%s\n", failures ? "wrong" : "passed");
  return failures != 0;
}

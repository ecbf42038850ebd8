// A case is a process of its own: after a failed check a device does nothing more.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

// Two launches over 1024 floats 1, 2, ...: one that is right, one that is not.
inline void run(const char *name, void (*right)(float *), void (*wrong)(float *)) {
  std::printf("case %s\n", name);
  std::fflush(stdout);
  if (fork() == 0) {
    float *p;
    cudaMallocManaged(&p, 1024 * sizeof(float));
    for (int i = 0; i < 1024; ++i)
      p[i] = float(i + 1);
    right(p);
    std::printf("kept: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    std::fflush(stdout);
    wrong(p);
    std::_Exit(cudaDeviceSynchronize() == cudaSuccess);
  }
  wait(nullptr);
}

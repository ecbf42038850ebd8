// show.h - for probes with many kernels: k(o, p, f, 5) over fresh buffers, which are printed
// where they have changed.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

#include "probe.h"

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... D> using tile = ct::tile<E, ct::shape<D...>>;
using I8 = tile<int, 8>;
using F8 = tile<float, 8>;
using P8 = tile<int *, 8>;

struct Shown {
  Buf<int> o = Buf<int>(64), p = Buf<int>(64, [](int i) { return 3 * i + 1; });
  Buf<float> f = Buf<float>(64, [](int i) { return 0.5f * i - 4; });

  template <class T> static void show_changed(Buf<T> &buffer, const char *label) {
    T before[64];
    for (int i = 0; i < 64; i++)
      before[i] = buffer[i];
    buffer.fetch();
    bool changed = false;
    for (int i = 0; i < 64; i++)
      changed |= !(buffer[i] == before[i]);
    if (changed)
      buffer.print(label);
  }
  void print(const char *name) {
    if (!ran()) {
      probe_bad = 1;
      return;
    }
    printf("%s\n", name);
    o.print(" o");
    show_changed(p, " p"), show_changed(f, " f");
  }
};

// A macro, since a launch names its kernel.
#define SHOW(KERNEL)                                                                               \
  {                                                                                                \
    Shown shown;                                                                                   \
    KERNEL<<<1, 1>>>(shown.o, shown.p, shown.f, 5);                                                \
    shown.print(#KERNEL);                                                                          \
  }

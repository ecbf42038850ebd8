// What the tests of the runtime share: a block that must run without a report, tiles as plain
// arrays, and fragments to and from them.
#pragma once

#include <tessera/emulate/engine.h>
#include <tessera/emulate/report.h>
#include <tessera/host/allocations.h>
#include <tessera/simt.cuh>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cuda_fp4.h>
#include <cuda_fp8.h>

#include <vector>

namespace tessera {

// The arrays of tests are the host's.
inline const bool is_host_memory_open = (host::allocations().know_all(false), true);

// Runs `body` in every thread of one block of L::thread_count threads; a race or a divergence is a
// failure.
template <class L, class Body> void in_block_of(Body body, std::size_t shared_bytes = 64 * 1024) {
  emulate::run(1, L::thread_count, shared_bytes, body, "kernel");
  EXPECT_THAT(emulate::take_reports(), testing::IsEmpty());
}

// This thread's share of a tile whose element i is f(i), straight from the definition of a layout.
template <class L, class F> auto make(F f) {
  fragment<decltype(f(0)), L> x;
  for (int r = 0; r < L::register_count; ++r)
    x.r[r] = f(L::thread_element() ^ L::element(r));
  return x;
}

// Every register of this thread must hold f(element).
template <class T, class L, class F> void expect_elements(const fragment<T, L> &x, F f) {
  for (int r = 0; r < L::register_count; ++r) {
    const int element = L::thread_element() ^ L::element(r);
    EXPECT_EQ(static_cast<double>(x.r[r]), static_cast<double>(f(element)))
        << "element " << element << " in register " << r;
  }
}

// Small numbers that any element type holds exactly and that differ between neighbours.
inline int pattern(int i) { return (i * 37 + (i >> 5) * 11) % 31 - 15; }

} // namespace tessera

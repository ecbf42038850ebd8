// A variable keeps its name, unless the text around it means something else by it.
// RUN: %tessera %s -o - | FileCheck %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

// CHECK-LABEL: {{^}}// runtime_words,
// CHECK-SAME: 32 threads
// CHECK-NEXT: runtime_words_simt(int *out, int lanes_, int fragment_, int ordinary)
// CHECK: store_ = {{.*}}splat<tile_32>(lanes_)
__tile_global__ void runtime_words(int *out, int lanes, int fragment, int ordinary) {
  auto index = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto store = index * lanes + fragment;
  ct::store(out + index, store + store * ordinary);
}

// Two variables of one name, in scopes that the text no longer has.
// CHECK-LABEL: {{^}}// shadows,
// CHECK: const auto [[FIRST:x.*]] = load
// CHECK: {{.*}} + ([[FIRST]] * [[FIRST]])
// CHECK: const auto [[SECOND:x_.*]] = load
// CHECK: {{.*}} + ([[SECOND]] * [[SECOND]])
__tile_global__ void shadows(float *out, const float *in) {
  auto index = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto total = ct::zeros<ct::tile<float, ct::shape<32>>>();
  {
    auto x = ct::load(in + index);
    total = total + x * x;
  }
  {
    auto x = ct::load(in + (index + 32));
    total = total + x * x;
  }
  ct::store(out + index, total);
}

// What has no variable in the program is called after the array that it comes from.
// CHECK-LABEL: {{^}}// after_arrays,
// CHECK-DAG: const int counts_element = load(counts);
// CHECK-DAG: const auto in_tile = load(
__tile_global__ void after_arrays(float *out, const float *in, const int *counts) {
  auto index = ct::iota<ct::tile<int, ct::shape<32>>>();
  ct::store(out + index * *counts, ct::load(in + index) * static_cast<float>(*counts));
}

// Keywords of C++, also those that a host compiler adds, and no others: Clang's table says which.
// CHECK-LABEL: {{^}}// keywords,
// CHECK: keywords_simt(int *out, int typeof_, int restrict, int pipe)
__tile_global__ void keywords(int *out, int typeof, int restrict, int pipe) {
  auto index = ct::iota<ct::tile<int, ct::shape<32>>>();
  ct::store(out + index, index * typeof + restrict * pipe);
}

// Text stays legible in a literal; what is no letter is escaped.
// CHECK-LABEL: {{^}}// texts,
// CHECK: printf("Größe\t\"%d\"\n\001", n);
__tile_global__ void texts(int n) {
  printf("Größe\t\"%d\"\n\001", n);
}

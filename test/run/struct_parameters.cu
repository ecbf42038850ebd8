// options: --extensions
// Structs that kernels take by value: their fields of every type and place, read directly, through
// references, copies and members, at constant and run-time indices; written, which changes the
// block's own copy alone; through every form of a launch.
#include "run.h"

#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;
using run::require;

// A pointer, extents and strides.
template <class T, int Rank> struct descriptor {
  T *data;
  long long shape[Rank];
  long long strides[Rank];
};

template <class T, int Rank> __tile__ T *first_of_row(const descriptor<T, Rank> &d, long long row) {
  return d.data + row * d.strides[Rank - 2];
}

template <class T>
__tile_global__ void scale_rows(descriptor<const T, 2> from, descriptor<T, 2> to, float factor) {
  auto row = ct::bid().x;
  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto mask = i < int(from.shape[1]);
  auto x = ct::load_masked(first_of_row(from, row) + i, mask, T(0));
  ct::store_masked(first_of_row(to, row) + i, x * T(factor), mask);
}

// Assumptions on what is read, and views.
__tile_global__ void transpose(const descriptor<float, 2> from, descriptor<float, 2> to) {
  to.data = ct::assume_aligned(to.data, 16_ic);
  auto source = ct::partition_view{
      ct::tensor_span{ct::assume_aligned(from.data, 16_ic),
                      ct::layout_strided_mapping{ct::extents{from.shape[0], from.shape[1]},
                                                 ct::extents{from.strides[0], 1_ic}}},
      ct::shape{8_ic, 8_ic}};
  auto target = ct::partition_view{
      ct::tensor_span{to.data, ct::layout_strided_mapping{ct::extents{to.shape[0], to.shape[1]},
                                                          ct::extents{to.strides[0], 1_ic}}},
      ct::shape{8_ic, 8_ic}};
  target.store_masked(ct::transpose(source.load_masked(0, 0)), 0, 0);
}

enum class color : unsigned char { red = 3, green = 200 };
enum plain { low = -5, high = 7 };
struct empty {};
struct alignas(32) inner {
  short rows[3][2];
  __half half;
  __nv_bfloat16 brain;
  __nv_fp8_e4m3 narrow;
  bool flags[3];
};
union number {
  float real;
  unsigned bits;
};
struct base {
  double in_base;
  signed char hidden;
};
struct everything : base {
  color c;
  plain p;
  [[no_unique_address]] empty none;
  unsigned bits : 5, more : 20; // for the host
  int below : 7;
  inner parts[2];
  unsigned short hidden;
  number n;
  struct {
    long unnamed_member;
  };
  const int *const *table;
  unsigned long long wide;
  char letter;

  __tile__ int sum_of_row(int row) const { return parts[1].rows[row][0] + parts[1].rows[row][1]; }
  everything() = default;

private:
  int secret = 77;

public:
  __tile__ int get() const { return secret; }
};

__tile__ int through_pointer(const everything *e) { return int(e->wide >> 40) + e->letter; }
__tile__ long through_copy(everything e) {
  e.unnamed_member += 1;
  e.parts[0].rows[1][1] = 9;
  return e.unnamed_member + e.parts[0].rows[1][1];
}

__tile_global__ void fields(everything e, long *o, int zero) {
  int n = 0;
  o[n++] = long(e.in_base * 4);
  o[n++] = e.base::hidden;
  o[n++] = e.hidden;
  o[n++] = long(e.c) + (e.c == color::green);
  o[n++] = e.p;
  o[n++] = e.sum_of_row(1);
  o[n++] = e.parts[0].rows[2][1];
  o[n++] = long(float(e.parts[0].half) * 8) + long(float(e.parts[1].brain) * 8);
  o[n++] = long(float(e.parts[1].narrow) * 8);
  o[n++] = e.parts[1].flags[0] + 2 * e.parts[1].flags[1] + 4 * e.parts[1].flags[2];
  o[n++] = e.n.bits;
  o[n++] = long(e.n.real);
  o[n++] = e.unnamed_member;
  o[n++] = e.table[1][2];
  o[n++] = through_pointer(&e);
  o[n++] = through_copy(e);
  o[n++] = e.unnamed_member; // as it was
  o[n++] = e.get();
  o[n++] = e.letter;
  o[n++] = long(e.wide % 1000);
  long sum = 0;
  for (int i = zero; i < 2; ++i) // run-time indices
    for (int row = zero; row < 3; ++row)
      for (int column = zero; column < 2; ++column)
        sum = 3 * sum + e.parts[i].rows[row][column] + e.parts[i].flags[row];
  o[n++] = sum;
  // A choice among structs, and of a field's address.
  const inner &chosen = zero ? e.parts[0] : e.parts[1];
  o[n++] = chosen.rows[0][zero + 1];
}

// A field is written through a pointer that may be to another.
__tile_global__ void written(everything e, long *o, int zero) {
  short *which = zero ? &e.parts[0].rows[0][0] : &e.parts[1].rows[2][1];
  *which += 5;
  o[0] = e.parts[1].rows[2][1];
  e.parts[zero].half = __half(0.25f);
  o[1] = long(float(e.parts[0].half) * 8) + e.parts[zero + 1].flags[1];
}

// A pointer that is replaced by one to local memory and back.
struct buffer {
  int *p;
  int n;
};
__tile_global__ void replaced(buffer b, int *o) {
  buffer local = b;
  local.n += b.n;
  if (b.n > 3)
    b.p = o + 1;
  b.p[0] = local.n;
  local.p[1] = b.n;
  auto t = ct::iota<ct::tile<int, ct::shape<4>>>();
  ct::store(b.p + 2 + t, t + b.n);
}

// More than a kernel's parameters had before, and indices of run time that are written.
struct table {
  int values[600];
};
__tile_global__ void tables(table t, int *o, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += t.values[i] * (i % 7);
  o[0] = sum;
  t.values[n - 1] = 5;
  o[1] = t.values[n - 1] + t.values[n - 2];
}

struct __attribute__((packed)) packed {
  char c;
  int i;
  double d;
  short s[3];
};
__tile_global__ void packed_fields(packed x, long *o, int one) {
  o[0] = x.i;
  o[1] = long(x.d);
  o[2] = x.s[one] + x.s[2];
  x.i += one;
  x.s[one] = 4;
  o[3] = x.i + x.s[1] + x.s[one + 1];
}

struct pair {
  int *p;
  int n;
};
__tile_global__ void add(pair a, pair *b) { a.p[ct::bid().x] += a.n + b->n; }

void launches() {
  run::array<int> counts(4);
  run::array<pair> other(1, [&](auto) { return pair{nullptr, 100}; });
  pair a{counts.device, 1};
  pair *b = other.device;
  cudaStream_t stream;
  require(cudaStreamCreate(&stream));
  add<<<4, 1>>>(a, b);
  add<<<dim3(4), dim3(1), 0, stream>>>(pair{counts.device, 2}, b);
  auto pointer = add;
  pointer<<<4, 1>>>({counts.device, 4}, b);
  void *arguments[] = {&a, &b};
  require(cudaLaunchKernel(add, 4, 1, arguments, 0, stream));
  cudaLaunchConfig_t config = {};
  config.gridDim = 4, config.blockDim = 1, config.stream = stream;
  require(cudaLaunchKernelEx(&config, add, a, b));
  require(cudaLaunchKernelExC(&config, (const void *)add, arguments));
  require(cudaStreamSynchronize(stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<4, 1, 0, stream>>>(a, b);
  require(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node;
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)add, parameters.gridDim = 4, parameters.blockDim = 1;
  parameters.kernelParams = arguments;
  require(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  a.n = 1000; // a graph has what it was given
  require(cudaGraphInstantiate(&executable, graph, 0));
  require(cudaGraphLaunch(executable, stream));
  require(cudaStreamSynchronize(stream));
  counts.fetch();
  run::expect("launches", counts, [](auto) { return 8 * 101 + 1 + 3; });
}

int main() {
  run::array<float> x(4 * 40, [](auto i) { return float(i % 11); }), y(4 * 24);
  descriptor<const float, 2> from{x.device, {4, 24}, {40, 1}};
  descriptor<float, 2> to{y.device, {4, 24}, {24, 1}};
  scale_rows<<<4, 1>>>(from, to, 3.0f);
  run::expect("rows", y, [](auto i) { return float((i / 24 * 40 + i % 24) % 11) * 3; });
  run::array<float> z(8 * 8), turned(8 * 8);
  for (int i = 0; i < 64; ++i)
    z.host[i] = float(i);
  require(cudaMemcpy(z.device, z.host.get(), 256, cudaMemcpyHostToDevice));
  transpose<<<1, 1>>>({z.device, {8, 8}, {8, 1}}, {turned.device, {8, 8}, {8, 1}});
  run::expect("transpose", turned, [](auto i) { return float(i % 8 * 8 + i / 8); });

  run::array<int> ints(3, [](auto i) { return int(i) + 40; });
  run::array<int *> rows(2, [&](auto) { return ints.device; });
  everything e{};
  e.in_base = 2.25, e.base::hidden = -3, e.hidden = 65000, e.c = color::green, e.p = low;
  e.bits = 19, e.more = 700000, e.below = -60, e.n.real = 6.5f, e.unnamed_member = -1234567890123;
  e.table = rows.device, e.wide = 0xfedcba9876543210, e.letter = 'x';
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 6; ++j)
      e.parts[i].rows[j / 2][j % 2] = short(i * 10 + j - 4);
    e.parts[i].half = __float2half(1.5f + i), e.parts[i].brain = __float2bfloat16(2.5f + i);
    e.parts[i].narrow = __nv_fp8_e4m3(-0.75f - i);
    e.parts[i].flags[0] = i == 0, e.parts[i].flags[1] = e.parts[i].flags[2] = true;
  }
  long sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 6; ++j)
      sum = 3 * sum + e.parts[i].rows[j / 2][j % 2] + e.parts[i].flags[j / 2];
  const std::vector<long> wanted = {9,
                                    -3,
                                    65000,
                                    201,
                                    -5,
                                    17,
                                    1,
                                    12 + 28,
                                    -14,
                                    6,
                                    0x40d00000,
                                    6,
                                    -1234567890123,
                                    42,
                                    int(0xfedcba) + 'x',
                                    -1234567890122 + 9,
                                    -1234567890123,
                                    77,
                                    'x',
                                    long(0xfedcba9876543210 % 1000),
                                    sum,
                                    7};
  run::array<long> got(wanted.size());
  fields<<<1, 1>>>(e, got.device, 0);
  run::expect("fields", got, [&](auto i) { return wanted[i]; });

  run::array<long> changed(2);
  written<<<1, 1>>>(e, changed.device, 0);
  run::expect("written", changed, [](auto i) { return i ? 3 : 16; });

  for (int n : {2, 5}) {
    run::array<int> a(8), b(8);
    replaced<<<1, 1>>>({a.device, n}, b.device);
    run::expect("replaced", a, [&](auto i) {
      return n > 3 ? (i == 1) * n : i == 0 ? 2 * n : i == 1 ? n : i < 6 ? int(i) - 2 + n : 0;
    });
    run::expect("replacing", b, [&](auto i) {
      return n <= 3 ? 0 : i == 1 ? 2 * n : i > 2 && i < 7 ? int(i) - 3 + n : 0;
    });
  }
  table t;
  int weighed = 0;
  for (int i = 0; i < 600; ++i)
    t.values[i] = i * i, weighed += t.values[i] * (i % 7);
  run::array<int> sums(2);
  tables<<<1, 1>>>(t, sums.device, 600);
  run::expect("tables", sums, [&](auto i) { return i ? 5 + 598 * 598 : weighed; });

  run::array<long> unaligned(4);
  packed_fields<<<1, 1>>>({'c', -70000, 1e10, {1, 2, 3}}, unaligned.device, 1);
  const long packed_wanted[] = {-70000, 10000000000, 5, -69999 + 4 + 3};
  run::expect("packed", unaligned, [&](auto i) { return packed_wanted[i]; });
  launches();
  return run::finish();
}

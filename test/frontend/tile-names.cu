// Text that names nothing of cuda_tile.h goes without the header, whatever its tile code named.
// Any use of the header's namespace elsewhere, and any doubt, brings it back.
// RUN: split-file %s %t
// DEFINE: %{program} = kernel
// DEFINE: %{verdict} = WITHOUT
// DEFINE: %{options} = -DNOTHING
// DEFINE: %{check} = %tessera %t/%{program}.cu %{options} -o %t/text.%{program}.cu && \
// DEFINE:   FileCheck %s --check-prefix=%{verdict} --input-file=%t/text.%{program}.cu
// DEFINE: %{compile} = %clang_tile -Xclang -include-pch -Xclang %t/simt.pch -fsyntax-only -I%t
// WITHOUT-NOT: tessera/host/tile.h
// WITHOUT: #line 1
// WITH: #include <tessera/host/tile.h>

// What each text begins with.
// RUN: echo '#define TESSERA_SIMT 1' > %t/simt.h
// RUN: echo '#include <tessera/simt.cuh>' >> %t/simt.h
// RUN: %clang_tile -S -Xclang -emit-pch %t/simt.h -o %t/simt.pch
// RUN: %{check}
// REDEFINE: %{program} = host
// RUN: %{check}
// REDEFINE: %{program} = class
// RUN: %{check}
// RUN: %{compile} %t/text.kernel.cu %t/text.host.cu %t/text.class.cu
// REDEFINE: %{verdict} = WITH
// REDEFINE: %{options} = "-DGRID_OF=ct::shape"
// REDEFINE: %{program} = commandline
// RUN: %{check}
// REDEFINE: %{options} = -DNOTHING
// REDEFINE: %{program} = shape
// RUN: %{check}
// REDEFINE: %{program} = literal
// RUN: %{check}
// REDEFINE: %{program} = argument
// RUN: %{check}
// REDEFINE: %{program} = parameter
// RUN: %{check}
// REDEFINE: %{program} = simt
// RUN: %{check}
// REDEFINE: %{program} = alias
// RUN: %{check}
// REDEFINE: %{program} = using
// RUN: %{check}
// REDEFINE: %{program} = header
// RUN: %{check}
// REDEFINE: %{program} = skipped
// RUN: %{check}
// REDEFINE: %{program} = pasted
// RUN: %{check}
// Where nothing was left out, too.
// RUN: %if long %{ %clang_tile -Xclang -include-pch -Xclang %t/simt.pch -fsyntax-only -I%t \
// RUN:   "-DGRID_OF=ct::shape" %t/text.*.cu %}

//--- kernel.cu
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using namespace ct::literals;
template <class T> __tile__ auto twice(T x) { return ct::shape<2>{}, x + x; }
__tile_global__ void k(float *p) {
  namespace inner = cuda::tiles;
  inner::partition_view view{ct::tensor_span{p, ct::shape{64_ic}}, ct::shape{2_ic}};
  view.store(twice(view.load(0)), 0);
}

//--- host.cu
#include <cuda_tile.h>
#include <cuda_runtime.h>
#include <cstdio>
#define CHECK(call) if ((call) != cudaSuccess) std::printf("%s\n", #call)
__tile_global__ void k(float *p, int n) { p[0] = float(n); }
int main() {
  namespace ct = ::cuda::tiles;
  float *p;
  CHECK(cudaMalloc((void **)&p, 4));
  k<<<1, 1>>>(p, 100 / 8);
  CHECK(cudaDeviceSynchronize());
}

//--- class.cu
#include <cuda_tile.h>
template <class T> __tile_global__ void k(T *p, float *o) { o[0] = p == nullptr; }
static __nv_tf32 *buffer(float *p) { return reinterpret_cast<__nv_tf32 *>(p); }
int main() { k<<<1, 1>>>(buffer(nullptr), nullptr); }

//--- commandline.cu
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(float *p) { p[0] = 1; }
int main() { k<<<GRID_OF<4>{}.extent(0), 1>>>(nullptr); }

//--- shape.cu
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(float *p) { p[0] = 1; }
int main() { k<<<ct::shape<4>{}.extent(0), 1>>>(nullptr); }

//--- literal.cu
#include <cuda_tile.h>
using namespace cuda::tiles::literals;
__tile_global__ void k(float *p) { p[0] = 1; }
int main() { k<<<unsigned(4_ic), 1>>>(nullptr); }

//--- argument.cu
#include <cuda_tile.h>
namespace tc = cuda::tiles;
template <tc::rounding_mode M> __tile_global__ void k(float *p) { p[0] = float(M); }
int main() { k<{}><<<1, 1>>>(nullptr); }

//--- parameter.cu
#include <cuda_tile.h>
template <class S> __tile_global__ void k(float *p, S) { p[0] = 1; }
template __tile_global__ void k<cuda::tiles::shape<4>>(float *, cuda::tiles::shape<4>);

//--- simt.cu
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(float *p) { p[0] = 1; }
__global__ void fill(int *p) { p[threadIdx.x] = ct::shape<4>{}.extent(0); }

//--- alias.cu
#include <cuda_tile.h>
namespace a = cuda::tiles;
namespace b = a;
__tile_global__ void k(float *p) { p[0] = 1; }
template <class T> int untouched() { return b::shape<T::value>{}.extent(0); }

//--- using.cu
#include <cuda_tile.h>
using namespace cuda::tiles;
__tile_global__ void k(float *p) { p[0] = 1; }
int grid() { return shape<4>{}.extent(0); }

//--- box.h
namespace {
template <class T> int box() { return ct::shape<4>{}.extent(0); }
} // namespace

//--- header.cu
#include <cuda_tile.h>
namespace ct = cuda::tiles;
#include "box.h"
__tile_global__ void k(float *p) { p[0] = 1; }
int main() { k<<<box<int>(), 1>>>(nullptr); }

//--- skipped.cu
#include <cuda_tile.h>
namespace ct = cuda::tiles;
__tile_global__ void k(float *p) { p[0] = 1; }
#ifndef __CUDA_ARCH__
#include "box.h"
int grid() { return box<int>(); }
#endif

//--- pasted.cu
#include <cuda_tile.h>
#define OF(name) cuda::ti##name
__tile_global__ void k(float *p) { p[0] = 1; }
int grid() { return OF(les)::shape<4>{}.extent(0); }

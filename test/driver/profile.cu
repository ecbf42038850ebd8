// `tessera profile` runs a program under ncu and prints per kernel what was measured beside what
// the plan predicts. There is no GPU here: a script stands in for ncu, with a recording that was
// made up for the form of its table.
// RUN: env TESSERA_NCU=%S/Inputs/fake-ncu.py %tessera profile %s -o %t.json -- 64 2 > %t.said
// RUN: FileCheck %s --input-file=%t.said --check-prefixes=CALL,CHECK
// CALL: ncu: --csv --page raw --print-units base ... 64 2
// CHECK: {{^}}product: 2.0 us in the mean of 2 launches
// CHECK-NEXT: share of peak   measured   predicted
// CHECK-NEXT: tensor core         88 %       [[#%d,]] %
// CHECK-NEXT: memory              18 %           -
// CHECK-NEXT: L2                  55 %       [[#%d,]] %
// CHECK-NEXT: shared memory       40 %       [[#%d,]] %
// CHECK-NEXT: {{^}}  limited by: tensor core, at 88 % of its peak
// CHECK: {{^}}copy: 2.0 us in the mean of 1 launch
// CHECK: memory              31 %       [[#%d,]] %
// CHECK: limited by: latency; no unit is busy, the most memory, at 31 % of its peak
//
// The same without a run, from the table; and as lines and on the page of explain.
// RUN: %tessera profile %s --from=%S/Inputs/ncu.csv | FileCheck %s
// RUN: %tessera explain --profile=%t.json %s 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tessera explain --registers=false --profile=%t.json -o %t.html %s
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t.html
// EXPLAIN: profile.cu:[[#]]:[[#]]: remark: product: measured 2.0 us in the mean of 2 launches; tensor core 88 % (predicted [[#]] %), memory 18 %, L2 55 % (predicted
// PAGE: "profiles":[{"computeCapability":"9.0","kernel":"product","launches":2,"limit":"limited by: tensor core
// PAGE: product: measured 2.0 us
//
// What is missing is said, with status 2.
// RUN: sh -c 'env PATH=/nowhere %tessera profile %s --cuda-path=%cuda 2>&1; test $? = 2' | FileCheck %s --check-prefix=NONE
// NONE: tessera: profile needs Nsight Compute, whose program ncu is neither in PATH nor in the CUDA toolkit; install it, or name it with TESSERA_NCU
// RUN: sh -c 'env TESSERA_NCU=/nowhere/ncu %tessera profile %s 2>&1; test $? = 2' | FileCheck %s --check-prefix=NAMED
// NAMED: tessera: TESSERA_NCU is '/nowhere/ncu', which cannot be run
// RUN: mkdir -p %t.bin && ln -sf %S/Inputs/fake-ncu.py %t.bin/ncu
// RUN: sh -c 'env PATH=%t.bin:$PATH %tessera profile %s 2>&1; test $? = 2' | FileCheck %s --check-prefix=GPU
// GPU: tessera: profile needs a GPU, and this machine has none; --from reads what ncu has printed on another machine
// RUN: %if long %{ sh -c 'env FAKE_NCU_FAILS=1 TESSERA_NCU=%S/Inputs/fake-ncu.py %tessera profile %s 2>&1; test $? = 2' | FileCheck %s --check-prefix=FAILS %}
// FAILS: ==ERROR== ERR_NVGPUCTRPERM
// FAILS: tessera: '{{.*}}fake-ncu.py' ended with status 1
// RUN: not %tessera profile %s --from=%s 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: tessera: ncu has printed no table of kernels: no line names the columns 'ID' and 'Kernel Name'
// RUN: sed 's/gpu__time_duration.sum/time/' %S/Inputs/ncu.csv > %t.csv
// RUN: not %tessera profile %s --from=%t.csv 2>&1 | FileCheck %s --check-prefix=COLUMN
// COLUMN: tessera: the table of ncu has no column 'gpu__time_duration.sum'; call ncu with --page raw and this metric
// RUN: sed 's/_simt//' %S/Inputs/ncu.csv | grep -v kernels:: | grep -v product > %t.none.csv
// RUN: not %tessera profile %s --from=%t.none.csv 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: tessera: ncu has measured no tile kernel of the program
// RUN: not %tessera explain --profile=%S/Inputs/ncu.csv %s 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: tessera: '{{.*}}ncu.csv' is not what tessera profile -o writes
// RUN: not %tessera profile --target=cpu %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: tessera: profile measures kernels on a GPU; it takes no other target
#include <cuda_fp16.h>
#include <cuda_tile.h>
namespace ct = cuda::tiles;

__tile_global__ void product(const __half *a, const __half *b, float *c, unsigned k) {
  a = ct::assume_aligned<16>(a), b = ct::assume_aligned<16>(b);
  k = ct::assume_divisible<8>(k);
  auto rows = ct::partition_view{ct::tensor_span{a, ct::extents{128u, k}}, ct::shape<128, 64>{}};
  auto columns = ct::partition_view{ct::tensor_span{b, ct::extents{k, 128u}}, ct::shape<64, 128>{}};
  auto to = ct::partition_view{ct::tensor_span{c, ct::extents{128, 128}}, ct::shape<128, 128>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 128>>>();
  for (auto i : ct::irange(0, int(k / 64)))
    sum = ct::mma(rows.load_masked(0, i), columns.load_masked(i, 0), sum);
  to.store(sum, 0, 0);
}
__tile_global__ void copy(const float *from, float *to) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(to + i, ct::load(from + i));
}
int main() { return 0; }

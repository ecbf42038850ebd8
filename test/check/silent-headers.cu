// What a header of the system leaves off stays on for tile code; what the user turns off is off.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_plugin -isystem %t/system -I%t -fsyntax-only %t/program.cu 2>&1 | FileCheck %t/program.cu
// RUN: %if long %{ %clang_plugin -isystem %t/system -I%t -c -o /dev/null %t/program.cu 2>&1 | FileCheck %t/program.cu %}
// RUN: %clang_plugin -isystem %t/system -I%t -fsyntax-only -Wno-array-bounds %t/program.cu 2>&1 | count 0
// RUN: %clang_plugin -isystem %t/system -I%t -fsyntax-only -DHEADER='"own.h"' %t/program.cu 2>&1 | count 0
// RUN: %clang_plugin -isystem %t/system -I%t -fsyntax-only -DHEADER='"wrapped.h"' %t/program.cu 2>&1 \
// RUN:   | FileCheck %t/program.cu
// RUN: %clang_plugin -isystem %t/system -I%t -fsyntax-only %t/off.cu 2>&1 | count 0
// RUN: %clang_plugin -isystem %t/system -I%t -fsyntax-only %t/before.cu 2>&1 | count 0
//--- system/open.h
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
//--- own.h
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Warray-bounds"
//--- wrapped.h
#include <open.h>
//--- kernel.h
namespace ct = cuda::tiles;
__tile_global__ void also_here(float *p) {
  auto view = ct::partition_view(ct::tensor_span(p, ct::extents<int, 16>{}), ct::shape<16>{});
  view.store(view.load(2), 0);
}
//--- off.cu
#include <cuda_tile.h>
#include <open.h>
#pragma clang diagnostic ignored "-Warray-bounds"
#include "kernel.h"
//--- before.cu
#include <cuda_tile.h>
#pragma clang diagnostic ignored "-Warray-bounds"
#include <open.h>
#include "kernel.h"
//--- program.cu
#ifndef HEADER
#define HEADER <open.h>
#endif
#include <cuda_tile.h>
#include HEADER
// CHECK: kernel.h:4:24: warning: 'load' of tile 2
#include "kernel.h"
__tile_global__ void outside(float *p) {
  auto view = ct::partition_view(ct::tensor_span(p, ct::extents<int, 16>{}), ct::shape<16>{});
  // CHECK: program.cu:[[#@LINE+1]]:{{.*}} warning: 'load' of tile 1
  view.store(view.load(1), 0);
}

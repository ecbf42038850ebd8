// A header that has become part of the text, and is kept from being read twice by `#pragma once`
// alone, is not read again by headers that stay as they are: so they become part of it, too. Those
// of the system stay such, of which compilers do not warn.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %tessera -I. program.cu -o program.simt.cu
// RUN: FileCheck program.cu --input-file=program.simt.cu
// RUN: %tessera run -O0 --target=cpu -I. program.cu | FileCheck program.cu --check-prefix=OUT
// RUN: %if long %{ %tessera run -O0 --target=emulate -I. program.cu | FileCheck program.cu --check-prefix=OUT %}
//
// It may be included by several spellings, here for a text that lies in another folder.
// RUN: mkdir sub && ln -s twice.h link.h && cp by_parent.h sub
// RUN: %tessera -I. spellings.cu -o sub/spellings.simt.cu
// RUN: FileCheck spellings.cu --input-file=sub/spellings.simt.cu

//--- kernel.h
#pragma once
#pragma clang system_header
#include <cuda_tile.h>
template <class T> __tile_global__ void add_one(T *p) { p[0] = p[0] + 1; }
//--- again.h
#pragma once
#pragma clang system_header
#include <kernel.h>
#define NAMED <kernel.h>
#include NAMED
inline int four() { return 4; }
//--- by_way.h
#pragma once
#pragma clang system_header
#include <again.h>
//--- program.cu
// CHECK: {{^}}# 1 "{{.*}}kernel.h" 3
// CHECK-COUNT-1: {{^}}template <class T> __tile_global__ void add_one(
// CHECK-NOT: {{^}}#include {{<kernel.h>|NAMED}}
// CHECK: {{^}}inline int four() { return 4; }
// CHECK: {{^}}# {{[0-9]+}} "program.cu"{{$}}
#include <kernel.h>
#include <by_way.h>
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int *device, host = four();
  cudaMalloc((void **)&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  add_one<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host); // OUT: {{^5$}}
}
//--- twice.h
#pragma once
#include <cuda_tile.h>
struct plain {};
__tile_global__ void twice(int *p) { p[0] = 2 * p[0]; }
//--- by_parent.h
#pragma once
#include "../twice.h"
//--- other.h
#pragma once
//--- spellings.cu
// CHECK-COUNT-1: {{^}}struct plain {};
// CHECK-NOT: {{^}}#include
// CHECK: {{^}}#include "../other.h"
// CHECK-NOT: {{^}}#include
#include "twice.h"
#include "./twice.h"
#include "link.h"
#include "other.h"
#include "sub/by_parent.h"
int main() { twice<<<1, 1>>>(nullptr); }

// Outside of its namespace cuda_tile.h declares nothing and defines no macro that names.h does not:
// rewritten text that does not name the namespace has names.h alone.
// DEFINE: %{file} =
// DEFINE: %{declarations} = \
// DEFINE:   %clang_cpu -DTESSERA_EMULATE -DTESSERA_SIMT=1 -fsyntax-only -Xclang -ast-dump %{file} | \
// DEFINE:   sed -nE 's/^.-([A-Za-z]+Decl) .*:[0-9:]+ ((referenced|used) )?/\1 /; T; s/0x[0-9a-f]+//; p' | sort -u
// DEFINE: %{macros} = %clang_cpu -DTESSERA_EMULATE -DTESSERA_SIMT=1 -E -dM %{file} | \
// DEFINE:   grep -v 'define TESSERA_' | sort

// RUN: echo '#include <tessera/tile/names.h>' > %t.cu
// REDEFINE: %{file} = %t.cu
// RUN: %{declarations} > %t.declarations
// RUN: %{macros} > %t.macros
// REDEFINE: %{file} = %s
// RUN: %{declarations} | diff %t.declarations -
// RUN: %{macros} | diff %t.macros -
// RUN: FileCheck %s --input-file=%t.declarations
// CHECK: struct __nv_tf32
// CHECK: NamespaceDecl cuda
#include <cuda_tile.h>

// Memory effects are honest: of two equal reads the second goes, unless something between them may have written memory.
// RUN: %tessera-opt --cse %s | FileCheck %s

// CHECK-LABEL: func.func @reads_between_nothing
// CHECK-COUNT-1: tile.load
// CHECK-NOT: tile.load
func.func @reads_between_nothing(%p: !llvm.ptr) -> (f32, f32) {
  %0 = tile.load %p : !llvm.ptr -> f32
  %1 = tile.load %p : !llvm.ptr -> f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @read_write_read
// CHECK-COUNT-2: tile.load
func.func @read_write_read(%p: !llvm.ptr, %q: !llvm.ptr, %x: f32) -> (f32, f32) {
  %0 = tile.load %p : !llvm.ptr -> f32
  tile.store %x, %q : f32, !llvm.ptr
  %1 = tile.load %p : !llvm.ptr -> f32
  return %0, %1 : f32, f32
}

// An acquire lets the block see what others wrote.
// CHECK-LABEL: func.func @read_acquire_read
// CHECK-COUNT-2: tile.load
func.func @read_acquire_read(%p: !llvm.ptr, %flag: !llvm.ptr, %m: i1) -> (f32, f32) {
  %0 = tile.load %p : !llvm.ptr -> f32
  %1 = tile.atomic_load %flag, %m acquire device : !llvm.ptr, i1 -> i32
  %2 = tile.load %p : !llvm.ptr -> f32
  return %0, %2 : f32, f32
}

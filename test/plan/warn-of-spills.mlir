// One warning for a kernel, for its largest tile that registers do not hold.
// RUN: %tessera-opt --tile-warn-of-spills --verify-diagnostics %s

#l = #tile.layout<[1, 2, 4, 8, 16, 32, 64, 128], [256, 512, 1024, 2048, 4096], []>
#large = #tile.layout<[1, 2, 4, 8, 16, 32, 64, 128, 8192], [256, 512, 1024, 2048, 4096], []>
func.func @two(%x: i32) {
  %y = tile.splat %x : i32 -> tensor<8192xi32, #l>
  // expected-warning @+1 {{a tile of 16384 elements takes 512 registers of each of 32 threads; it is placed in local memory, which is slow}}
  %z = tile.splat %x : i32 -> tensor<16384xi32, #large>
  return
}

// The program has no such tile where blocks are coarsened.
func.func @coarsened(%x: i32) attributes {tile.coarsened_from = "two"} {
  %y = tile.splat %x : i32 -> tensor<8192xi32, #l>
  return
}

// What goes straight to shared memory lies in no registers.
func.func @copied(%p: !llvm.ptr, %n: i32, %s: !tile.shared<8192xi32, 0, 0, 0>) {
  %c1 = arith.constant 1 : i32
  %x = tile.view_load %p extents(%n) strides(%c1) starts(%n) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>} : (i32) (i32) (i32) -> tensor<8192xi32, #l>
  tile.shared_store %x, %s : tensor<8192xi32, #l>, !tile.shared<8192xi32, 0, 0, 0>
  return
}

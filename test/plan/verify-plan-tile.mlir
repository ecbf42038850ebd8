// Before layouts: each rule of the stages raised, contiguous and matrix, broken on purpose.
// RUN: split-file %s %t
// RUN: %tessera-opt --tile-verify-plan=stage=raised --split-input-file --verify-diagnostics %t/raised.mlir
// RUN: %tessera-opt --tile-verify-plan=stage=contiguous --split-input-file --verify-diagnostics %t/contiguous.mlir
// RUN: %tessera-opt --tile-verify-plan=stage=matrix --split-input-file --verify-diagnostics %t/matrix.mlir

//--- raised.mlir
func.func @right(%p: !llvm.ptr, %n: i32) -> tensor<32x16xf32> {
  %x = tile.view_load %p extents(%n, %n) strides(%n, %n) starts(%n, %n) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1, -1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x16xf32>
  return %x : tensor<32x16xf32>
}

// -----
func.func @unmarked() -> i32 {
  %n = llvm.mlir.constant(4 : i32) : i32
  %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %right = llvm.load %a {tile.local} : !llvm.ptr -> i32
  // expected-error @+1 {{'llvm.load' breaks a rule of the stage raised: an access of a local variable has the attribute tile.local}}
  %wrong = llvm.load %a : !llvm.ptr -> i32
  return %wrong : i32
}

// -----
func.func @decided(%x: tensor<32xf32>) {
  // expected-error @+1 {{'tile.shared_alloc' breaks a rule of the stage raised: the op belongs to the program, not to the plan}}
  %s = tile.shared_alloc : !tile.shared<32xf32, 0, 0, 0>
  return
}

// -----
#l = #tile.layout<[], [1, 2, 4, 8, 16], []>
// expected-error @+1 {{'func.func' breaks a rule of the stage raised: no tile has a layout yet}}
func.func @laid_out(%x: tensor<32xf32, #l>) {
  return
}

// -----
func.func @access(%p: !llvm.ptr, %n: i32) -> tensor<16xf32> {
  // expected-error @+1 {{breaks a rule of the stage raised: no access is decided yet}}
  %x = tile.view_load %p extents(%n) strides(%n) starts(%n) padding zero
      {staticExtents = array<i64: -1>, staticStrides = array<i64: 1>, access = #tile.access<1 along 0, aligned = true, bounds = [checked]>}
      : (i32) (i32) (i32) -> tensor<16xf32>
  return %x : tensor<16xf32>
}

//--- contiguous.mlir
func.func @columns(%p: !llvm.ptr, %n: i32) -> tensor<32x16xf32> {
  // expected-error @+1 {{'tile.view_load' breaks a rule of the stage contiguous: the unit stride of a view is its last stride}}
  %x = tile.view_load %p extents(%n, %n) strides(%n, %n) starts(%n, %n) padding zero
      {staticExtents = array<i64: -1, -1>, staticStrides = array<i64: 1, -1>} : (i32, i32) (i32, i32) (i32, i32) -> tensor<32x16xf32>
  return %x : tensor<32x16xf32>
}

//--- matrix.mlir
func.func @values(%a: tensor<16x16xf16>, %b: tensor<16x8xf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // expected-error @+1 {{'tile.mma' breaks a rule of the stage matrix: every multiply has an instruction}}
  %d = tile.mma %a, %b, %c : tensor<16x16xf16>, tensor<16x8xf16>, tensor<16x8xf32>
  return %d : tensor<16x8xf32>
}

// -----
func.func @dead(%x: tensor<16x8xf32>) {
  // expected-error @+1 {{'tile.permute' breaks a rule of the stage matrix: the op has uses or effects}}
  %y = tile.permute %x [1, 0] : tensor<16x8xf32> -> tensor<8x16xf32>
  return
}

// -----
func.func @placed(%x: tensor<32xf32>) {
  // expected-error @+1 {{'tile.shared_alloc' breaks a rule of the stage matrix: no shared tile has an offset yet}}
  %s = tile.shared_alloc {offset = 0 : i64} : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32>, !tile.shared<32xf32, 0, 0, 0>
  return
}

// -----
func.func @ring(%x: tensor<32xf32>) {
  // expected-error @+1 {{'tile.shared_alloc' breaks a rule of the stage matrix: a ring is accessed slot by slot}}
  %s = tile.shared_alloc stages 3 : !tile.shared<32xf32, 0, 0, 0>
  tile.shared_store %x, %s : tensor<32xf32>, !tile.shared<32xf32, 0, 0, 0>
  return
}

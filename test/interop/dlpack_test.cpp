// Arrays by DLPack: element types, devices, offsets, strides, versions, and what is refused.
#include <tessera/interop/dlpack.h>

#include <dlpack/dlpack.h>

#include <gtest/gtest.h>

using namespace tessera::interop;

namespace {

// As DLPack 1.0 has it; Debian's header is older.
struct versioned_tensor {
  struct {
    std::uint32_t major, minor;
  } version;
  void *manager_ctx;
  void (*deleter)(versioned_tensor *);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

struct Dlpack : testing::Test {
  alignas(16) float elements[64] = {};
  std::int64_t shape[2] = {3, 4}, strides[2] = {8, 2};
  DLTensor tensor = {};

  Dlpack() {
    tensor.data = elements;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = 2;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape;
  }
  reason refused() {
    try {
      descriptor_of<float, 2>(from_dlpack(tensor));
    } catch (const interop_error &error) {
      return error.why;
    }
    ADD_FAILURE() << "it is taken";
    return {};
  }
};

TEST_F(Dlpack, StridesAreElementsAndNullIfPacked) {
  auto packed = descriptor_of<float, 2>(from_dlpack(tensor));
  EXPECT_EQ(packed.data, elements);
  EXPECT_EQ(packed.shape[0], 3u);
  EXPECT_EQ(packed.strides[0], 4u);
  EXPECT_EQ(packed.strides[1], 1u);
  tensor.strides = strides;
  auto strided = descriptor_of<const float, 2>(from_dlpack(tensor));
  EXPECT_EQ(strided.strides[0], 8u);
  EXPECT_EQ(strided.strides[1], 2u);
  strides[0] = 0; // a broadcast dimension
  EXPECT_EQ((descriptor_of<const float, 2>(from_dlpack(tensor)).strides[0]), 0u);
}

TEST_F(Dlpack, TheOffsetIsInBytes) {
  tensor.byte_offset = 12;
  EXPECT_EQ((descriptor_of<float, 2>(from_dlpack(tensor)).data), elements + 3);
  tensor.byte_offset = 2;
  EXPECT_EQ(refused(), reason::alignment);
}

TEST_F(Dlpack, TheDeviceIsKept) {
  tensor.device = {DLDeviceType(13), 3};
  EXPECT_EQ(from_dlpack(tensor).device, cuda_managed);
  EXPECT_EQ(from_dlpack(tensor).device_number, 3);
}

TEST_F(Dlpack, ManagedTensorsOfBothKinds) {
  DLManagedTensor managed = {tensor, nullptr, nullptr};
  EXPECT_FALSE(from_dlpack(managed).is_read_only);
  versioned_tensor versioned = {{1, 7}, nullptr, nullptr, 0, tensor};
  EXPECT_FALSE(from_dlpack(versioned).is_read_only);
  versioned.flags = 1;
  EXPECT_TRUE(from_dlpack(versioned).is_read_only);
  EXPECT_NO_THROW((descriptor_of<const float, 2>(from_dlpack(versioned))));
  EXPECT_THROW((descriptor_of<float, 2>(from_dlpack(versioned))), interop_error);
  versioned.version.major = 2;
  EXPECT_THROW(from_dlpack(versioned), interop_error);
}

TEST_F(Dlpack, ArraysWithoutElementsNeedNoMemory) {
  shape[0] = 0;
  tensor.data = nullptr;
  EXPECT_EQ((descriptor_of<float, 2>(from_dlpack(tensor)).data), nullptr);
  shape[0] = 1;
  EXPECT_EQ(refused(), reason::malformed);
}

TEST_F(Dlpack, OtherElementTypesAndRanks) {
  tensor.dtype.bits = 64;
  EXPECT_EQ(refused(), reason::element_type);
  tensor.dtype = {kDLFloat, 32, 2};
  EXPECT_EQ(refused(), reason::element_type);
  tensor.dtype = {kDLFloat, 4, 1};
  EXPECT_EQ(refused(), reason::element_type);
  tensor.dtype = {kDLFloat, 0, 1};
  EXPECT_EQ(refused(), reason::element_type);
  tensor.dtype = {kDLFloat, 32, 1};
  tensor.ndim = 1;
  EXPECT_EQ(refused(), reason::rank);
}

TEST_F(Dlpack, NumbersThatCannotBe) {
  tensor.strides = strides;
  strides[1] = -1;
  EXPECT_EQ(refused(), reason::layout);
  strides[1] = std::int64_t(1) << 62;
  EXPECT_EQ(refused(), reason::malformed);
  strides[1] = std::int64_t(1) << 60;
  EXPECT_EQ(refused(), reason::malformed);
  tensor.strides = nullptr;
  shape[0] = -3;
  EXPECT_EQ(refused(), reason::malformed);
  shape[0] = std::int64_t(1) << 61;
  EXPECT_EQ(refused(), reason::malformed);
  tensor.shape = nullptr;
  EXPECT_EQ(refused(), reason::malformed);
  tensor.ndim = -1;
  EXPECT_EQ(refused(), reason::malformed);
  tensor.ndim = 1 << 30;
  EXPECT_EQ(refused(), reason::malformed);
}

// Each number of the table is taken as itself.
template <class T> class DlpackElement : public testing::Test {};
using elements =
    testing::Types<bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16,
                   float32, float64, complex64, complex128, float8e4m3, float8e5m2, bfloat16>;
TYPED_TEST_SUITE(DlpackElement, elements);
TYPED_TEST(DlpackElement, IsTaken) {
  alignas(16) unsigned char memory[64];
  std::int64_t shape[1] = {4};
  DLTensor tensor = {};
  tensor.data = memory;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = 1;
  constexpr element_type type = element_type_of<TypeParam>;
  tensor.dtype = {type.code, type.bits, 1};
  tensor.shape = shape;
  auto array = descriptor_of<TypeParam, 1>(from_dlpack(tensor));
  EXPECT_EQ(static_cast<void *>(array.data), memory);
  EXPECT_EQ(array.strides[0], 1u);
}

} // namespace

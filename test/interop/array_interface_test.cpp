// Arrays by the CUDA Array Interface: each of its clauses, and what is refused.
#include <tessera/interop/cuda_array_interface.h>

#include <gtest/gtest.h>

using namespace tessera::interop;

namespace {

alignas(16) float memory[64];

array_interface fields() {
  return {.shape = {3, 4},
          .typestr = "<f4",
          .data = reinterpret_cast<std::uintptr_t>(memory),
          .version = 3};
}

template <class T = float> reason refused(const array_interface &fields) {
  try {
    descriptor_of<T, 2>(from_array_interface(fields));
  } catch (const interop_error &error) {
    return error.why;
  }
  ADD_FAILURE() << "it is taken";
  return {};
}

TEST(ArrayInterface, StridesAreBytesOrPacked) {
  array_interface f = fields();
  auto packed = descriptor_of<float, 2>(from_array_interface(f));
  EXPECT_EQ(packed.data, memory);
  EXPECT_EQ(packed.strides[0], 4u);
  EXPECT_EQ(packed.strides[1], 1u);
  f.strides = {{4, 12}};
  auto columns = descriptor_of<float, 2>(from_array_interface(f));
  EXPECT_EQ(columns.strides[0], 1u);
  EXPECT_EQ(columns.strides[1], 3u);
  f.strides = {{16, 6}};
  EXPECT_EQ(refused(f), reason::layout);
  f.strides = {{16}};
  EXPECT_EQ(refused(f), reason::malformed);
  f.strides = {{16, -4}};
  EXPECT_EQ(refused(f), reason::layout);
  f.strides = {{INT64_MAX, 4}};
  EXPECT_EQ(refused(f), reason::malformed);
}

TEST(ArrayInterface, ZeroSizeIsAtZero) {
  array_interface f = fields();
  f.data = 0;
  EXPECT_EQ(refused(f), reason::malformed);
  f.shape = {3, 0};
  EXPECT_EQ((descriptor_of<float, 2>(from_array_interface(f)).data), nullptr);
}

TEST(ArrayInterface, ReadOnlyIsForConstParameters) {
  array_interface f = fields();
  f.is_read_only = true;
  EXPECT_EQ(refused(f), reason::read_only);
  EXPECT_NO_THROW((descriptor_of<const float, 2>(from_array_interface(f))));
}

TEST(ArrayInterface, MasksAreNotTaken) {
  array_interface f = fields();
  f.has_mask = true;
  EXPECT_EQ(refused(f), reason::mask);
}

TEST(ArrayInterface, VersionsTwoAndThree) {
  array_interface f = fields();
  f.version = 2;
  EXPECT_NO_THROW(from_array_interface(f));
  for (int version : {-1, 0, 1, 4}) {
    f.version = version;
    EXPECT_EQ(refused(f), reason::malformed);
  }
}

TEST(ArrayInterface, Typestrings) {
  EXPECT_EQ(element_type_of_typestr("|b1"), element_type_of<bool>);
  EXPECT_EQ(element_type_of_typestr("<i8"), element_type_of<std::int64_t>);
  EXPECT_EQ(element_type_of_typestr("|u1"), element_type_of<std::uint8_t>);
  EXPECT_EQ(element_type_of_typestr("<f2"), element_type_of<__half>);
  EXPECT_EQ(element_type_of_typestr("=c16"), element_type_of<complex128>);
  for (const char *text : {"", "f", "<f", "f4", "<f3", "<f16", ">f4", "|f4", "<V8", "<f4x", "<f99",
                           "<i0", "<c4", "<b4", "<f-4", "<f4444444444"})
    EXPECT_THROW(element_type_of_typestr(text), interop_error) << text;
}

TEST(ArrayInterface, TypeRankAndAlignmentAreTheParameters) {
  array_interface f = fields();
  EXPECT_EQ(refused<double>(f), reason::element_type);
  f.shape = {3};
  EXPECT_EQ(refused(f), reason::rank);
  f.shape = {3, 4};
  f.data += 1;
  EXPECT_EQ(refused(f), reason::alignment);
  f.data = ~std::uintptr_t(3);
  EXPECT_EQ(refused(f), reason::malformed);
}

} // namespace

// The machine representation of values: numbers, vectors, tuples, structs, arrays. Sizes and
// alignments of the table are asserted by types.h itself.
#include <tessera/interop/foreign_array.h>

#include <cuda/std/complex>
#include <cuda/std/mdspan>

#include <gtest/gtest.h>

using namespace tessera::interop;

// complex64 and complex128 are laid out as cuda::std::complex.
static_assert(sizeof(complex64) == sizeof(cuda::std::complex<float>));
static_assert(alignof(complex64) == alignof(cuda::std::complex<float>));
static_assert(sizeof(complex128) == sizeof(cuda::std::complex<double>));
static_assert(alignof(complex128) == alignof(cuda::std::complex<double>));

// None is a void*.
static_assert(std::is_same_v<none, void *>);

// A tuple has its elements in order, each as it is on its own.
using mixed = tuple<int8, float64, int16, complex64, bool_, float16x3, none, int32x4>;
static_assert(offsetof(mixed, _0) == 0 && offsetof(mixed, _1) == 8 && offsetof(mixed, _2) == 16);
static_assert(offsetof(mixed, _3) == 24 && offsetof(mixed, _4) == 32 && offsetof(mixed, _5) == 34);
static_assert(offsetof(mixed, _6) == 40 && offsetof(mixed, _7) == 48 && sizeof(mixed) == 64);
static_assert(std::is_standard_layout_v<mixed> && std::is_trivially_copyable_v<mixed>);
static_assert(sizeof(tuple<int32, int32, int32>) == 12);
using nested = tuple<int8, tuple<int8, int32>, int8>;
static_assert(offsetof(nested, _1) == 4 && offsetof(nested, _2) == 12 && sizeof(nested) == 16);

// A struct has its members in order; alignment that is asked for holds for it and for its members.
struct point {
  int32 x, y, z;
};
struct alignas(16) aligned_pair {
  float32 real, imag;
};
struct mutex {
  aligned<int32, 16> line, current;
};
static_assert(sizeof(point) == 12 && alignof(point) == 4);
static_assert(sizeof(aligned_pair) == 16 && alignof(aligned_pair) == 16);
static_assert(offsetof(mutex, current) == 16 && sizeof(mutex) == 32);
static_assert(alignof(aligned<float64, 1>) == 8);

// An array is a pointer, its extents, its strides.
using matrix = cuda::interoperable_array_descriptor<float, 2>;
static_assert(std::is_standard_layout_v<matrix> && std::is_trivially_copyable_v<matrix>);
static_assert(offsetof(matrix, data) == 0 && offsetof(matrix, shape) == 8);
static_assert(offsetof(matrix, strides) == 24 && sizeof(matrix) == 40 && alignof(matrix) == 8);
static_assert(sizeof(cuda::interoperable_array_descriptor<double, 0>) == 8);
static_assert(std::is_convertible_v<matrix, cuda::interoperable_array_descriptor<const float, 2>>);
static_assert(!std::is_convertible_v<cuda::interoperable_array_descriptor<const float, 2>, matrix>);

// It is made of an mdspan of its rank and element type, and of no other.
template <class T, class Layout = cuda::std::layout_right, std::size_t N = 2> using mdspan =
    cuda::std::mdspan<T, cuda::std::dims<N>, Layout>;
static_assert(std::is_convertible_v<mdspan<float>, matrix>);
static_assert(std::is_convertible_v<mdspan<float, cuda::std::layout_left> &, matrix>);
static_assert(!std::is_convertible_v<mdspan<const float>, matrix>);
static_assert(!std::is_convertible_v<mdspan<float, cuda::std::layout_right, 3>, matrix>);
// It converts to an mdspan that takes any strides.
using strided = mdspan<float, cuda::std::layout_stride>;
static_assert(std::is_convertible_v<matrix, strided>);
static_assert(std::is_convertible_v<matrix, mdspan<const float, cuda::std::layout_stride>>);
static_assert(!std::is_convertible_v<matrix, mdspan<float>>);

TEST(ArrayDescriptor, IsMadeOfAnMdspanAndConvertsToOne) {
  float elements[6] = {0, 1, 2, 3, 4, 5};
  mdspan<float, cuda::std::layout_left> columns(elements, 2, 3);
  matrix array = columns;
  EXPECT_EQ(array.shape[0], 2u);
  EXPECT_EQ(array.shape[1], 3u);
  EXPECT_EQ(array.strides[0], 1u);
  EXPECT_EQ(array.strides[1], 2u);
  strided back = array;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(back(i, j), columns(i, j));
}

TEST(ElementType, HasTheNameOfItsRow) {
  EXPECT_EQ(name_of(element_type_of<float>), "float32");
  EXPECT_EQ(name_of(element_type_of<bool>), "bool");
  EXPECT_EQ(name_of(element_type_of<__nv_bfloat16>), "bfloat16");
  EXPECT_EQ(name_of(element_type_of<long long>), "int64");
  EXPECT_EQ(name_of({3, 64}), "DLPack type 3 of 64 bits");
}

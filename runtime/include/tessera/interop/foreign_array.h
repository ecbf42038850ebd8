// An array described by DLPack or the CUDA Array Interface, in one form; and its conversion to the
// descriptor that a kernel takes, after checks. Host code.
//
// The description comes from another library and is not trusted: every number is checked before it
// is used, and an error is an interop_error with a message.
#pragma once

#include "array_descriptor.h"
#include "element_type.h"
#include "types.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::interop {

// Why an array is rejected.
enum class reason { malformed, element_type, rank, alignment, layout, read_only, device, mask };

// What functions of this folder throw; `why` is for programs, what() for people.
struct interop_error : std::invalid_argument {
  interop_error(reason why, const std::string &what) : std::invalid_argument(what), why(why) {}
  reason why;
};

// The Python name, or DLPack's name if there is none.
inline std::string name_of(element_type type) {
#define TESSERA_INTEROP_NUMBER(NAME, TYPE, SIZE, ALIGNMENT, CODE, BITS)                            \
  if (type == element_type{CODE, BITS})                                                            \
    return type.code == 6 ? "bool" : #NAME;
#include "types.def"
  return "DLPack type " + std::to_string(type.code) + " of " + std::to_string(type.bits) + " bits";
}

// The devices of DLPack whose memory kernels can access.
enum device_type : int { cpu = 1, cuda_device = 2, cuda_host = 3, cuda_managed = 13 };

// An array of another library, in host code; strides in bytes.
struct foreign_array {
  void *data = nullptr; // the element at index 0
  element_type type;
  std::vector<std::int64_t> shape;   // elements
  std::vector<std::int64_t> strides; // bytes, one for each dimension
  int device = cuda_device;          // DLPack's device type
  int device_number = 0;
  bool is_read_only = false;

  std::size_t rank() const { return shape.size(); }
  bool is_empty() const {
    for (std::int64_t extent : shape)
      if (extent == 0)
        return true;
    return false;
  }
};

inline constexpr std::size_t largest_rank = 64;

// The strides, in bytes, of a contiguous array, the last dimension first.
inline std::vector<std::int64_t> packed_strides(const std::vector<std::int64_t> &shape,
                                                std::int64_t size) {
  std::vector<std::int64_t> strides(shape.size());
  for (std::size_t k = shape.size(); k-- > 0; size *= shape[k] > 0 ? shape[k] : 1)
    strides[k] = size;
  return strides;
}

// Extents are not negative, and the array fits the address space. Strides may still be negative.
inline void check_extents(const std::vector<std::int64_t> &shape, std::int64_t size) {
  std::int64_t bytes = size;
  for (std::int64_t extent : shape) {
    if (extent < 0)
      throw interop_error(reason::malformed,
                          "an extent of " + std::to_string(extent) + " is negative");
    if (__builtin_mul_overflow(bytes, extent > 0 ? extent : 1, &bytes))
      throw interop_error(reason::malformed, "an array larger than the address space");
  }
}

// What descriptors cannot hold: negative strides, memory beyond the address space, a null pointer
// with elements.
inline void check_memory(const foreign_array &array) {
  if (array.is_empty())
    return;
  if (!array.data)
    throw interop_error(reason::malformed, "the data pointer of elements is null");
  std::int64_t last = std::int64_t(array.type.bytes()) - 1;
  for (std::size_t k = 0; k < array.rank(); ++k) {
    std::int64_t distance;
    if (array.strides[k] < 0 && array.shape[k] > 1)
      throw interop_error(reason::layout, "a stride of " + std::to_string(array.strides[k]) +
                                              " bytes; kernels take no negative strides");
    if (array.shape[k] > 1 &&
        (__builtin_mul_overflow(array.shape[k] - 1, array.strides[k], &distance) ||
         __builtin_add_overflow(last, distance, &last)))
      throw interop_error(reason::malformed, "an array larger than the address space");
  }
  std::uintptr_t end;
  if (__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(array.data), std::uintptr_t(last),
                             &end))
    throw interop_error(reason::malformed, "an array that goes beyond the address space");
}

// The array's stride in dimension k, in elements.
inline std::uint64_t stride_in_elements(const foreign_array &array, std::size_t k,
                                        std::size_t size) {
  if (array.shape[k] <= 1 && array.strides[k] < 0)
    return 1; // never used
  if (array.strides[k] % std::int64_t(size) != 0) {
    if (array.shape[k] <= 1 || array.is_empty())
      return 1;
    throw interop_error(reason::layout, "a stride of " + std::to_string(array.strides[k]) +
                                            " bytes, but elements have " + std::to_string(size));
  }
  return std::uint64_t(array.strides[k]) / size;
}

// Does the array match a parameter with these properties? `size` and `alignment` are of an element.
struct parameter_type {
  element_type type;
  std::size_t size, alignment, rank;
  bool is_const;
};
inline void check_parameter(const foreign_array &array, const parameter_type &wanted) {
  if (array.type != wanted.type)
    throw interop_error(reason::element_type, "an array of " + name_of(array.type) + ", but " +
                                                  name_of(wanted.type) + " is required");
  if (array.rank() != wanted.rank)
    throw interop_error(reason::rank, "an array of " + std::to_string(array.rank()) +
                                          " dimensions, but " + std::to_string(wanted.rank) +
                                          " are required");
  if (array.is_read_only && !wanted.is_const)
    throw interop_error(reason::read_only, "a read-only array, but the kernel may write to it");
  check_memory(array);
  if (!array.is_empty() && reinterpret_cast<std::uintptr_t>(array.data) % wanted.alignment != 0)
    throw interop_error(reason::alignment, "an array that is not aligned to its elements' " +
                                               std::to_string(wanted.alignment) + " bytes");
}

// The descriptor of an array of `dtype` (const for read-only arrays) and `ndim` dimensions; throws
// interop_error if the array does not match.
template <class dtype, std::uint64_t ndim>
cuda::interoperable_array_descriptor<dtype, ndim> descriptor_of(const foreign_array &array) {
  using element = std::remove_cv_t<dtype>;
  check_parameter(array, {element_type_of<element>, sizeof(element), alignof(element), ndim,
                          std::is_const_v<dtype>});
  cuda::interoperable_array_descriptor<dtype, ndim> descriptor;
  descriptor.data = static_cast<dtype *>(array.data);
  if constexpr (ndim > 0)
    for (std::size_t k = 0; k < ndim; ++k) {
      descriptor.shape[k] = std::uint64_t(array.shape[k]);
      descriptor.strides[k] = stride_in_elements(array, k, sizeof(element));
    }
  return descriptor;
}

} // namespace tessera::interop

// Arrays described by DLPack: by a DLTensor, a DLManagedTensor or a DLManagedTensorVersioned, of
// whichever version of dlpack.h the program includes. Host code.
//
//   auto x = descriptor_of<const float, 2>(from_dlpack(managed->dl_tensor));
#pragma once

#include "../macros_begin.h"

#include "foreign_array.h"

namespace tessera::interop {

template <class T>
concept dl_tensor = requires(const T &t) {
  t.data;
  t.device.device_type;
  t.dtype.lanes;
  t.byte_offset;
  t.shape[0];
};
template <class T>
concept dl_managed_tensor = requires(const T &t) { requires dl_tensor<decltype(t.dl_tensor)>; };
template <class T>
concept dl_versioned_tensor = dl_managed_tensor<T> && requires(const T &t) {
  t.version.major;
  t.flags;
};

// DLPack counts strides in elements, and they are null for contiguous arrays; the element at index
// 0 is byte_offset after the data pointer.
template <dl_tensor Tensor> foreign_array from_dlpack(const Tensor &tensor) {
  foreign_array array;
  if (tensor.ndim < 0 || std::size_t(tensor.ndim) > largest_rank)
    throw interop_error(reason::malformed,
                        "an array of " + std::to_string(tensor.ndim) + " dimensions");
  if (tensor.ndim > 0 && !tensor.shape)
    throw interop_error(reason::malformed, "an array without a shape");
  if (tensor.dtype.lanes != 1)
    throw interop_error(reason::element_type,
                        "elements of " + std::to_string(tensor.dtype.lanes) + " lanes");
  array.type = {std::uint8_t(tensor.dtype.code), tensor.dtype.bits};
  const auto size = std::int64_t(array.type.bytes());
  if (size == 0 || tensor.dtype.bits % 8 != 0)
    throw interop_error(reason::element_type,
                        "elements of " + std::to_string(tensor.dtype.bits) + " bits");
  array.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  check_extents(array.shape, size);
  if (!tensor.strides) {
    array.strides = packed_strides(array.shape, size);
  } else {
    array.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
    for (std::int64_t &stride : array.strides)
      if (__builtin_mul_overflow(stride, size, &stride))
        throw interop_error(reason::malformed, "a stride larger than the address space");
  }
  array.data = tensor.data;
  if (array.data)
    array.data = reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(array.data) +
                                          std::uintptr_t(tensor.byte_offset));
  array.device = int(tensor.device.device_type);
  array.device_number = tensor.device.device_id;
  return array;
}

// The same of a managed tensor, which stays the owner of the memory; throws interop_error if a
// versioned one has a major version that is not known.
template <dl_managed_tensor Managed> foreign_array from_dlpack(const Managed &managed) {
  if constexpr (dl_versioned_tensor<Managed>) {
    if (managed.version.major != 1)
      throw interop_error(reason::malformed, "DLPack of version " +
                                                 std::to_string(managed.version.major) +
                                                 ", but version 1 is required");
    foreign_array array = from_dlpack(managed.dl_tensor);
    array.is_read_only = managed.flags & 1; // DLPACK_FLAG_BITMASK_READ_ONLY
    return array;
  } else {
    return from_dlpack(managed.dl_tensor);
  }
}

} // namespace tessera::interop

#include "../macros_end.h"

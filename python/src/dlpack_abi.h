// The structures of DLPack 1.0 as they lie in memory, which is what capsules have. The headers that
// distributions have are often older.
#pragma once

#include <cstdint>

namespace tessera::python {

struct DlpackTensor {
  void *data;
  struct {
    std::int32_t device_type, device_id;
  } device;
  std::int32_t ndim;
  struct {
    std::uint8_t code, bits;
    std::uint16_t lanes;
  } dtype;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};

struct DlpackManagedTensor {
  DlpackTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DlpackManagedTensor *);
};

struct DlpackVersionedTensor {
  struct {
    std::uint32_t major, minor;
  } version;
  void *manager_ctx;
  void (*deleter)(DlpackVersionedTensor *);
  std::uint64_t flags;
  DlpackTensor dl_tensor;
};

} // namespace tessera::python

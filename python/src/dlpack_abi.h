// The structures of DLPack 1 as they lie in memory, which is what capsules have; the exchange
// functions are of 1.3. The headers that distributions have are often older.
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

// Of a type of tensors: `__dlpack_c_exchange_api__`, a capsule. Functions return 0, or -1 with
// Python's error set; none waits for a stream.
struct DlpackExchange {
  struct {
    std::uint32_t major, minor;
  } version;
  const DlpackExchange *previous; // of an older major version
  int (*allocate)(DlpackTensor *, DlpackVersionedTensor **, void *,
                  void (*)(void *, const char *, const char *));
  int (*from_object)(void *object, DlpackVersionedTensor **);
  int (*to_object)(DlpackVersionedTensor *, void **object);
  int (*borrow)(void *object, DlpackTensor *); // may be null
  int (*current_stream)(int device_type, std::int32_t device, void **stream);
};

} // namespace tessera::python

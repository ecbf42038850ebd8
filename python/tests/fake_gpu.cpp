// A compiled kernel of a GPU that is not there: what a launch is given is kept for the test.
#include <tessera/interop/entry.h>

#include <cstring>

namespace interop = tessera::interop;

extern "C" {
__attribute__((visibility("default"))) struct {
  void *stream, *waited;
  std::uint64_t launches, x[5], y;
  std::int32_t n;
} fake_launch;
}

namespace {

const char *run(const interop::launch &launch) {
  fake_launch.stream = launch.stream;
  ++fake_launch.launches;
  std::memcpy(fake_launch.x, launch.arguments[0], sizeof fake_launch.x);
  std::memcpy(&fake_launch.y, launch.arguments[1], sizeof fake_launch.y);
  std::memcpy(&fake_launch.n, launch.arguments[2], sizeof fake_launch.n);
  return nullptr;
}
const char *wait(void *stream) {
  fake_launch.waited = stream;
  return nullptr;
}
int device() { return 1; }
// By the first digit: 0x2... is memory of device 0, 0x3... of all, 0x4... of none.
int device_of(const void *address) {
  const auto digit = reinterpret_cast<std::uintptr_t>(address) >> 12;
  return digit == 1 ? 1 : digit == 2 ? 0 : digit == 3 ? interop::every_device : interop::no_device;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const interop::kernel_entry *
tessera_kernel_entry_of_python() {
  static const interop::kernel_entry entry = {
      interop::entry_version,
      3,
      interop::parameters_of<cuda::interoperable_array_descriptor<const float, 2>, float *, int>,
      run,
      wait,
      device,
      device_of};
  return &entry;
}

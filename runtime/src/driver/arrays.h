// The arrays that a program passes to its launches: memory of the host, which kernels may access
// while they run. Where nothing names them, a kernel's access is reported as one of memory that is
// not the device's, unless TESSERA_EMULATE_HOST_MEMORY allows all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tessera::driver {

struct array {
  std::uintptr_t address;
  std::size_t bytes;
};

// Those that were named, as allocations, while this object lives. Others wait for it: two launches
// may have arrays in common.
class arrays_of_launch {
public:
  arrays_of_launch();
  ~arrays_of_launch();
  arrays_of_launch(const arrays_of_launch &) = delete;
  arrays_of_launch &operator=(const arrays_of_launch &) = delete;

private:
  std::unique_lock<std::mutex> launching;
  std::vector<array> noted;
};

} // namespace tessera::driver

// Called by the program's thread before it launches, and after that with none.
extern "C" void tessera_arrays_of_launch(const tessera::driver::array *first, std::size_t count);

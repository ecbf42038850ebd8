// Looking functions up, which is how programs reach the driver.
#include "driver.h"

#include <tessera/host/allocations.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace tessera::driver {
namespace {

struct function {
  std::string_view name;
  void *address;
};

const function *find(std::string_view name) {
  static const function all[] = {
#define TESSERA_DRIVER(NAME) {#NAME, reinterpret_cast<void *>(&NAME)},
#include "functions.def"
      {"cuGetProcAddress", reinterpret_cast<void *>(&cuGetProcAddress)},
  };
  const auto *found = std::find_if(std::begin(all), std::end(all),
                                   [&](const function &one) { return one.name == name; });
  return found == std::end(all) ? nullptr : found;
}

} // namespace
} // namespace tessera::driver

using namespace tessera::driver;

extern "C" {

CUresult cuInit(unsigned) {
  tessera::host::guard_allocations();
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
  *version = cuda_version;
  return CUDA_SUCCESS;
}

// The functions are those of the newest versions, which have the parameters of the older ones.
CUresult cuGetProcAddress(const char *name, void **address, int, cuuint64_t,
                          CUdriverProcAddressQueryResult *status) {
  const function *found = find(name);
  *address = found ? found->address : missing_function(name);
  if (status)
    *status = CU_GET_PROC_ADDRESS_SUCCESS;
  return CUDA_SUCCESS;
}

} // extern "C"

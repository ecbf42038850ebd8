// Errors and their texts. What the emulator found is a part of the text, since that is all that
// programs print.
#include "driver.h"

#include <cuda_runtime_api.h>

#include <cstdio>

namespace tessera::driver {
namespace {

struct description {
  CUresult error;
  std::string text;
};
thread_local description last{CUDA_SUCCESS, {}};

// The runtime's errors have the driver's numbers.
const char *text_of(CUresult error) {
  return error == CUDA_ERROR_INVALID_IMAGE ? "device kernel image is invalid"
                                           : cudaGetErrorString(static_cast<cudaError_t>(error));
}

} // namespace

void say(const std::string &message) {
  std::fflush(stdout);
  std::fprintf(stderr, "tessera: %s\n", message.c_str());
}

CUresult failed(CUresult error, const std::string &message) {
  last = {error, std::string(text_of(error)) + (message.empty() ? "" : ": ") + message};
  return error;
}

} // namespace tessera::driver

using namespace tessera::driver;

extern "C" {

CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = cudaGetErrorName(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = error != CUDA_SUCCESS && error == last.error ? last.text.c_str() : text_of(error);
  return CUDA_SUCCESS;
}

} // extern "C"

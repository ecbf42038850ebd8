// Errors: the last one of a thread, their names and descriptions.
//
// Reading a call's error clears it; a kernel's error stays.
#include "last_error.h"

#include <tessera/host/failure.h>
#include <tessera/host/fork.h>

#include <atomic>
#include <mutex>
#include <string>

namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> device_error = cudaSuccess; // written with the lock

std::mutex &failing() {
  static std::mutex mutex;
  return mutex;
}
[[maybe_unused]] const bool is_whole_in_forks =
    tessera::host::keep_whole_in_forks<std::mutex, failing>();

// Once written it is constant until the device is reset. Never destroyed: blocks may fail at the
// very end.
std::string &message_of_failure() {
  static auto *const message = new std::string;
  return *message;
}

struct description {
  cudaError_t error;
  const char *name;
  const char *text;
};

#define TESSERA_ERROR(error, text) {error, #error, text}
constexpr description descriptions[] = {
    TESSERA_ERROR(cudaSuccess, "no error"),
    TESSERA_ERROR(cudaErrorInvalidValue, "invalid argument"),
    TESSERA_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    TESSERA_ERROR(cudaErrorInitializationError, "initialization error"),
    TESSERA_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TESSERA_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    TESSERA_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    TESSERA_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TESSERA_ERROR(cudaErrorInsufficientDriver,
                  "CUDA driver version is insufficient for CUDA runtime version"),
    TESSERA_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TESSERA_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    TESSERA_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TESSERA_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TESSERA_ERROR(cudaErrorNotReady, "device not ready"),
    TESSERA_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TESSERA_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TESSERA_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    TESSERA_ERROR(cudaErrorAssert, "device-side assert triggered"),
    TESSERA_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    TESSERA_ERROR(cudaErrorNotSupported, "operation not supported"),
    TESSERA_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef TESSERA_ERROR

const description *describe(cudaError_t error) {
  for (const description &d : descriptions)
    if (d.error == error)
      return &d;
  return nullptr;
}

} // namespace

namespace tessera::host {

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess)
    last_error = error;
  return error;
}

void fail_device(cudaError_t error, const char *message) {
  std::scoped_lock lock(failing());
  if (device_error == cudaSuccess)
    message_of_failure() = message;
  device_error = device_error == cudaSuccess ? error : device_error.load();
  note(error);
}
const char *failure_message() {
  std::scoped_lock lock(failing());
  return message_of_failure().c_str();
}
cudaError_t device_status() { return note(device_error); }
bool has_failed() { return device_error != cudaSuccess; }
void mend_device() {
  std::scoped_lock lock(failing());
  if (last_error == device_error)
    last_error = cudaSuccess;
  device_error = cudaSuccess;
  message_of_failure().clear();
}

} // namespace tessera::host

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = device_error;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

const char *cudaGetErrorName(cudaError_t error) {
  const description *d = describe(error);
  return d ? d->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const description *d = describe(error);
  return d ? d->text : "unrecognized error code";
}

} // extern "C"

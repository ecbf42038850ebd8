// Streams and events: every call completes its work, so streams are handles and events are times,
// except while a stream is captured.
#include "stream.h"
#include "last_error.h"

#include <tessera/host/capture.h>

#include <chrono>
#include <optional>

using tessera::host::device_status;
using tessera::host::note;

struct CUevent_st {
  std::optional<std::chrono::steady_clock::time_point> recorded;
  std::weak_ptr<tessera::host::stream_capture> capture; // where it was recorded
};

namespace {

// Not one of the values that denote the default stream.
bool is_own(cudaStream_t stream) {
  return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

} // namespace

namespace tessera::host {

bool is_capturing(cudaStream_t stream) { return is_own(stream) && stream->capture; }

cudaError_t capture(cudaStream_t stream, std::function<cudaError_t()> operation) {
  stream->capture->graph->nodes.push_back(
      std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::nullopt, std::move(operation)}));
  return cudaSuccess;
}

} // namespace tessera::host

using tessera::host::is_capturing;
using tessera::host::run_in;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!is_own(stream))
    return note(cudaErrorStreamCaptureUnsupported);
  if (stream->capture)
    return note(cudaErrorIllegalState);
  stream->capture = std::make_shared<tessera::host::stream_capture>();
  stream->capture->graph = std::make_unique<CUgraph_st>();
  stream->capture->streams = {stream};
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  *graph = nullptr;
  if (!is_capturing(stream))
    return note(cudaErrorIllegalState);
  const auto capture = stream->capture;
  if (capture->streams.front() != stream)
    return note(cudaErrorStreamCaptureUnmatched);
  for (cudaStream_t each : capture->streams)
    each->capture = nullptr;
  *graph = capture->graph.release();
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  *status = is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  if (!stream)
    return note(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags, priority, nullptr};
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  *priority = is_own(stream) ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  *flags = is_own(stream) ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int *device) {
  *device = 0;
  return cudaSuccess;
}
// All memory is shared.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!is_own(stream))
    return note(cudaErrorInvalidResourceHandle);
  if (stream->capture)
    std::erase(stream->capture->streams, stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return is_capturing(stream) ? note(cudaErrorStreamCaptureUnsupported) : device_status();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return is_capturing(stream) ? note(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}
// A stream that waits for an event of a capturing stream is captured with it.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (const auto capture = event ? event->capture.lock() : nullptr; capture && capture->graph)
    if (is_own(stream) && !stream->capture) {
      stream->capture = capture;
      capture->streams.push_back(stream);
    }
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned) {
  if (is_capturing(stream))
    return note(cudaErrorStreamCaptureUnsupported);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  return run_in(stream, [=] {
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  if (!event)
    return note(cudaErrorInvalidValue);
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!event)
    return note(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!event)
    return note(cudaErrorInvalidResourceHandle);
  event->capture.reset();
  if (is_capturing(stream)) {
    event->capture = stream->capture;
    return cudaSuccess;
  }
  event->recorded = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return device_status(); }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds)
    return note(cudaErrorInvalidValue);
  if (!start || !end || !start->recorded || !end->recorded)
    return note(cudaErrorInvalidResourceHandle);
  *milliseconds =
      std::chrono::duration<float, std::milli>(*end->recorded - *start->recorded).count();
  return cudaSuccess;
}

} // extern "C"

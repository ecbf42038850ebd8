// Streams that are being captured, where there is no GPU: what would be done in one becomes a node
// of its graph. Of the library tessera_cpu.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace tessera::host {

bool is_capturing(cudaStream_t stream);

// Keeps an operation for the launches of the graph.
cudaError_t capture(cudaStream_t stream, std::function<cudaError_t()> operation);

// Does it now, unless the stream is being captured.
template <class Operation> cudaError_t run_in(cudaStream_t stream, Operation operation) {
  return is_capturing(stream) ? capture(stream, std::move(operation)) : operation();
}

} // namespace tessera::host

// Stream capture without a GPU: an operation on a capturing stream becomes a node of its graph.
// Part of the library tessera_cpu.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace tessera::host {

bool is_capturing(cudaStream_t stream);

// Keeps an operation for the launches of the graph.
cudaError_t capture(cudaStream_t stream, std::function<cudaError_t()> operation);

// Runs it now, unless the stream is being captured.
template <class Operation> cudaError_t run_in(cudaStream_t stream, Operation operation) {
  return is_capturing(stream) ? capture(stream, std::move(operation)) : operation();
}

} // namespace tessera::host

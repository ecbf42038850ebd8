// Streams, and what is captured in them.
#pragma once

#include "graph.h"

#include <memory>
#include <vector>

namespace tessera::host {

// From cudaStreamBeginCapture to cudaStreamEndCapture; other streams join by waiting for events.
struct stream_capture {
  std::unique_ptr<CUgraph_st> graph;
  std::vector<cudaStream_t> streams; // the first began it
};

} // namespace tessera::host

struct CUstream_st {
  unsigned flags;
  int priority;
  std::shared_ptr<tessera::host::stream_capture> capture;
};

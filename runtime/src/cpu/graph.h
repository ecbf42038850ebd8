// Graphs: nodes that run one after the other.
#pragma once

#include "launch.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::host {

// A launch with its own copy of the arguments.
struct kernel_node {
  const void *entry;
  launch_configuration configuration;
  std::vector<std::vector<std::max_align_t>> arguments;
  std::vector<void *> addresses; // of the arguments, once requested

  void **find_arguments();
};

} // namespace tessera::host

struct CUgraphNode_st {
  std::optional<tessera::host::kernel_node> kernel;
  std::function<cudaError_t()> operation; // neither: an empty node
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

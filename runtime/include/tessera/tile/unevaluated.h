// Included before all else: what <type_traits> declares for unevaluated operands, std::declval
// above all, may be named in tile code, too. Clang asks there whether a function is for the
// caller's space; nvcc does not. Before C++20 it declares std::swap, which is no constexpr there
// and stays the host's.
#pragma once

#if defined(__clang__) && defined(__CUDA__) && __cplusplus >= 202002L
#include <cstddef> // the library's configuration, which declares functions that stay the host's
#pragma clang force_cuda_host_device begin
#include <type_traits>
#pragma clang force_cuda_host_device end
#endif

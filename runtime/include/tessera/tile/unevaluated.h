// Included before all else: tile code may also name what <type_traits> declares for unevaluated
// operands, above all std::declval. Clang checks there whether a function is callable in the
// caller's space; nvcc does not. Before C++20, <type_traits> declares std::swap, which is not
// constexpr there and stays a host function.
#pragma once

#if defined(__clang__) && defined(__CUDA__) && __cplusplus >= 202002L
#include <cstddef> // the library's configuration, whose functions stay host functions
#ifdef _LIBCPP_VERSION
#include <__utility/declval.h> // a host function, too: Clang has the device's
#endif
#pragma clang force_cuda_host_device begin
#include <type_traits>
#pragma clang force_cuda_host_device end
#endif

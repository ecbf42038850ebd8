// Functions that lie in a system header: their bodies break rules that tile code keeps.
#pragma once
#pragma GCC system_header

namespace library {
template <class T> __host__ __device__ T counted(T *p) { return __atomic_fetch_add(p, 1, 0); }
__host__ __device__ inline void say(const char *format, int n) { printf(format, n); }
} // namespace library

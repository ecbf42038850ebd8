// printf with tiles on the CPU: the message is assembled and printed with one call, since blocks
// run in parallel.
#pragma once

#include "../convert.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace cuda::tiles::__prim::cpu {

class message {
public:
  explicit message(const char *format) : rest(format) { copy_text(); }

  template <class A> void add(const A &a) {
    if constexpr (__detail::is_tile<A>)
      add_tile<A, 0>(__detail::access::lanes(a), 0);
    else
      add_element(a);
    conversion.clear();
    copy_text();
  }

  int print() {
    ::std::fputs(text.c_str(), stdout);
    return static_cast<int>(text.size());
  }

private:
  // Copies the text up to the next conversion.
  void copy_text() {
    for (; *rest && (*rest != '%' || rest[1] == '%'); ++rest)
      text += *rest == '%' ? *rest++ : *rest;
    if (*rest) {
      const size_t length = 1 + ::std::strcspn(rest + 1, "diouxXeEfFgGaAcsp");
      conversion.assign(rest, rest[length] ? length + 1 : length);
      rest += conversion.size();
    }
  }

  template <class T> void add_element(T x) {
    char buffer[512];
    const int length = ::std::snprintf(buffer, sizeof(buffer), conversion.c_str(), x);
    if (length < static_cast<int>(sizeof(buffer))) {
      text += buffer;
      return;
    }
    ::std::string large(length + 1, 0);
    ::std::snprintf(large.data(), large.size(), conversion.c_str(), x);
    text.append(large, 0, length);
  }

  template <class T, int D> void add_tile(const lanes<T> &x, unsigned long long first) {
    if constexpr (D == T::shape_type::rank()) {
      add_element(__detail::from_lane<typename T::element_type>(x.v[first]));
    } else {
      constexpr unsigned long long extent = T::shape_type::static_extent(D);
      text += '[';
      for (unsigned long long i = 0; i < extent; ++i) {
        text += i ? ", " : "";
        add_tile<T, D + 1>(x, first * extent + i);
      }
      text += ']';
    }
  }

  const char *rest;
  ::std::string text, conversion;
};

template <class... A> int print(const char *format, const A &...arguments) {
  message m(format);
  (m.add(arguments), ...);
  return m.print();
}

} // namespace cuda::tiles::__prim::cpu

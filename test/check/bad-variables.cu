// What outlives a block holds no address.
// RUN: %clang_plugin -fsyntax-only -Xclang -verify %s
#include <cuda_tile.h>
namespace ct = cuda::tiles;

struct holder {
  int *at;
};
struct outer : holder {
  int n;
};

__tile__ int *pointer;        // expected-error {{the __tile__ variable 'pointer' has type 'int *', which is a pointer or a reference}}
__tile__ int *pointers[2];    // expected-error {{the __tile__ variable 'pointers' has type 'int *[2]', which contains}}
__tile__ holder one;          // expected-error {{the __tile__ variable 'one'}}
__tile__ outer several[3];    // expected-error {{the __tile__ variable 'several'}}
__tile__ int number;          // no address
__tile__ ct::tile<int *, ct::shape<2>> tile; // its elements are not stored as pointers
template <class T> __tile__ T typed; // expected-error {{the __tile__ variable 'typed<int *>'}}

__tile__ int function() {
  static int *last; // expected-error {{the __tile__ variable 'last'}}
  return *last + *typed<int *>;
}
__tile_global__ void k(int *p) {
  static holder kept; // expected-error {{the __tile__ variable 'kept'}}
  static int count;
  int *local = p;
  *local = *kept.at + function() + ++count + number;
}
int main() { static int *host; return host != nullptr; }

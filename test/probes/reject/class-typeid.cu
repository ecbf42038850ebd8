// reject: typeid
#include "../show.h"

#include <typeinfo>
__tile_global__ void k(int *o, int *p, float *f, int n) { o[0] = typeid(int) == typeid(n); }
int main() {}

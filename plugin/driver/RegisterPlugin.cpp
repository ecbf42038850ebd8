// A library that Clang or clangd loads is its plugin at once.
#include "driver/Plugin.h"

[[maybe_unused]] static const bool isRegistered = (tessera::driver::registerPlugin(), true);

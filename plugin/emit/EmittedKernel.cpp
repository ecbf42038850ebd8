// An emitted kernel as text: its parts put together, with the parameters that launches add.
#include "Pipeline.h"

using namespace llvm;

namespace tessera {

std::string EmittedKernel::signature(unsigned maps, StringRef mapsName) const {
  std::string last;
  if (maps)
    last = (StringRef(declarator).ends_with("(") ? "" : ", ") +
           ("const __grid_constant__ box_maps<" + std::to_string(maps) + ">") +
           (mapsName.empty() ? "" : " " + mapsName.str());
  return "void " + declarator + last + ")";
}

std::string EmittedKernel::text(unsigned maps) const {
  // The attributes stand between "void" and the name.
  return head + StringRef(signature(maps, mapsName)).drop_front(StringRef("void ").size()).str() +
         body;
}

} // namespace tessera

// A generated kernel's code: its parts joined, with the parameters that launches add.
#include "emit/EmittedKernel.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace tessera {

std::string EmittedKernel::displayName(StringRef ofProgram) const {
  if (coarsenedFrom.empty())
    return ofProgram.str();
  if (blockParts > 1)
    return (ofProgram + ", " + Twine(blockParts) + " blocks for each of the program's").str();
  if (coarsenedColumns * coarsenedRows == 1)
    return (ofProgram + ", for large grids").str();
  return (ofProgram + ", " + Twine(coarsenedColumns) + " x " + Twine(coarsenedRows) +
          " blocks at a time")
      .str();
}

std::string EmittedKernel::signature(unsigned maps, StringRef tensorMapsName) const {
  std::string last;
  if (maps)
    last = (StringRef(declarator).ends_with("(") ? "" : ", ") +
           ("const __grid_constant__ tensor_maps<" + std::to_string(maps) + ">") +
           (tensorMapsName.empty() ? "" : " " + tensorMapsName.str());
  return "void " + declarator + last + ")";
}

std::string EmittedKernel::text(unsigned maps) const {
  // The attributes are between "void" and the name.
  return head +
         StringRef(signature(maps, tensorMapsName)).drop_front(StringRef("void ").size()).str() +
         body;
}

} // namespace tessera

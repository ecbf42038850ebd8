// Debug locations and dbg records to MLIR locations; see Locations.h.
#include "raise/Locations.h"
#include "frontend/parse/LibraryFiles.h"

#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"

using namespace mlir;
using tessera::frontend::isLibraryFile;

namespace tessera::raising {

namespace {

// The innermost location outside library files, or the outermost one.
const llvm::DILocation *userLocation(const llvm::DILocation *location) {
  while (location && isLibraryFile(location->getFilename()) && location->getInlinedAt())
    location = location->getInlinedAt();
  return location;
}

unsigned inliningDepth(const llvm::DILocation *location) {
  unsigned depth = 0;
  while ((location = location->getInlinedAt()))
    ++depth;
  return depth;
}

Location fileLocation(MLIRContext *context, const FileLocation &at) {
  return FileLineColLoc::get(context, at.file, at.line, at.column);
}

} // namespace

Locations::Locations(MLIRContext *context, const llvm::Function &function,
                     const frontend::Kernel &kernel)
    : context(context), kernelLocation(kernel.location) {
  collectNames(function);
}

void Locations::collectNames(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      for (const llvm::DbgVariableRecord &record :
           llvm::filterDbgVars(instruction.getDbgRecordRange())) {
        const llvm::DILocalVariable *variable = record.getVariable();
        llvm::Value *value =
            record.getNumVariableLocationOps() == 1 ? record.getVariableLocationOp(0) : nullptr;
        if (!value || isa<llvm::Constant>(value) || !record.isDbgValue() ||
            record.getExpression()->getNumElements() || variable->getName().empty() ||
            variable->isArtificial() || isLibraryFile(variable->getFilename()))
          continue;
        Name name{variable->getName(), inliningDepth(record.getDebugLoc())};
        auto [entry, isNew] = names.try_emplace(value, name);
        if (!isNew && name.depth < entry->second.depth)
          entry->second = name;
      }
}

Location Locations::kernel() const { return fileLocation(context, kernelLocation); }

FileLocation Locations::source(const llvm::Value &value) const {
  auto *instruction = dyn_cast<llvm::Instruction>(&value);
  const llvm::DILocation *location =
      instruction ? userLocation(instruction->getDebugLoc()) : nullptr;
  if (!location || location->getFilename().empty())
    return kernelLocation;
  return {location->getFilename().str(), location->getLine(), location->getColumn()};
}

std::vector<FileLocation> Locations::callers(const llvm::Value &value) {
  std::vector<FileLocation> found;
  auto *instruction = dyn_cast<llvm::Instruction>(&value);
  const llvm::DILocation *location = instruction ? instruction->getDebugLoc() : nullptr;
  while (location && (location = location->getInlinedAt()))
    if (location->getLine())
      found.push_back({location->getFilename().str(), location->getLine(), location->getColumn()});
  return found;
}

Location Locations::of(const llvm::Value &value) const {
  Location location = fileLocation(context, source(value));
  auto name = names.find(&value);
  return name == names.end()
             ? location
             : Location(NameLoc::get(StringAttr::get(context, name->second.text), location));
}

Location Locations::of(const llvm::Argument &, llvm::StringRef name) const {
  return NameLoc::get(StringAttr::get(context, name), kernel());
}

} // namespace tessera::raising

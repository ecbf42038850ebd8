// The tables of a bytecode file that its functions refer to by number: strings, constants, types
// and the places of the source. Entries are read when they are first used.
#pragma once

#include "tileir/Bytes.h"
#include "tileir/Module.h"

#include <map>

namespace tessera::tileir {

class Tables {
public:
  Tables(Module &module, Problem &problem) : module(module), problem(problem) {}

  // The sections, which may come in any order, before everything else is read.
  void readStrings(Bytes section);
  void readConstants(Bytes section);
  void readTypes(Bytes section);
  void readDebug(Bytes section);

  // What the next number of `from` refers to.
  llvm::StringRef string(Bytes &from);
  llvm::StringRef constant(Bytes &from);
  const Type *type(Bytes &from); // never null; any type after a problem
  // Structures that begin with their tag.
  Attribute tagged(Bytes &from, unsigned depth = 0);
  Attribute array(Bytes &from, unsigned depth = 0);
  Attribute dictionary(Bytes &from, unsigned depth = 0);

  // The places of a function: its own, then one for each of its operations. `number`: of the
  // function in the debug section, from 1; 0: it has none.
  void startLocations(uint64_t number, Bytes &from);
  const Frames *nextLocation(Bytes &from);

private:
  struct Entry {
    llvm::StringRef bytes;
    size_t origin;
  };
  using EntryTable = std::vector<Entry>;

  EntryTable entries(Bytes &section, unsigned offsetSize);
  const Type *typeOf(uint64_t number, Bytes &from, unsigned depth);
  Type parseType(Bytes from, unsigned depth);
  void parseView(Type &type, Bytes &from, unsigned depth);
  void checkType(const Type &type, Bytes &from);
  void checkView(const Type &type, Bytes &from);
  const Frames *framesOf(uint64_t number, Bytes &from, unsigned depth);
  Frames parseFrames(Bytes from, unsigned depth);
  llvm::StringRef functionOfScope(uint64_t number, Bytes &from, unsigned depth);

  Module &module;
  Problem &problem;
  EntryTable strings, constants, rawTypes, debug;
  std::map<uint64_t, const Type *> types; // null: being read
  std::map<uint64_t, const Frames *> framesByNumber;
  std::vector<uint64_t> firstLocations, locations;
  std::optional<uint64_t> next;
  const Type fallback{};
};

} // namespace tessera::tileir

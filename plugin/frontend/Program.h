// The result of the front end: the tile kernels of a translation unit as LLVM IR, with facts that
// only Clang knows.
//
// A TileProgram is made from an error-free, checked translation unit. It uses no Clang type: the
// later stages depend on LLVM and MLIR only. All functions that tile code calls are inlined into
// the kernels, except the primitives (runtime/include/tessera/tile/primitives.h).
#pragma once

#include "support/FileLocation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::frontend {

// Element types of the language. Char types and enums appear as the integer of their width and
// sign.
enum class ElementKind {
#define TESSERA_INTEGER(KIND, ...) KIND,
#define TESSERA_FLOAT(KIND, ...) KIND,
#define TESSERA_FLOAT_CLASS(KIND, ...) KIND,
#include "tessera/elements.def"
  Pointer,
  Other
};

struct ElementType {
  ElementKind kind = ElementKind::Other;
  ElementKind pointee = ElementKind::Other; // of a Pointer; Other: void or no scalar
  bool pointeeConst = false;
};

// ct::tile<E, shape<...>>; no dimensions: rank 0, a scalar.
struct TileType {
  ElementType element;
  llvm::SmallVector<int64_t> shape;
};

// One template argument of a primitive. Packs are flattened.
struct TemplateArgument {
  enum Kind { Integer, Tile, Dimensions, Scalar } kind;
  int64_t integer = 0;                   // Integer: an enumerator or a number
  TileType tile;                         // Tile: ct::tile; Scalar: a built-in type, in tile.element
  llvm::SmallVector<int64_t> dimensions; // Dimensions: __prim::dims<...>
};

// A specialization of a primitive, e.g. {"binary", {Integer add, Integer nearest, Integer preserve,
// Tile f32 64x64}}.
struct Primitive {
  std::string name;
  llvm::SmallVector<TemplateArgument> arguments;
};

// A scalar within a struct that is passed by value.
struct Field {
  struct Array {
    int64_t count, stride;
  };

  std::string path;                   // after the parameter's name: ".rows[#].first"
  int64_t offset = 0, size = 0;       // in bytes, of the first one
  llvm::SmallVector<Array, 2> arrays; // around it, one for each # of the path
  ElementType element;
  std::string type; // in C++ spelling
};

struct Parameter {
  std::string name;
  std::string type; // in C++ spelling, e.g. "const float *__restrict"; of a reference, its address
  ElementType element;
  bool isRestrict = false;
  std::vector<Field> fields; // of a struct, which LLVM IR passes by address
};

// A hint(arch, key = value) on a kernel.
struct Hint {
  unsigned arch = 0;
  std::string key;
  int64_t value = 0;
};

struct Kernel {
  std::string symbol;      // of the llvm::Function
  std::string name;        // an identifier for generated code, unique in the program: "vadd_1024"
  std::string displayName; // "ns::vadd<1024>"
  std::string entry;       // the address of its host entry: "&::ns::vadd<1024>"
  std::string entryType;   // "void (*)(int &, const float *)"
  std::string aliases;     // definitions that these names and types need, one per line
  bool takesReferences = false; // its generated kernel takes their addresses
  FileLocation location;
  std::vector<Parameter> parameters;
  std::vector<Hint> hints; // for several architectures
};

struct TileProgram {
  // Shared: Clang's code generator, which made the module, accesses it in its destructor.
  std::shared_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::StringMap<Primitive> primitives; // by symbol
  std::vector<Kernel> kernels;           // in source order
};

} // namespace tessera::frontend

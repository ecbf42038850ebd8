// Tile IR bytecode in memory, as plain data: types, constants, places and operations. The Reader
// makes it, and has checked the structure: every reference leads somewhere, every region ends in a
// terminator. What types an operation may have is not checked here.
//
// Texts and constants are parts of the bytes that were read, which the module keeps.
#pragma once

#include "tileir/Format.h"

#include "llvm/Support/MemoryBuffer.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tessera::tileir {

enum class Element : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  TF32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F4E2M1FN,
  I4,
  F8E5M3FNU
};
llvm::StringRef nameOf(Element element);
unsigned bitsOf(Element element);
bool isInteger(Element element);

enum class Padding : uint8_t { Zero, NegativeZero, NaN, PositiveInf, NegativeInf };

// An extent or a stride that an operand gives.
constexpr int64_t dynamic = INT64_MIN;

struct Type {
  enum Kind : uint8_t {
    Number,
    Pointer,
    Tile,
    TensorView,
    PartitionView,
    StridedView,
    GatherScatterView,
    Token,
    Function
  };
  Kind kind = Token;
  Element element = Element::I1; // of a Number
  // Of a pointer what it points to, of a tile and a tensor view the elements, of another view the
  // tensor view.
  const Type *inner = nullptr;
  llvm::SmallVector<int64_t, 4> shape, strides;
  // Of a view over a tensor view: dimension k of the tile is dimension dimMap[k] of the tensor; a
  // strided view moves by `steps` from one index to the next.
  llvm::SmallVector<int64_t, 4> dimMap, steps;
  std::optional<uint64_t> sparse; // of a gather_scatter_view: the dimension that is indexed
  std::optional<Padding> padding;
  std::vector<const Type *> parameters, results; // of a function

  bool isTile() const { return kind == Tile; }
  bool isView() const { return kind >= TensorView && kind <= GatherScatterView; }
  bool isPointerTile() const { return isTile() && inner->kind == Pointer; }
  bool isNumberTile() const { return isTile() && inner->kind == Number; }
  // Of integers of 4 bits, which convert and change places but do not compute.
  bool isNibbleTile() const { return isNumberTile() && inner->element == Element::I4; }
  // The number at the bottom: of a tile of pointers what they point to.
  Element elementOf() const;
};

// The value of an attribute. Which of the members it uses follows from its tag.
struct Attribute {
  enum Tag : uint8_t {
    Absent,
    Number,       // number: also words and booleans
    Text,         // text
    Bytes,        // text: a constant's bytes
    Numbers,      // numbers
    Integer,      // type, number
    Float,        // type, number: its bits
    OfType,       // type
    List,         // list
    Dense,        // type, text
    DivBy,        // number, first: every, second: along
    SameElements, // numbers
    Dictionary,   // names, list
    Bounded,      // first: low, second: high
    Boolean       // number
  };
  Tag tag = Absent;
  uint64_t number = 0;
  llvm::StringRef text;
  const Type *type = nullptr;
  std::optional<int64_t> first, second;
  std::vector<int64_t> numbers;
  std::vector<Attribute> list;
  std::vector<llvm::StringRef> names;

  // Of a dictionary; null: not there.
  const Attribute *find(llvm::StringRef name) const;
};

// A position in a source file, in a function.
struct Frame {
  llvm::StringRef function, file;
  unsigned line = 0, column = 0;
};
using Frames = std::vector<Frame>; // the innermost first; empty: not known

// A value of a function: an index into its list of values.
using Value = uint32_t;

struct Op;
struct Block {
  std::vector<Value> arguments;
  std::vector<Op> ops;
};

struct Op {
  const Format *format = nullptr;
  size_t offset = 0; // in the file
  const Frames *frames = nullptr;
  std::vector<Attribute> attributes;        // as the format's; Absent for what is not there
  std::vector<std::vector<Value>> operands; // as the format's; empty for what is not there
  std::vector<Value> results;
  std::vector<Block> regions;

  Opcode opcode() const { return format->opcode; }
  // By the names of Operations.def.
  const Attribute &attribute(llvm::StringRef name) const;
  llvm::ArrayRef<Value> operand(llvm::StringRef name) const;
  bool has(llvm::StringRef operand) const { return !this->operand(operand).empty(); }
  bool flag(llvm::StringRef name) const { return attribute(name).number != 0; }
  template <class Word> Word word(llvm::StringRef name) const {
    return Word(attribute(name).number);
  }
};

struct Function {
  llvm::StringRef name;
  const Type *type = nullptr;
  bool isEntry = false;
  Attribute hints; // a dictionary, or Absent
  const Frames *frames = nullptr;
  Block body;
  struct ValueInfo {
    uint32_t number; // in the bytecode, where numbers are used again behind a region
    const Type *type;
  };
  std::vector<ValueInfo> values;

  const Type *typeOf(Value value) const { return values[value].type; }
};

struct Global {
  llvm::StringRef name;
  const Type *type = nullptr;
  llvm::StringRef bytes;
  uint64_t alignment = 0;
  bool isConstant = false;
  bool isPrivate = false;
};

struct Module {
  unsigned minor = 0; // of version 13.N
  std::vector<Function> functions;
  std::vector<Global> globals;
  llvm::StringRef producer;
  // What the others refer to.
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::deque<Type> types;
  std::deque<Frames> locations;

  const Global *findGlobal(llvm::StringRef name) const;
};

// Does an operation end its block?
bool isTerminator(Opcode opcode);

} // namespace tessera::tileir

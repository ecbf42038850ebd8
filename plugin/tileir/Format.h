// The format of each operation, as Operations.def states it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tessera::tileir {

enum class Opcode : uint8_t {
#define TILEIR_OPERATION(OPCODE, ENUMERATOR, ...) ENUMERATOR = OPCODE,
#include "tileir/Operations.def"
};

// The kinds of attributes. Those up to Visibility are a byte with a word for each value; the rest
// are numbers, strings and structures.
enum class Kind : uint8_t {
  Rounding,
  Overflow,
  Signedness,
  Predicate,
  Ordering,
  Memory,
  Scope,
  Mode,
  Visibility,
  Unit,     // a bit of the flags
  Int,      // a varint
  Bool,     // a byte
  String,   // the number of a string
  Constant, // the number of a constant
  Ints,     // counted, four bytes each
  Bools,    // counted, a byte each
  Tagged,   // a structure that begins with its tag
  Array,    // counted structures
  Hints     // counted pairs of a string and a structure
};

// The values of the words, in the order of their bytes.
enum class Rounding : uint8_t {
  NearestEven,
  Zero,
  NegativeInf,
  PositiveInf,
  Approx,
  Full,
  NearestIntToZero,
  NearestAway
};
enum class Signedness : uint8_t { Unsigned, Signed };
enum class Predicate : uint8_t { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
enum class Ordering : uint8_t { Unordered, Ordered };
enum class Memory : uint8_t { Weak, Relaxed, Acquire, Release, AcqRel };
enum class Scope : uint8_t { Block, Device, System };
enum class Mode : uint8_t { And, Or, Xor, Add, AddF, Max, Min, UMax, UMin, Xchg };

// The words of a kind that has words.
llvm::ArrayRef<llvm::StringLiteral> wordsOf(Kind kind);
bool hasWords(Kind kind);

struct AttributeFormat {
  llvm::StringRef name;
  Kind kind;
  bool isOptional = false;
  unsigned since = 0;                   // minor number of the version; 0: always
  std::optional<unsigned> defaultValue; // the number of a word, in versions without it
};

struct OperandFormat {
  enum How : uint8_t { One, Optional, Counted, Rest };
  llvm::StringRef name;
  How how = One;
};

struct Format {
  Opcode opcode;
  llvm::StringRef name;
  unsigned since;
  std::optional<unsigned> results; // nothing: counted
  llvm::SmallVector<AttributeFormat, 4> attributes;
  llvm::SmallVector<OperandFormat, 4> operands;
  bool hasOneCount = false; // of all operands
  unsigned regions = 0;
  std::optional<unsigned> flagsSince; // nothing: no flags
};

// Null for an opcode that no version has.
const Format *findFormat(uint64_t opcode);

} // namespace tessera::tileir

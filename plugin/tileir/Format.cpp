// The rows of Operations.def, parsed once.
#include "tileir/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>
#include <memory>

using namespace llvm;

namespace tessera::tileir {

namespace {

constexpr std::optional<unsigned> COUNTED;

Kind kindOf(StringRef word) {
  return StringSwitch<Kind>(word)
      .Case("rounding", Kind::Rounding)
      .Case("overflow", Kind::Overflow)
      .Case("signedness", Kind::Signedness)
      .Case("predicate", Kind::Predicate)
      .Case("ordering", Kind::Ordering)
      .Case("memory", Kind::Memory)
      .Case("scope", Kind::Scope)
      .Case("mode", Kind::Mode)
      .Case("visibility", Kind::Visibility)
      .Case("int", Kind::Int)
      .Case("bool", Kind::Bool)
      .Case("string", Kind::String)
      .Case("constant", Kind::Constant)
      .Case("ints", Kind::Ints)
      .Case("bools", Kind::Bools)
      .Case("tagged", Kind::Tagged)
      .Case("array", Kind::Array)
      .Case("hints", Kind::Hints)
      .Default(Kind::Unit);
}

unsigned minorOf(StringRef word) {
  unsigned number = 0;
  if (!word.empty() && word.getAsInteger(10, number))
    llvm_unreachable("Operations.def has a version that is no number");
  return number;
}

AttributeFormat parseAttribute(StringRef word) {
  AttributeFormat parsed;
  auto [head, defaultWord] = word.split('=');
  auto [spelled, since] = head.split('@');
  parsed.since = minorOf(since);
  parsed.isOptional = spelled.consume_back("?");
  auto [name, kind] = spelled.split(':');
  parsed.name = name;
  parsed.kind = !kind.empty() ? kindOf(kind) : parsed.isOptional ? Kind::Unit : kindOf(name);
  if (!defaultWord.empty())
    parsed.defaultValue =
        unsigned(find(wordsOf(parsed.kind), defaultWord) - wordsOf(parsed.kind).begin());
  return parsed;
}

Format parse(Opcode opcode, StringRef name, unsigned since, std::optional<unsigned> results,
             StringRef attributes, StringRef operands, unsigned regions) {
  Format format{opcode, name, since, results, {}, {}, false, regions, std::nullopt};
  auto needFlags = [&](unsigned version) {
    format.flagsSince = std::min(format.flagsSince.value_or(version), version);
  };
  SmallVector<StringRef> words;
  attributes.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    format.attributes.push_back(parseAttribute(word));
    if (format.attributes.back().isOptional)
      needFlags(format.attributes.back().since);
  }
  words.clear();
  operands.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word == "all*") {
      format.hasOneCount = true;
      continue;
    }
    auto [spelled, version] = word.split('@');
    OperandFormat operand{spelled, OperandFormat::One};
    if (operand.name.consume_back("?")) {
      operand.how = OperandFormat::Optional;
      needFlags(minorOf(version));
    } else if (operand.name.consume_back("*")) {
      operand.how = OperandFormat::Counted;
    }
    format.operands.push_back(operand);
  }
  if (format.hasOneCount) {
    if (format.operands.empty())
      format.operands.push_back({"x", OperandFormat::Rest});
    format.operands.back().how = OperandFormat::Rest;
  }
  return format;
}

constexpr size_t opcodes = 256;
using Table = std::array<std::unique_ptr<const Format>, opcodes>;

Table makeTable() {
  Table table;
#define TILEIR_OPERATION(OPCODE, ENUMERATOR, NAME, SINCE, RESULTS, ATTRIBUTES, OPERANDS, REGIONS)  \
  table[OPCODE] = std::make_unique<const Format>(                                                  \
      parse(Opcode::ENUMERATOR, NAME, SINCE, RESULTS, ATTRIBUTES, OPERANDS, REGIONS));
#include "tileir/Operations.def"
  return table;
}

} // namespace

ArrayRef<StringLiteral> wordsOf(Kind kind) {
  static constexpr StringLiteral rounding[] = {"nearest_even",        "zero",        "negative_inf",
                                               "positive_inf",        "approx",      "full",
                                               "nearest_int_to_zero", "nearest_away"};
  static constexpr StringLiteral overflow[] = {"none", "nsw", "nuw", "nw"};
  static constexpr StringLiteral signedness[] = {"unsigned", "signed"};
  static constexpr StringLiteral predicate[] = {"equal",        "not_equal",
                                                "less_than",    "less_than_or_equal",
                                                "greater_than", "greater_than_or_equal"};
  static constexpr StringLiteral ordering[] = {"unordered", "ordered"};
  static constexpr StringLiteral memory[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
  static constexpr StringLiteral scope[] = {"tl_blk", "device", "sys"};
  static constexpr StringLiteral mode[] = {"and", "or",  "xor",  "add",  "addf",
                                           "max", "min", "umax", "umin", "xchg"};
  static constexpr StringLiteral visibility[] = {"public", "private"};
  switch (kind) {
  case Kind::Rounding: return rounding;
  case Kind::Overflow: return overflow;
  case Kind::Signedness: return signedness;
  case Kind::Predicate: return predicate;
  case Kind::Ordering: return ordering;
  case Kind::Memory: return memory;
  case Kind::Scope: return scope;
  case Kind::Mode: return mode;
  case Kind::Visibility: return visibility;
  default: return {};
  }
}

bool hasWords(Kind kind) { return kind <= Kind::Visibility; }

const Format *findFormat(uint64_t opcode) {
  static const Table table = makeTable();
  return opcode < table.size() ? table[opcode].get() : nullptr;
}

} // namespace tessera::tileir

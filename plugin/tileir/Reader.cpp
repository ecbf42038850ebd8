// Header, sections, functions and operations. Operations.def has the format of each operation;
// nothing here knows one by name, except those that end a block.
#include "tileir/Reader.h"

#include "tileir/Bytes.h"
#include "tileir/Tables.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace llvm;

namespace tessera::tileir {

namespace {

constexpr unsigned majorVersion = 13;
// Of regions in regions.
constexpr unsigned maxDepth = 128;
// The largest that a producer asks for.
constexpr unsigned sectionAlignment = 8;

enum SectionId : uint8_t { End, Strings, Functions, Debug, Constants, Types, Globals, Producer };

class Reader {
public:
  explicit Reader(std::unique_ptr<MemoryBuffer> bytes)
      : module(std::make_unique<Module>()), tables(*module, problem) {
    module->bytes = std::move(bytes);
  }

  Expected<Module> read() {
    Bytes file(module->bytes->getBuffer(), 0, problem);
    readHeader(file);
    readSections(file);
    readParts();
    if (problem)
      return createStringError(problem.message + " (at byte " + Twine(problem.offset) + ")");
    return std::move(*module);
  }

private:
  void readHeader(Bytes &file);
  void readSections(Bytes &file);
  void readParts();
  Bytes section(SectionId id) {
    auto found = sections.find(id);
    return found == sections.end() ? Bytes({}, 0, problem) : found->second;
  }
  void readGlobals(Bytes from);
  void readFunctions(Bytes from);
  void readFunction(Bytes &from);
  Block readBlock(Bytes &from, unsigned depth);
  Op readOp(Bytes &from, unsigned depth);
  void readAttributes(Op &op, Bytes &from, uint64_t flags, uint64_t &bit);
  Attribute readAttribute(Kind kind, Bytes &from);
  void readOperands(Op &op, Bytes &from, uint64_t flags, uint64_t &bit);
  Value readValue(Bytes &from);
  void checkEnd(const Block &block, Bytes &from);
  Value define(const Type *type);

  std::unique_ptr<Module> module; // the tables refer to it
  Problem problem;
  Tables tables;
  std::map<uint8_t, Bytes> sections;
  Function *function = nullptr;
  std::vector<Value> scope; // number in the bytecode -> value
};

void Reader::readHeader(Bytes &file) {
  if (file.take(magic.size()) != magic)
    return file.failAt("this is no Tile IR bytecode", 0);
  unsigned major = file.byte(), minor = file.byte();
  file.fixed(2); // a tag, which is free
  if (file.failed())
    return;
  if (major != majorVersion || minor == 0 || minor > newestMinor)
    return file.failAt("this is Tile IR " + Twine(major) + "." + Twine(minor) +
                           "; versions 13.1 to 13." + Twine(newestMinor) + " are supported",
                       magic.size());
  module->minor = minor;
}

void Reader::readSections(Bytes &file) {
  constexpr uint8_t hasAlignment = 0x80;
  while (!file.failed()) {
    size_t start = file.offset();
    uint8_t head = file.byte();
    uint8_t id = head & ~hasAlignment;
    if (id == End)
      break;
    uint64_t length = file.number();
    if (head & hasAlignment)
      file.align(file.number());
    if (!sections.try_emplace(id, file.part(length)).second)
      file.failAt("section " + Twine(id) + " occurs twice", start);
  }
  if (!file.isAtEnd())
    file.fail("bytes follow the last section");
}

void Reader::readParts() {
  if (sections.count(Strings))
    tables.readStrings(section(Strings));
  if (sections.count(Constants))
    tables.readConstants(section(Constants));
  if (sections.count(Types))
    tables.readTypes(section(Types));
  tables.readDebug(section(Debug));
  if (sections.count(Globals))
    readGlobals(section(Globals));
  if (sections.count(Functions))
    readFunctions(section(Functions));
  if (sections.count(Producer)) {
    Bytes from = section(Producer);
    module->producer = tables.string(from);
  }
}

void Reader::readGlobals(Bytes from) {
  for (uint64_t i = 0, count = from.count(4); i < count && !from.failed(); ++i) {
    Global global;
    global.name = tables.string(from);
    global.type = tables.type(from);
    global.bytes = tables.constant(from);
    global.alignment = from.number();
    if (module->minor >= 3) {
      global.isPrivate = from.byte();
      global.isConstant = from.number();
    }
    if (!global.type->isTile() && !from.failed())
      from.fail("a global is no tile");
    module->globals.push_back(global);
  }
}

void Reader::readFunctions(Bytes from) {
  for (uint64_t i = 0, count = from.count(4); i < count && !from.failed(); ++i)
    readFunction(from);
  if (from.left() >= sectionAlignment) // fewer are padding, which cutile-rs writes
    from.fail("bytes follow the last function");
}

void Reader::readFunction(Bytes &from) {
  constexpr uint8_t isEntry = 2, hasHints = 4;
  module->functions.emplace_back();
  function = &module->functions.back();
  function->name = tables.string(from);
  function->type = tables.type(from);
  uint8_t flags = from.byte();
  function->isEntry = flags & isEntry;
  tables.startLocations(from.number(), from);
  if (flags & hasHints)
    function->hints = tables.tagged(from);
  if (function->type->kind != Type::Function && !from.failed())
    return from.fail("the type of a function is no function type");
  uint64_t length = from.number();
  Bytes body = from.part(length);
  function->frames = tables.nextLocation(from);
  scope.clear();
  for (const Type *type : function->type->parameters)
    function->body.arguments.push_back(define(type));
  while (!body.isAtEnd())
    function->body.ops.push_back(readOp(body, 0));
  checkEnd(function->body, body);
}

Value Reader::define(const Type *type) {
  auto value = Value(function->values.size());
  function->values.push_back({uint32_t(scope.size()), type});
  scope.push_back(value);
  return value;
}

// The numbers of a block end with it.
Block Reader::readBlock(Bytes &from, unsigned depth) {
  Block block;
  size_t first = scope.size();
  for (uint64_t i = 0, count = from.count(); i < count && !from.failed(); ++i)
    block.arguments.push_back(define(tables.type(from)));
  for (uint64_t i = 0, count = from.count(); i < count && !from.failed(); ++i)
    block.ops.push_back(readOp(from, depth));
  checkEnd(block, from);
  scope.resize(first);
  return block;
}

void Reader::checkEnd(const Block &block, Bytes &from) {
  if (from.failed())
    return;
  if (block.ops.empty() || !isTerminator(block.ops.back().opcode()))
    return from.fail("a block does not end with return, yield, continue or break");
  for (const Op &op : ArrayRef(block.ops).drop_back())
    if (isTerminator(op.opcode()))
      return from.failAt("'" + op.format->name + "' is not the end of its block", op.offset);
}

Op Reader::readOp(Bytes &from, unsigned depth) {
  Op op;
  op.offset = from.offset();
  uint64_t opcode = from.number();
  op.format = findFormat(opcode);
  if (!op.format || op.format->since > module->minor) {
    from.failAt(op.format ? "'" + op.format->name + "' needs version 13." +
                                Twine(op.format->since) + ", but this is 13." + Twine(module->minor)
                          : "there is no operation " + Twine(opcode),
                op.offset);
    op.format = findFormat(uint64_t(Opcode::Return));
  }
  const Format &format = *op.format;
  op.frames = tables.nextLocation(from);
  std::vector<const Type *> types;
  for (uint64_t i = 0, count = format.results ? *format.results : from.count();
       i < count && !from.failed(); ++i)
    types.push_back(tables.type(from));
  bool hasFlags = format.flagsSince && module->minor >= *format.flagsSince;
  uint64_t flags = hasFlags ? from.number() : 0, bit = 1;
  readAttributes(op, from, flags, bit);
  readOperands(op, from, flags, bit);
  if (flags >= bit)
    from.failAt("'" + format.name + "' has unknown flags", op.offset);
  uint64_t regions = format.regions ? from.count() : 0;
  if (regions > format.regions || (regions && depth == maxDepth))
    from.failAt("'" + format.name + "' has too many regions, or they are nested too deeply",
                op.offset);
  for (uint64_t i = 0; i < regions && !from.failed(); ++i) {
    if (from.number() != 1)
      from.fail("a region has not one block");
    op.regions.push_back(readBlock(from, depth + 1));
  }
  for (const Type *type : types)
    op.results.push_back(define(type));
  return op;
}

void Reader::readAttributes(Op &op, Bytes &from, uint64_t flags, uint64_t &bit) {
  for (const AttributeFormat &attribute : op.format->attributes) {
    Attribute value;
    if (attribute.isOptional) {
      bool isThere = flags & bit;
      bit <<= 1;
      if (attribute.kind == Kind::Unit)
        value.tag = Attribute::Boolean, value.number = isThere;
      else if (isThere)
        value = readAttribute(attribute.kind, from);
    } else if (module->minor >= attribute.since) {
      value = readAttribute(attribute.kind, from);
    } else if (attribute.defaultValue) {
      value.tag = Attribute::Number, value.number = *attribute.defaultValue;
    }
    op.attributes.push_back(std::move(value));
  }
}

Attribute Reader::readAttribute(Kind kind, Bytes &from) {
  Attribute value;
  if (hasWords(kind)) {
    value.tag = Attribute::Number;
    value.number = from.byte();
    if (value.number >= wordsOf(kind).size()) {
      from.fail("an attribute has the unknown value " + Twine(value.number));
      value.number = 0;
    }
    return value;
  }
  auto list = [&](unsigned size) {
    value.tag = Attribute::Numbers;
    for (uint64_t i = 0, count = from.count(size); i < count && !from.failed(); ++i)
      value.numbers.push_back(size == 1 ? int64_t(from.byte()) : int64_t(int32_t(from.fixed(4))));
  };
  switch (kind) {
  case Kind::Int: value.tag = Attribute::Number, value.number = from.number(); break;
  case Kind::Bool: value.tag = Attribute::Boolean, value.number = from.byte() != 0; break;
  case Kind::String: value.tag = Attribute::Text, value.text = tables.string(from); break;
  case Kind::Constant: value.tag = Attribute::Bytes, value.text = tables.constant(from); break;
  case Kind::Ints: list(4); break;
  case Kind::Bools: list(1); break;
  case Kind::Tagged: return tables.tagged(from);
  case Kind::Array: return tables.array(from);
  default: return tables.dictionary(from);
  }
  return value;
}

Value Reader::readValue(Bytes &from) {
  size_t start = from.offset();
  uint64_t number = from.number();
  if (from.failed())
    return 0;
  if (number < scope.size())
    return scope[number];
  from.failAt("value " + Twine(number) + " is used before it is defined", start);
  return 0;
}

void Reader::readOperands(Op &op, Bytes &from, uint64_t flags, uint64_t &bit) {
  uint64_t left = op.format->hasOneCount ? from.count() : 0;
  for (const OperandFormat &operand : op.format->operands) {
    std::vector<Value> values;
    uint64_t count = 1;
    if (operand.how == OperandFormat::Optional) {
      count = flags & bit ? 1 : 0;
      bit <<= 1;
    } else if (operand.how == OperandFormat::Counted) {
      count = from.count();
    } else if (operand.how == OperandFormat::Rest) {
      count = left;
    } else if (op.format->hasOneCount) {
      if (left == 0)
        from.failAt("'" + op.format->name + "' lacks its operand '" + operand.name + "'",
                    op.offset);
      left -= left != 0;
    }
    for (uint64_t i = 0; i < count && !from.failed(); ++i)
      values.push_back(readValue(from));
    op.operands.push_back(std::move(values));
  }
}

} // namespace

Expected<Module> read(std::unique_ptr<MemoryBuffer> bytes) {
  return Reader(std::move(bytes)).read();
}

} // namespace tessera::tileir

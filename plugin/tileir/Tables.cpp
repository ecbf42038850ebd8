// Strings, constants, places and attributes; Types.cpp has the types.
#include "tileir/Tables.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace tessera::tileir {

namespace {

// Of attributes in attributes, and of places in places.
constexpr unsigned maxDepth = 32;
constexpr unsigned maxCallers = 1024; // a function that calls itself is inlined as often
// Of calls that led to a frames.
constexpr size_t maxFrames = 64;

enum DebugTag : uint8_t { LexicalBlock = 3, Position = 4, Subprogram = 5, CallSite = 6 };

} // namespace

// A count, offsets, and the bytes that they cut into entries.
Tables::EntryTable Tables::entries(Bytes &section, unsigned offsetSize) {
  uint64_t count = section.count(offsetSize);
  section.align(offsetSize);
  std::vector<uint64_t> offsets;
  for (uint64_t i = 0; i < count && !section.failed(); ++i)
    offsets.push_back(section.fixed(offsetSize));
  size_t start = section.offset();
  StringRef body = section.take(section.left());
  EntryTable table;
  for (uint64_t i = 0; i < offsets.size() && !section.failed(); ++i) {
    uint64_t end = i + 1 < offsets.size() ? offsets[i + 1] : body.size();
    if (offsets[i] > end || end > body.size())
      section.failAt("entry " + Twine(i) + " of a table does not lie in it", start);
    else
      table.push_back({body.slice(offsets[i], end), start + offsets[i]});
  }
  return table;
}

void Tables::readStrings(Bytes section) {
  strings = entries(section, 4);
  for (const Entry &entry : strings)
    if (!json::isUTF8(entry.bytes))
      section.failAt("a string is not in UTF-8", entry.origin);
}

void Tables::readConstants(Bytes section) { constants = entries(section, 8); }

void Tables::readTypes(Bytes section) { rawTypes = entries(section, 4); }

void Tables::readDebug(Bytes section) {
  if (section.isAtEnd())
    return;
  uint64_t functions = section.count(4);
  section.align(4);
  for (uint64_t i = 0; i < functions && !section.failed(); ++i)
    firstLocations.push_back(section.fixed(4));
  uint64_t count = section.count(8);
  section.align(8);
  for (uint64_t i = 0; i < count && !section.failed(); ++i)
    locations.push_back(section.fixed(8));
  debug = entries(section, 4);
}

StringRef Tables::string(Bytes &from) {
  size_t start = from.offset();
  uint64_t number = from.number();
  if (from.failed())
    return {};
  if (number < strings.size())
    return strings[number].bytes;
  from.failAt("there is no string " + Twine(number), start);
  return {};
}

StringRef Tables::constant(Bytes &from) {
  size_t start = from.offset();
  uint64_t number = from.number();
  if (from.failed())
    return {};
  if (number >= constants.size()) {
    from.failAt("there is no constant " + Twine(number), start);
    return {};
  }
  Bytes entry(constants[number].bytes, constants[number].origin, problem);
  return entry.take(entry.number());
}

// ---- structures with a tag ----

Attribute Tables::array(Bytes &from, unsigned depth) {
  Attribute value;
  value.tag = Attribute::List;
  for (uint64_t i = 0, count = from.count(); i < count && !from.failed(); ++i)
    value.list.push_back(tagged(from, depth + 1));
  return value;
}

Attribute Tables::dictionary(Bytes &from, unsigned depth) {
  Attribute value;
  value.tag = Attribute::Dictionary;
  for (uint64_t i = 0, count = from.count(2); i < count && !from.failed(); ++i) {
    value.names.push_back(string(from));
    value.list.push_back(tagged(from, depth + 1));
  }
  return value;
}

// A table of tags, a few lines for each.
Attribute Tables::tagged(Bytes &from, unsigned depth) {
  size_t start = from.offset();
  if (depth > maxDepth) {
    from.fail("attributes are nested too deeply");
    return {};
  }
  Attribute value;
  auto optionals = [&](uint64_t flags) {
    if (flags & 1)
      value.first = from.signedNumber();
    if (flags & 2)
      value.second = from.signedNumber();
  };
  switch (uint8_t tag = from.byte()) {
  case 1: // an integer
    value.tag = Attribute::Integer;
    value.type = type(from);
    value.number = from.number();
    return value;
  case 2: // a float: its bits, signed where they are more than a byte
    value.tag = Attribute::Float;
    value.type = type(from);
    if (unsigned bits = bitsOf(value.type->elementOf()); bits <= 8)
      value.number = from.byte();
    else
      value.number = uint64_t(from.signedNumber()) & (bits < 64 ? (1ull << bits) - 1 : ~0ull);
    return value;
  case 3: value.tag = Attribute::Boolean, value.number = from.byte(); return value;
  case 4: value.tag = Attribute::OfType, value.type = type(from); return value;
  case 5: value.tag = Attribute::Text, value.text = string(from); return value;
  case 6: return array(from, depth);
  case 7:
    value.tag = Attribute::Dense;
    value.type = type(from);
    value.text = constant(from);
    return value;
  case 8:
    value.tag = Attribute::DivBy;
    value.number = from.number();
    optionals(from.byte());
    return value;
  case 9:
    value.tag = Attribute::SameElements;
    for (uint64_t i = 0, count = from.count(8); i < count && !from.failed(); ++i)
      value.numbers.push_back(int64_t(from.fixed(8)));
    return value;
  case 10:
  case 11: return dictionary(from, depth);
  case 12:
    value.tag = Attribute::Bounded;
    optionals(from.byte());
    return value;
  default: from.failAt("an attribute has the unknown tag " + Twine(tag), start); return {};
  }
}

// ---- places ----

void Tables::startLocations(uint64_t number, Bytes &from) {
  next.reset();
  if (number > firstLocations.size())
    from.fail("there is no debug information " + Twine(number));
  else if (number > 0)
    next = firstLocations[number - 1];
}

const Frames *Tables::nextLocation(Bytes &from) {
  static const Frames unknown;
  if (from.failed() || !next || *next >= locations.size())
    return &unknown;
  const Frames *frames = framesOf(locations[(*next)++], from, 0);
  return frames ? frames : &unknown;
}

const Frames *Tables::framesOf(uint64_t number, Bytes &from, unsigned depth) {
  if (number == 0 || from.failed())
    return nullptr;
  if (auto known = framesByNumber.find(number); known != framesByNumber.end())
    return known->second;
  if (number > debug.size() || depth > maxCallers) {
    from.fail(depth > maxCallers ? Twine("places are nested too deeply")
                                 : "there is no place " + Twine(number));
    return nullptr;
  }
  const Entry &entry = debug[number - 1];
  Frames frames = parseFrames(Bytes(entry.bytes, entry.origin, problem), depth);
  module.locations.push_back(std::move(frames));
  return framesByNumber[number] = &module.locations.back();
}

Frames Tables::parseFrames(Bytes from, unsigned depth) {
  Frames frames;
  switch (from.byte()) {
  case CallSite:
    for (int i = 0; i < 2; ++i) // the callee, then its caller
      if (const Frames *part = framesOf(from.number(), from, depth + 1))
        frames.insert(frames.end(), part->begin(), part->end());
    if (frames.size() > maxFrames)
      frames.resize(maxFrames);
    return frames;
  case Position: {
    uint64_t scope = from.number();
    Frame frame;
    frame.file = string(from);
    frame.line = unsigned(from.number());
    frame.column = unsigned(from.number());
    frame.function = functionOfScope(scope, from, depth + 1);
    if (!from.failed())
      frames.push_back(frame);
    return frames;
  }
  default: return frames;
  }
}

StringRef Tables::functionOfScope(uint64_t number, Bytes &from, unsigned depth) {
  if (from.failed() || number == 0 || number > debug.size() || depth > maxCallers)
    return {};
  const Entry &entry = debug[number - 1];
  Bytes scope(entry.bytes, entry.origin, problem);
  switch (scope.byte()) {
  case Subprogram:
    scope.number(); // its file
    scope.number(); // its line
    return string(scope);
  case LexicalBlock: return functionOfScope(scope.number(), scope, depth + 1);
  default: return {};
  }
}

} // namespace tessera::tileir

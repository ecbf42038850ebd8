#include "nvcc/OptionTable.h"
#include "target/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

using namespace llvm;

namespace tessera::nvcc {
namespace {

using opt::DefaultVis;

#define OPTTABLE_STR_TABLE_CODE
#define OPTTABLE_PREFIXES_TABLE_CODE
#include "nvcc/NvccOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE
#undef OPTTABLE_PREFIXES_TABLE_CODE

// The numbers of OptionKind, as the rows name them.
enum : unsigned {
  OPT_INVALID,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "nvcc/NvccOptions.inc"
#undef OPTION
};

// The flag of NvccOptions.td.
constexpr unsigned Short = 1 << 4;

constexpr opt::OptTable::Info rows[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "nvcc/NvccOptions.inc"
#undef OPTION
};

struct Table : opt::GenericOptTable {
  Table() : GenericOptTable(OptionStrTable, OptionPrefixesTable, rows) {}
};

const Table &table() {
  static const Table made;
  return made;
}

OptionKind kindOf(const opt::Option &option) {
  if (option.getKind() == opt::Option::UnknownClass || option.matches(OPT_Other))
    return OptionKind::Other;
  return OptionKind(option.getID());
}

// A word without its dashes.
StringRef nameIn(StringRef word) {
  word.consume_front("-");
  word.consume_front("-");
  return word;
}

std::optional<Option> take(const driver::CommonOption &row, ArrayRef<std::string> words) {
  StringRef word = nameIn(words.front());
  Option option{OptionKind::Common, word.split('=').second.str(), {words.front()}, &row};
  if (!row.takesValue() || word.contains('='))
    return option;
  if (words.size() == 1)
    return std::nullopt;
  option.value = words[1];
  option.spelled.push_back(words[1]);
  return option;
}

} // namespace

std::optional<Option> matchOption(ArrayRef<std::string> words) {
  if (const driver::CommonOption *row = driver::findCommonOption(nameIn(words.front())))
    return take(*row, words);
  SmallVector<const char *, 2> texts;
  for (const std::string &word : words.take_front(2))
    texts.push_back(word.c_str());
  opt::InputArgList list(texts.begin(), texts.end());
  unsigned end = 0;
  std::unique_ptr<opt::Arg> found = table().ParseOneArg(list, end);
  if (!found)
    return std::nullopt;
  Option option;
  option.kind = kindOf(found->getOption());
  if (found->getNumValues() && found->getOption().getKind() != opt::Option::UnknownClass)
    option.value = found->getValue();
  option.spelled.assign(words.begin(), words.begin() + end);
  return option;
}

std::vector<driver::CompletedWord> completedOptions() {
  std::vector<driver::CompletedWord> words;
  for (unsigned id = 1; id <= table().getNumOptions(); ++id) {
    const opt::Option option = table().getOption(id);
    const StringRef name = option.getName();
    const bool isShort = option.hasFlag(Short);
    const bool isNamed = option.getKind() == opt::Option::FlagClass ||
                         option.getKind() == opt::Option::SeparateClass ||
                         option.getKind() == opt::Option::JoinedOrSeparateClass;
    if (!isNamed) // with its "=", or a group
      continue;
    driver::CompletedWord word;
    word.takesValue = option.getKind() != opt::Option::FlagClass;
    if (kindOf(option.getUnaliasedOption()) == OptionKind::Architecture)
      for (const GpuTarget &target : gpuTargets())
        word.values.push_back(target.name.str());
    for (StringRef dashes : {"--", "-"})
      if (dashes == "-" ? isShort || name.size() == 1 : !isShort) {
        word.name = (dashes + name).str();
        words.push_back(word);
      }
  }
  for (const driver::CommonOption &option : driver::commonOptions())
    words.push_back({("--" + option.name).str(), "", option.takesValue(), {}});
  return words;
}

} // namespace tessera::nvcc

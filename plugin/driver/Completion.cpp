// One function for each shell. Names are printed unchanged; descriptions are quoted.
#include "driver/Completion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tessera::driver {
namespace {

bool isLetter(const CompletedWord &option) { return option.name.size() == 2; }

std::string replaced(StringRef text, char letter, StringRef by) {
  std::string result;
  for (char one : text)
    one == letter ? result += by : result += one;
  return result;
}

// Inside of single quotes.
std::string quoted(StringRef text) { return replaced(text, '\'', "'\\''"); }

std::string functionOf(const Completion &completion) {
  return "_" + replaced(completion.program, '-', "_");
}

std::string namesOf(ArrayRef<CompletedWord> words) {
  std::vector<std::string> names;
  for (const CompletedWord &word : words)
    names.push_back(word.name + (word.takesValue && !isLetter(word) ? "=" : ""));
  return join(names, " ");
}

// The options after a command, or without one.
std::vector<CompletedWord> optionsBehind(const Completion &completion, StringRef command) {
  std::vector<CompletedWord> options;
  llvm::copy_if(completion.options, std::back_inserter(options), [&](const CompletedWord &option) {
    return option.behind.empty() || llvm::is_contained(option.behind, command);
  });
  return options;
}

// If bash splits words at '=', the option is one or two words before. Without a match it completes
// files.
void printForBash(const Completion &completion, raw_ostream &out) {
  std::string function = functionOf(completion);
  out << function << "() {\n"
      << "  local word=${COMP_WORDS[COMP_CWORD]} option= values=\n"
      << "  if [[ $word == = ]]; then\n"
      << "    option=${COMP_WORDS[COMP_CWORD-1]} word=\n"
      << "  elif (( COMP_CWORD > 1 )) && [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then\n"
      << "    option=${COMP_WORDS[COMP_CWORD-2]}\n"
      << "  fi\n"
      << "  COMPREPLY=()\n"
      << "  case $option in\n";
  for (const CompletedWord &option : completion.options)
    if (!option.values.empty())
      out << "  " << option.name << ") values='" << join(option.values, " ") << "' ;;\n";
  out << "  '')\n"
      << "    if [[ $word == -* ]]; then\n"
      << "      case ${COMP_WORDS[1]} in\n";
  for (const CompletedWord &command : completion.commands)
    out << "      " << command.name << ") values='"
        << namesOf(optionsBehind(completion, command.name)) << "' ;;\n";
  out << "      *) values='" << namesOf(optionsBehind(completion, "")) << "' ;;\n"
      << "      esac\n";
  if (!completion.commands.empty())
    out << "    elif (( COMP_CWORD == 1 )); then\n"
        << "      values='" << namesOf(completion.commands) << "'\n";
  out << "    fi ;;\n"
      << "  esac\n"
      << "  if [[ $values ]]; then\n"
      << "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
      << "  fi\n"
      << "  if [[ ${COMPREPLY-} == *= ]]; then\n"
      << "    compopt -o nospace 2>/dev/null\n"
      << "  fi\n"
      << "}\n"
      << "complete -o default -F " << function << " " << completion.program << "\n";
}

void printZshArguments(ArrayRef<CompletedWord> options, raw_ostream &out) {
  out << "_arguments \\\n";
  for (const CompletedWord &option : options) {
    std::string description =
        quoted(replaced(replaced(option.description, '[', "\\["), ']', "\\]"));
    out << "  '*" << option.name
        << (!option.takesValue ? ""
            : isLetter(option) ? "+"
                               : "=-")
        << "[" << description << "]";
    if (option.takesValue && option.values.empty())
      out << ": :_files";
    else if (option.takesValue)
      out << ": :(" << join(option.values, " ") << ")";
    out << "' \\\n";
  }
}

void printForZsh(const Completion &completion, raw_ostream &out) {
  out << "#compdef " << completion.program << "\ncase $words[2] in\n";
  for (const CompletedWord &command : completion.commands) {
    out << command.name << ")\n";
    printZshArguments(optionsBehind(completion, command.name), out);
    out << "  '*: :_files' ;;\n";
  }
  out << "*)\n";
  printZshArguments(optionsBehind(completion, ""), out);
  if (!completion.commands.empty()) {
    out << "  '1: :_alternative \"commands:command:((";
    for (const CompletedWord &command : completion.commands)
      out << command.name << "\\:\\\"" << quoted(replaced(command.description, ':', "\\:"))
          << "\\\" ";
    out << "))\" \"files:file:_files\"' \\\n";
  }
  out << "  '*: :_files' ;;\nesac\n";
}

// Empty for an option that is valid after all commands.
std::string fishCondition(const Completion &completion, const CompletedWord &option) {
  if (option.behind.empty())
    return {};
  bool isForNone = llvm::is_contained(option.behind, "");
  std::string commands;
  for (const CompletedWord &command : completion.commands)
    if (llvm::is_contained(option.behind, command.name) != isForNone)
      commands += " " + command.name;
  return std::string(" -n '") + (isForNone ? "not " : "") + "__fish_seen_subcommand_from" +
         commands + "'";
}

void printForFish(const Completion &completion, raw_ostream &out) {
  for (const CompletedWord &command : completion.commands)
    out << "complete -c " << completion.program << " -n __fish_use_subcommand -a " << command.name
        << " -d '" << quoted(command.description) << "'\n";
  for (const CompletedWord &option : completion.options) {
    StringRef name = option.name;
    out << "complete -c " << completion.program << fishCondition(completion, option)
        << (name.consume_front("--") ? " -l "
            : isLetter(option)       ? " -s "
                                     : " -o ")
        << name.ltrim('-');
    if (option.takesValue)
      out << (option.values.empty() ? " -r" : " -x -a '" + join(option.values, " ") + "'");
    if (!option.description.empty())
      out << " -d '" << quoted(option.description) << "'";
    out << "\n";
  }
}

} // namespace

bool printCompletion(const Completion &completion, StringRef shell, raw_ostream &out) {
  if (shell == "bash")
    printForBash(completion, out);
  else if (shell == "zsh")
    printForZsh(completion, out);
  else if (shell == "fish")
    printForFish(completion, out);
  else
    return false;
  return true;
}

} // namespace tessera::driver

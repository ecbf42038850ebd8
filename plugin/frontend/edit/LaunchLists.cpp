// The tokens from `<<<` to `>>>` are read by the depth of their brackets. Template arguments, whose
// angles are no brackets, are skipped.
#include "frontend/edit/LaunchLists.h"

using namespace clang;

namespace tessera::frontend {

Tokens launchAround(Tokens tokens, SourceLocation location) {
  auto [before, behind] = splitAt(tokens, location);
  int depth = 0;
  for (size_t i = before.size(); i-- > 0;) {
    depth += int(closes(before[i])) - int(opens(before[i]));
    if (depth < 0 || before[i].isOneOf(tok::semi, tok::greatergreatergreater))
      break;
    if (before[i].is(tok::lesslessless) && depth == 0)
      return tokens.drop_front(i);
  }
  return {};
}

// The last token of the template arguments that a `<` after a name opens, or 0 if it is a
// comparison: after arguments comes a call, a name or an end, never an operand.
static size_t endOfArguments(Tokens tokens, size_t less) {
  if (less == 0 || tokens[less - 1].isNot(tok::raw_identifier))
    return 0;
  int brackets = 0, angles = 0;
  for (size_t i = less; i + 1 < tokens.size() && tokens[i].isNot(tok::semi); ++i) {
    brackets += int(opens(tokens[i])) - int(closes(tokens[i]));
    if (brackets < 0)
      return 0;
    if (brackets > 0)
      continue;
    angles += int(tokens[i].is(tok::less));
    angles -= tokens[i].is(tok::greater) ? 1 : tokens[i].is(tok::greatergreater) ? 2 : 0;
    if (angles <= 0)
      return angles == 0 && tokens[i + 1].isOneOf(tok::l_paren, tok::l_brace, tok::coloncolon,
                                                  tok::comma, tok::r_paren, tok::r_brace,
                                                  tok::r_square, tok::greatergreatergreater)
                 ? i
                 : 0;
  }
  return 0;
}

void changeLaunch(Tokens launch, std::vector<Change> &changes) {
  unsigned argument = 0;
  int depth = 0;
  SourceLocation opened;
  for (size_t i = 1; i < launch.size() && !(depth == 0 && launch[i].is(tok::greatergreatergreater));
       ++i) {
    if (size_t end = depth == 0 && launch[i].is(tok::less) ? endOfArguments(launch, i) : 0) {
      i = end;
      continue;
    }
    bool isFirst = launch[i - 1].is(tok::lesslessless) || launch[i - 1].is(tok::comma);
    if (opens(launch[i]) && depth++ == 0 && isFirst && launch[i].is(tok::l_brace))
      opened = launch[i].getLocation();
    if (closes(launch[i]) && --depth == 0 && opened.isValid()) {
      if (argument < 2) { // in nvcc, numbers may have any type
        changes.push_back({opened, 1, " ::dim3("});
        changes.push_back({launch[i].getLocation(), 1, ")"});
      } else {
        changes.push_back({opened, 0, argument == 2 ? "decltype(sizeof(0))" : " ::cudaStream_t"});
      }
      opened = {};
    }
    argument += depth == 0 && launch[i].is(tok::comma);
  }
}

} // namespace tessera::frontend

// Rules of check/ by the Clang errors that they repeat (Errors.def).
#include "diagnose/Repeated.h"
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::diagnose {

bool maybeSaidAgain(unsigned id) { return id == diag::ext_cce_narrowing; }

bool isSaidAgain(const Message &error, const Message &next, const SourceManager &sources) {
  // For `tile<float, shape<-8>>`: -8 is no size, then no tile has this shape.
  if (maybeSaidAgain(error.id))
    return mayBeExplained(next.id) && next.location.isValid() &&
           sources.isBeforeInTranslationUnit(next.location, error.location);
  // For `tile && tile`: Clang first reports that the left one is no bool, then that the operator
  // has no such operands.
  if (error.id == diag::err_typecheck_nonviable_condition &&
      next.id == diag::err_typecheck_invalid_operands)
    return llvm::any_of(next.storage.DiagRanges, [&](const CharSourceRange &operand) {
      return operand.getBegin() == error.location;
    });
  // For `tile->x`: a tile is no pointer, then it has no member x.
  constexpr int lengthOfArrow = 2;
  return error.id == diag::err_typecheck_member_reference_suggestion &&
         next.id == diag::err_no_member &&
         next.location == error.location.getLocWithOffset(lengthOfArrow);
}

static bool isOnLineOf(const Message &error, const Message &before, const SourceManager &sources) {
  return error.location.isValid() && before.location.isValid() &&
         SpokenRules::lineOf(error.location, sources) ==
             SpokenRules::lineOf(before.location, sources);
}

// The length of a name with its qualifier.
static size_t lengthOfName(StringRef text) {
  auto isOfName = [](char c) { return isAsciiIdentifierContinue(c) || c == ':'; };
  return text.size() - text.drop_while(isOfName).size();
}

// Errors after an undeclared name, from Clang's parse of what follows: for `x.to<type>()`, that a
// type is no value, because `<` compares.
static bool isBehindNoName(const Message &error, const Message &before, StringRef text) {
  if (before.id != diag::err_no_member && before.id != diag::err_no_member_suggest &&
      before.id != diag::err_typename_nested_not_found && before.id != diag::err_undeclared_var_use)
    return false;
  if (error.id == diag::err_expected_unqualified_id)
    return true;
  return (error.id == diag::err_ref_non_value || error.id == diag::err_expected_expression ||
          error.id == diag::err_expected_lparen_after_type) &&
         text.drop_front(lengthOfName(text)).starts_with("<");
}

bool isCorrected(const Message &error) {
  return error.id == diag::err_undeclared_var_use_suggest ||
         error.id == diag::err_undeclared_use_suggest || error.id == diag::err_no_member_suggest ||
         error.id == diag::err_no_member_template_suggest;
}

bool followsFrom(const Message &error, const Message &before, const SourceManager &sources) {
  if (error.level < DiagnosticsEngine::Error || before.location.isMacroID() ||
      !isOnLineOf(error, before, sources))
    return false;
  auto [file, offset] = sources.getDecomposedLoc(before.location);
  StringRef text = sources.getBufferData(file).drop_front(offset);
  if (isBehindNoName(error, before, text))
    return true;
  // For `x @ y`: the statement ends before it, then it starts no expression.
  if (error.id == diag::err_expected_expression &&
      sources.getCharacterData(error.location)[0] == '@')
    return true;
  // The correction may be the constant that is being declared.
  bool isOfConstant = error.id == diag::err_constexpr_var_requires_const_init;
  unsigned errorOffset = sources.getDecomposedExpansionLoc(error.location).second;
  bool isAtName = errorOffset >= offset && errorOffset <= offset + lengthOfName(text);
  // Template arguments do not match the correction, either.
  bool isOfArguments = error.id == diag::err_template_arg_must_be_type ||
                       error.id == diag::err_template_arg_must_be_expr ||
                       error.id == diag::err_template_arg_list_different_arity;
  // Nor do the call's arguments: the corrected function takes no tiles.
  bool isOfCall = (error.id == diag::err_typecheck_convert_incompatible ||
                   error.id == diag::err_typecheck_nonviable_condition) &&
                  errorOffset > offset && text.drop_front(lengthOfName(text)).starts_with("(");
  return isCorrected(before) && (isAtName || isOfConstant || isOfArguments || isOfCall);
}

bool isOfSystemsCall(const Message &error, ArrayRef<const FunctionDecl *> functions,
                     const SourceManager &sources) {
  auto isTileCode = [](const FunctionDecl *one) { return frontend::isTile(one); };
  bool isOfCallee = error.id == diag::err_ref_bad_target || !ruleOf(error.id).empty();
  return isOfCallee && error.location.isValid() && sources.isInSystemHeader(error.location) &&
         llvm::none_of(functions, isTileCode);
}

bool isInBrokenFunction(ArrayRef<const FunctionDecl *> functions,
                        ArrayRef<SourceLocation> locations, const SourceManager &sources) {
  return llvm::any_of(functions, [&](const FunctionDecl *function) {
    return llvm::any_of(locations, [&](SourceLocation loc) {
      return !sources.isBeforeInTranslationUnit(loc, function->getBeginLoc()) &&
             sources.isBeforeInTranslationUnit(loc, function->getLocation());
    });
  });
}

StringRef ruleOf(unsigned id) {
  switch (id) {
#define TESSERA_RULE(id, rule)                                                                     \
  case diag::id: return rule;
#include "diagnose/Errors.def"
  default: return "";
  }
}

SpokenRules::Line SpokenRules::lineOf(SourceLocation loc, const SourceManager &sources) {
  loc = sources.getExpansionLoc(loc);
  return {sources.getFileID(loc), sources.getExpansionLineNumber(loc)};
}

void SpokenRules::add(const clang::Diagnostic &diagnostic) {
  if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid())
    return;
  SmallString<256> text;
  diagnostic.FormatDiagnostic(text);
  StringRef code = text.str();
  if (code.consume_back("]") && code.contains("[tile:"))
    spoken.insert({lineOf(diagnostic.getLocation(), diagnostic.getSourceManager()),
                   code.substr(code.rfind('/') + 1).str()});
}

bool SpokenRules::haveRefusedCall() const {
  return llvm::any_of(spoken, [](const auto &one) { return one.second == "call-of-other"; });
}

bool SpokenRules::refuseCallAt(SourceLocation loc, const SourceManager &sources) const {
  return loc.isValid() && spoken.count({lineOf(loc, sources), "call-of-other"});
}

bool SpokenRules::contains(const Message &error, const SourceManager &sources) const {
  return error.location.isValid() &&
         spoken.count({lineOf(error.location, sources), ruleOf(error.id).str()});
}

} // namespace tessera::diagnose

// Launches of kernels: template arguments, the number of blocks, and the argument of each
// parameter.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

// The first kernel of tile code with a property, in the scope or in a namespace of it.
template <class Question>
const FunctionDecl *findKernel(const DeclContext *scope, const Question &question) {
  for (const Decl *one : scope->decls()) {
    const FunctionDecl *found = nullptr;
    if (auto *inner = dyn_cast<NamespaceDecl>(one))
      found = findKernel(inner, question);
    else if (auto *function = one->getAsFunction();
             function && frontend::isTileKernel(function) && question(function))
      found = function;
    if (found)
      return found;
  }
  return nullptr;
}

const FunctionDecl *kernelOf(DeclarationName name, const ASTContext &context) {
  return findKernel(context.getTranslationUnitDecl(),
                    [&](const FunctionDecl *one) { return one->getDeclName() == name; });
}

// The kernel with a parameter at this location, and the parameter.
std::pair<const FunctionDecl *, const ParmVarDecl *> parameterAt(SourceLocation loc,
                                                                 const ASTContext &context) {
  const ParmVarDecl *parameter = nullptr;
  auto *kernel = findKernel(context.getTranslationUnitDecl(), [&](const FunctionDecl *one) {
    for (const ParmVarDecl *each : one->parameters())
      if (each->getLocation() == loc)
        parameter = each;
    return parameter != nullptr;
  });
  return {kernel, parameter};
}

Explanation say(const Error &error, Row row, std::vector<std::string> arguments) {
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions).say(row, std::move(arguments));
}

// "(float *p, int n)". For a template, the types as written.
std::string parametersOf(const FunctionDecl *kernel, const ASTContext &context) {
  std::string text;
  for (const ParmVarDecl *parameter : kernel->parameters()) {
    std::string type = parameter->getType()->isDependentType()
                           ? parameter->getType().getAsString(context.getPrintingPolicy())
                           : print(parameter->getType(), context);
    bool isSpaced = type.back() != '*' && type.back() != '&' && !parameter->getName().empty();
    text += (text.empty() ? "" : ", ") + type + (isSpaced ? " " : "") + parameter->getName().str();
  }
  return "(" + text + ")";
}

Explanation sayCount(const Error &error, const FunctionDecl *kernel, unsigned given) {
  unsigned least = kernel->getMinRequiredArguments(), most = kernel->getNumParams();
  std::string taken = (least < most ? std::to_string(least) + " to " : "") + std::to_string(most);
  return say(error, Row::LaunchCount,
             {kernel->getNameAsString(), countOf(given, "argument"), taken,
              parametersOf(kernel, error.context)});
}

Explanation sayType(const Error &error, const FunctionDecl *kernel, const ParmVarDecl *parameter,
                    QualType from, QualType to) {
  if (!kernel || from.isNull() || to.isNull())
    return std::nullopt;
  std::string name = parameter->getName().str();
  return say(error, Row::LaunchType,
             {kernel->getNameAsString(), print(from, error.context),
              name.empty() ? "a parameter" : "'" + name + "'", print(to, error.context)});
}

// The name in front of the `<<<` around a location; null after its end.
const IdentifierInfo *launchedAround(SourceLocation loc, const ASTContext &context) {
  if (loc.isInvalid() || loc.isMacroID())
    return nullptr;
  auto [file, offset] = context.getSourceManager().getDecomposedLoc(loc);
  StringRef before = context.getSourceManager().getBufferData(file).take_front(offset);
  size_t open = before.rfind("<<<");
  if (open == StringRef::npos || before.drop_front(open).find_first_of(";{}") != StringRef::npos)
    return nullptr;
  StringRef name = before.take_front(open).rtrim();
  if (name.ends_with(">")) { // template arguments
    int depth = 0;
    size_t i = name.size();
    do {
      --i;
      depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    } while (i && depth);
    name = name.take_front(i).rtrim();
  }
  size_t begin = name.size();
  while (begin && isAsciiIdentifierContinue(name[begin - 1]))
    --begin;
  return begin < name.size() ? &context.Idents.get(name.drop_front(begin)) : nullptr;
}

// The note about the only candidate; null if there are several.
const Message *onlyCandidate(const Error &error) {
  const Message *found = nullptr;
  for (const Message &note : error.notes)
    if (StringRef(note.text).starts_with("candidate") && std::exchange(found, &note))
      return nullptr;
  return found;
}

// Numbers that follow are positions among the note's arguments.
Explanation explainNote(const Error &error, const Message &note, const FunctionDecl *kernel) {
  auto sayTemplate = [&](Row row, unsigned argument) {
    DeclarationName name = note.name(argument);
    return name ? say(error, row, {kernel->getNameAsString(), name.getAsString()}) : std::nullopt;
  };
  auto sayParameter = [&](unsigned position) {
    unsigned number = note.number(position).value_or(0);
    if (number == 0 || number > kernel->getNumParams())
      return Explanation();
    const ParmVarDecl *parameter = kernel->getParamDecl(number - 1);
    QualType to = note.type(4);
    return sayType(error, kernel, parameter, note.type(3), to.isNull() ? parameter->getType() : to);
  };
  switch (note.id) {
  case diag::note_ovl_candidate_incomplete_deduction: return sayTemplate(Row::LaunchDeduces, 0);
  case diag::note_ovl_candidate_inconsistent_deduction: return sayTemplate(Row::LaunchDeduces, 1);
  case diag::note_ovl_candidate_explicit_arg_mismatch_named:
    return sayTemplate(Row::LaunchArgument, 0);
  case diag::note_ovl_candidate_arity:
  case diag::note_ovl_candidate_arity_one:
    return sayCount(error, kernel, note.number(5).value_or(0));
  case diag::note_ovl_candidate_bad_conv:
  case diag::note_ovl_candidate_bad_conv_incomplete: return sayParameter(6);
  case diag::note_ovl_candidate_bad_cvr: return sayParameter(5);
  default: return std::nullopt;
  }
}

} // namespace

bool isKernelsName(DeclarationName name, const ASTContext &context) {
  return kernelOf(name, context) != nullptr;
}

// A kernel template whose arguments the launch does not determine, or determines wrongly, or whose
// parameters differ in number or type.
Explanation explainLaunch(const Error &error) {
  const Message *note = error.isInTileCode() ? nullptr : onlyCandidate(error);
  const FunctionDecl *kernel = note ? findKernel(error.context.getTranslationUnitDecl(),
                                                 [&](const FunctionDecl *one) {
                                                   return one->getLocation() == note->location;
                                                 })
                                    : nullptr;
  return kernel ? explainNote(error, *note, kernel) : std::nullopt;
}

// k<<<blocks, 1>>>(p, n, n)
Explanation explainLaunchCount(const Error &error) {
  const Message *note = error.onlyNote(diag::note_callee_decl);
  auto *kernel = note ? dyn_cast_or_null<FunctionDecl>(note->declaration(0)) : nullptr;
  constexpr unsigned given = 2; // of the error's arguments
  bool isOfNone = error.main.id == diag::err_typecheck_call_too_few_args_one ||
                  error.main.id == diag::err_typecheck_call_too_few_args_at_least_one;
  if (!kernel || !frontend::isTileKernel(kernel))
    return std::nullopt;
  return sayCount(error, kernel, isOfNone ? 0 : error.main.number(given).value_or(0));
}

// A parameter of a kernel receives a value that does not convert.
Explanation explainLaunchType(const Error &error) {
  const Message *note = error.onlyNote(diag::note_parameter_named_here);
  if (!note)
    note = error.onlyNote(diag::note_parameter_here);
  if (!note)
    return std::nullopt;
  auto [kernel, parameter] = parameterAt(note->location, error.context);
  unsigned from = 1, to = 2;
  if (error.main.id == diag::err_init_conversion_failed)
    from = 3, to = 1;
  else if (error.main.id == diag::err_typecheck_convert_incompatible)
    from = 0, to = 1;
  return sayType(error, kernel, parameter, error.main.type(from), error.main.type(to));
}

// k<<<p, 1>>>(...)
Explanation explainLaunchBlocks(const Error &error) {
  QualType from = error.main.type(1), to = error.main.type(2);
  const IdentifierInfo *name = launchedAround(error.main.location, error.context);
  if (from.isNull() || to.isNull() || !isBlockIndex(to) || !name ||
      !isKernelsName(name, error.context))
    return std::nullopt;
  return say(error, Row::LaunchBlocks, {name->getName().str(), print(from, error.context)});
}

} // namespace tessera::diagnose

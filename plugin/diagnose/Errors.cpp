// Errors by Clang's identifiers.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"
#include "frontend/parse/LibraryFiles.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

constexpr struct {
  unsigned id;
  Explanation (*explain)(const Error &);
} rows[] = {
#define TESSERA_ERROR(id, explanation) {diag::id, explain##explanation},
#include "diagnose/Errors.def"
};

} // namespace

bool isInLibrary(SourceLocation location, const SourceManager &sources) {
  return frontend::isTileHeader(sources.getFilename(sources.getExpansionLoc(location)));
}

bool mayBeExplained(unsigned id) {
  return llvm::any_of(rows, [&](auto &row) { return row.id == id; });
}

Explanation explain(const Error &error) {
  // Several explanations of one error are tried in order.
  for (auto &row : rows)
    if (row.id == error.main.id)
      if (auto found = row.explain(error))
        return found;
  return std::nullopt;
}

const Message *Error::onlyNote(unsigned id) const {
  const Message *found = nullptr;
  for (const Message &note : notes)
    if (note.id == id && std::exchange(found, &note))
      return nullptr;
  return found;
}

QualType Error::typeInNote(unsigned id, unsigned argument) const {
  for (const Message &note : notes)
    if (note.id == id && !note.type(argument).isNull())
      return note.type(argument);
  return {};
}

bool Error::isInTileCode() const {
  return llvm::any_of(functions, [](const FunctionDecl *one) { return frontend::isTile(one); });
}

SourceLocation Error::location() const {
  const SourceManager &sources = context.getSourceManager();
  SourceLocation loc = main.location;
  for (const Message &note : notes)
    if (note.id == diag::note_template_type_alias_instantiation_here ||
        (isInLibrary(loc, sources) && note.location.isValid()))
      loc = note.location;
  return loc;
}

Operation Error::operation(std::string name, ArrayRef<Operand> operands) const {
  Operation operation;
  operation.kind = Operation::Operator;
  operation.name = std::move(name);
  operation.location = main.location;
  operation.operands = operands.vec();
  return operation;
}

Explanation explainOperation(const Error &error) {
  auto operation = operationOf(error.main, error.functions, error.context);
  if (!operation)
    return std::nullopt;
  Case given(*operation, error.context, error.functions);
  bool isOperator = operation->kind == Operation::Operator && error.isInTileCode();
  for (unsigned i = 0; isOperator && i < given.size(); ++i)
    if (auto found = explainBlockIndex(given, i))
      return found;
  return explain(given);
}

} // namespace tessera::diagnose

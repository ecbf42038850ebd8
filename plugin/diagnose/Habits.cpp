// Code that C++ parses differently than intended: operators of other languages, types as arguments,
// tiles as arrays, superfluous template arguments.
#include "diagnose/Errors.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tessera::diagnose {
namespace {

Sentence say(const Error &error, Row row, std::vector<std::string> arguments,
             std::vector<FixItHint> fixes = {}) {
  Operation operation = error.operation("", {});
  return Case(operation, error.context, error.functions)
      .say(row, std::move(arguments), std::move(fixes));
}

// The file's text before an offset, and from it on; empty in a macro.
std::pair<StringRef, StringRef> textAround(SourceLocation index, const ASTContext &context) {
  if (index.isInvalid() || index.isMacroID())
    return {};
  auto [file, offset] = context.getSourceManager().getDecomposedLoc(index);
  StringRef text = context.getSourceManager().getBufferData(file);
  return {text.take_front(offset), text.drop_front(offset)};
}

StringRef lastWord(StringRef text) {
  size_t begin = text.size();
  while (begin && isAsciiIdentifierContinue(text[begin - 1]))
    --begin;
  return text.drop_front(begin);
}

// Finds a variable by the location of its name.
class VariableAt : public RecursiveASTVisitor<VariableAt> {
public:
  explicit VariableAt(SourceLocation index) : index(index) {}

  const VarDecl *found = nullptr;

  bool VisitVarDecl(VarDecl *variable) {
    if (variable->getLocation() == index)
      found = variable;
    return !found;
  }

private:
  SourceLocation index;
};

} // namespace

// x ** 2 is x * (*2)
Explanation explainPower(const Error &error) {
  auto [before, behind] = textAround(error.main.location, error.context);
  if (!error.isInTileCode() || !before.ends_with("*") || !behind.starts_with("*"))
    return std::nullopt;
  return say(error, Row::NoSuchOperator,
             {"**", "write x * x for a square, or pow(x, y) for a floating-point power"});
}

// a @ b: Clang expects the statement, or the list, to end after a.
Explanation explainMatrixOperator(const Error &error) {
  auto [before, behind] = textAround(error.main.location, error.context);
  size_t spaces = behind.size() - behind.ltrim(" ").size();
  if (!error.isInTileCode() || !behind.drop_front(spaces).starts_with("@"))
    return std::nullopt;
  Operation operation = error.operation("", {});
  operation.location = error.main.location.getLocWithOffset(static_cast<int>(spaces));
  return Case(operation, error.context, error.functions)
      .say(Row::NoSuchOperator,
           {"@", "mma(left, right, accumulator) and matmul(left, right) multiply matrices"});
}

// reshape(x, shape<8>), element_cast(x, float)
Explanation explainTypeAsArgument(const Error &error) {
  auto [before, behind] = textAround(error.main.location, error.context);
  if (!error.isInTileCode() || !(behind.starts_with(")") || behind.starts_with(",")))
    return std::nullopt;
  if (!before.ends_with(">"))
    return say(error, Row::TypeAsArgument,
               {"write it in angle brackets, for example element_cast<float>(x)"});
  return say(error, Row::TypeAsArgument, {"write {} after it"},
             {FixItHint::CreateInsertion(error.main.location, "{}")});
}

// float q[64] = x
Explanation explainArray(const Error &error) {
  VariableAt search(error.main.location);
  for (const FunctionDecl *function : error.functions)
    if (Stmt *body = function->getBody(); body && !search.found)
      search.TraverseStmt(body);
  auto *failed = search.found ? dyn_cast_or_null<RecoveryExpr>(search.found->getInit()) : nullptr;
  if (!failed || failed->subExpressions().size() != 1)
    return std::nullopt;
  const Expr *value = failed->subExpressions().front();
  if (!tileTypeOf(value->getType(), error.context).isTile)
    return std::nullopt;
  std::string name = search.found->getNameAsString();
  return say(error, Row::ArrayOfTile, {print(value->getType(), error.context), name});
}

// bid().x()
Explanation explainCalledNumber(const Error &error) {
  auto [before, behind] = textAround(error.main.location, error.context);
  StringRef member = lastWord(before.rtrim());
  StringRef index = before.rtrim().drop_back(member.size());
  QualType type = error.main.type(0);
  if (!error.isInTileCode() || type.isNull() || !type->isIntegerType() || member.size() != 1 ||
      !index.consume_back("."))
    return std::nullopt;
  bool isOfBlockIndex = index.ends_with("bid()") || index.ends_with("num_blocks()");
  if (!isOfBlockIndex || !behind.starts_with("()"))
    return std::nullopt;
  constexpr int length = 2;
  CharSourceRange parentheses = CharSourceRange::getCharRange(
      error.main.location, error.main.location.getLocWithOffset(length));
  return say(error, Row::BlockIndexMember, {member.str()}, {FixItHint::CreateRemoval(parentheses)});
}

// template <int N> f(tile<float, shape<N>>): the extents of a tile's type are no ints.
Explanation explainDeducedExtent(const Error &error) {
  const Message *note = error.onlyNote(diag::note_ovl_candidate_substitution_failure);
  constexpr llvm::StringLiteral reason = "deduced non-type template argument does not have the "
                                         "same type as the corresponding template parameter (";
  size_t at = note ? StringRef(note->text).find(reason) : StringRef::npos;
  auto call = callOfUsers(error.main, error.functions, error.context);
  if (at == StringRef::npos || !call)
    return std::nullopt;
  Case given(*call, error.context, error.functions);
  StringRef wanted = StringRef(note->text).drop_front(at + reason.size()).split(" vs ").second;
  wanted = wanted.take_until([](char c) { return c == ')'; });
  for (unsigned i = 0; i < given.size(); ++i)
    if (given.isTile(i))
      return given.say(Row::DeducedExtent, {call->name, wanted.trim('\'').str(), given.print(i)});
  return std::nullopt;
}

// A lambda of the program receives a tile that does not convert to its parameter.
Explanation explainObjectCall(const Error &error) {
  constexpr unsigned fromType = 3, toType = 4; // of the note's arguments
  const Message *note = error.onlyNote(diag::note_ovl_candidate_bad_conv);
  if (!error.isInTileCode() || !note || note->type(fromType).isNull() ||
      note->type(toType).isNull())
    return std::nullopt;
  return explainConverted(error, {note->type(fromType), CharSourceRange()},
                          note->type(toType).getNonReferenceType());
}

// tensor_span<float>(p, extents), partition_view<64>(span): class template arguments are deduced
// from the constructor's.
Explanation explainClassArguments(const Error &error) {
  auto [before, behind] = textAround(error.main.location, error.context);
  // For too many or too few arguments the location is that of the class's name, else of the
  // argument.
  bool isAtName = error.main.id == diag::err_template_arg_list_different_arity;
  StringRef name = isAtName ? behind.take_while([](char c) { return isAsciiIdentifierContinue(c); })
                            : lastWord(before.take_front(before.rfind('<')).rtrim());
  if (name == "shape" || name == "extents" || name == "dimension_map" || usageOf(name).empty())
    return std::nullopt;
  return say(error, Row::ClassArguments, {name.str(), usageOf(name).str()});
}

} // namespace tessera::diagnose

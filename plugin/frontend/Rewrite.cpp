// One walk over the declarations as written: templates once, instantiations not at all.
//
// A function of tile code is removed (gpu, emulate) or stays (cpu); its declaration stays if the
// output names it. A kernel keeps its header and gets another body; a SIMT function stays (gpu) or,
// on targets that cannot run it, loses its body (cpu, emulate).
#include "frontend/Rewrite.h"
#include "frontend/ArrayIndices.h"
#include "frontend/Attributes.h"
#include "frontend/BothPasses.h"
#include "frontend/EntryNames.h"
#include "frontend/Kernels.h"
#include "frontend/LibraryCalls.h"
#include "frontend/NamedFunctions.h"
#include "frontend/OutsideLaunches.h"
#include "frontend/RepeatedVariables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/FormatVariadic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace tessera::frontend {
namespace {

// The kind of function that a launch or a call names.
enum class Callee { TileKernel, SimtKernel, Unknown };

Callee classify(const Expr *callee) {
  callee = callee->IgnoreParenImpCasts();
  // The launch's arguments select the address of an overloaded function.
  if (auto *address = dyn_cast<UnaryOperator>(callee);
      address && (address->getOpcode() == UO_AddrOf || address->getOpcode() == UO_Deref))
    return classify(address->getSubExpr());
  if (auto *reference = dyn_cast<DeclRefExpr>(callee)) {
    auto *function = dyn_cast<FunctionDecl>(reference->getDecl());
    return !function                ? Callee::Unknown
           : isTileKernel(function) ? Callee::TileKernel
                                    : Callee::SimtKernel;
  }
  auto *overloads = dyn_cast<OverloadExpr>(callee);
  if (!overloads || overloads->decls_begin() == overloads->decls_end())
    return Callee::Unknown;
  auto isOfTile = [](const NamedDecl *found) {
    const FunctionDecl *function = found->getUnderlyingDecl()->getAsFunction();
    return function && isTileKernel(function);
  };
  return llvm::all_of(overloads->decls(), isOfTile)    ? Callee::TileKernel
         : llvm::none_of(overloads->decls(), isOfTile) ? Callee::SimtKernel
                                                       : Callee::Unknown;
}

// A function of the CUDA runtime that takes a kernel.
bool isRuntimeCall(const NamedDecl *declaration) {
  static const llvm::StringSet<> names = {
#define RUNTIME_CALL(name) #name,
#include "frontend/RuntimeCalls.def"
  };
  return declaration && declaration->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         declaration->getIdentifier() && names.contains(declaration->getName());
}

// Tracks whether the visited code is evaluated.
// NOLINTNEXTLINE(bugprone-crtp-constructor-accessibility): classes within Rewriter derive, too
template <class Derived> class OperandVisitor : public RecursiveASTVisitor<Derived> {
public:
  using Base = RecursiveASTVisitor<Derived>;

  bool shouldWalkTypesOfTypeLocs() const { return false; }
  // A parameter's default argument, and a lambda's body, are separate code.
  bool TraverseDecl(Decl *declaration) {
    return with(false, [&] { return Base::TraverseDecl(declaration); });
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    return with(false, [&] { return Base::TraverseLambdaExpr(lambda); });
  }
  bool TraverseTypeLoc(TypeLoc type, bool qualifier = true) {
    return with(true, [&] { return Base::TraverseTypeLoc(type, qualifier); });
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *operation) {
    return with(true, [&] { return Base::TraverseUnaryExprOrTypeTraitExpr(operation); });
  }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *operation) {
    return with(true, [&] { return Base::TraverseCXXNoexceptExpr(operation); });
  }
  bool TraverseCXXTypeidExpr(CXXTypeidExpr *operation) {
    return with(!operation->isPotentiallyEvaluated(),
                [&] { return Base::TraverseCXXTypeidExpr(operation); });
  }
  bool TraverseRequiresExpr(RequiresExpr *requirement) {
    return with(true, [&] { return Base::TraverseRequiresExpr(requirement); });
  }

protected:
  bool isUnevaluated = false;

private:
  template <class Traverse> bool with(bool unevaluated, Traverse traverse) {
    bool was = std::exchange(isUnevaluated, unevaluated);
    bool result = traverse();
    isUnevaluated = was;
    return result;
  }
};

class Rewriter : public OperandVisitor<Rewriter> {
public:
  Rewriter(CompilerInstance &compiler, const PreprocessorRecord &record, Editor &editor,
           const RewriteOptions &options)
      : context(compiler.getASTContext()), sources(compiler.getSourceManager()), record(record),
        editor(editor), named(context), repeated(context), target(options.target),
        isImage(options.isImage) {}

  // Headers of the system, the toolkit and the runtime are unchanged, except those with tile code,
  // and except launches of tile kernels.
  bool TraverseDecl(Decl *declaration) {
    if (declaration && !isa<TranslationUnitDecl>(declaration)) {
      SourceLocation location = sources.getExpansionLoc(declaration->getLocation());
      if (isUntouched(location)) {
        if (record.systemLaunchFiles.contains(sources.getFileID(location)))
          TileLaunches(*this).TraverseDecl(declaration);
        return true;
      }
    }
    if (declaration && isTileLibrary(declaration))
      return true; // its headers look like the user's if their folder is given by -I
    auto *function = declaration ? declaration->getAsFunction() : nullptr;
    if (function && !declaration->isImplicit() && rewriteFunction(declaration, function))
      return true;
    return OperandVisitor::TraverseDecl(declaration);
  }

  bool VisitVarDecl(VarDecl *variable) {
    if (target == Target::Gpu && repeated.endOf(variable).isValid())
      removeRepeated(variable);
    else if (target == Target::Gpu && isTile(variable) && !variable->isImplicit())
      for (auto *annotation : variable->specific_attrs<AnnotateAttr>())
        editor.insertBefore(sources.getExpansionLoc(annotation->getLocation()), "__device__ ");
    if (target != Target::Gpu && variable->isLocalExternDecl() &&
        variable->hasAttr<CUDASharedAttr>())
      rewriteDynamicShared(variable);
    return true;
  }

  // `using base::f;` if every f is removed.
  bool VisitUsingDecl(UsingDecl *declaration) {
    auto isGone = [](const UsingShadowDecl *shadow) {
      const FunctionDecl *function = shadow->getTargetDecl()->getAsFunction();
      return function && isTileOnly(function) && !isTileKernel(function);
    };
    if (target != Target::Cpu && declaration->shadow_size() && !isInheriting(declaration) &&
        llvm::all_of(declaration->shadows(), isGone))
      removeWithSemicolon(declaration->getSourceRange());
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
    rewriteLaunch(call, isUnevaluated);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    rewriteRuntimeCall(reference, reference->getDecl(), reference->getNameInfo());
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *reference) {
    if (reference->decls_begin() != reference->decls_end())
      rewriteRuntimeCall(reference, *reference->decls_begin(), reference->getNameInfo());
    return true;
  }

private:
  // The only rewriting within a tile function: launches that nothing runs there, or that a caller
  // runs, in a default argument.
  struct Launches : OperandVisitor<Launches> {
    Launches(Rewriter &rewriter, const Stmt *gone) : rewriter(rewriter), gone(gone) {}
    bool TraverseStmt(Stmt *statement, DataRecursionQueue *queue = nullptr) {
      return (statement && statement == gone) || OperandVisitor::TraverseStmt(statement, queue);
    }
    bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
      return rewriter.rewriteLaunch(call, isUnevaluated), true;
    }
    Rewriter &rewriter;
    const Stmt *gone;
  };
  void rewriteLaunchesOf(Decl *declaration, const Stmt *goneBody) {
    Launches(*this, goneBody).TraverseDecl(declaration);
  }

  // The only rewriting in a library file without tile code.
  struct TileLaunches : OperandVisitor<TileLaunches> {
    explicit TileLaunches(Rewriter &rewriter) : rewriter(rewriter) {}
    bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
      if (classify(call->getCallee()) == Callee::TileKernel)
        rewriter.rewriteLaunch(call, isUnevaluated);
      return true;
    }
    Rewriter &rewriter;
  };

  bool isUntouched(SourceLocation location) const {
    return sources.isInSystemHeader(location) &&
           !record.systemTileFiles.contains(sources.getFileID(location));
  }

  // Returns true if the walk can skip the declaration.
  bool rewriteFunction(Decl *declaration, FunctionDecl *function) {
    if (isTileKernel(function)) {
      rewriteLaunchesOf(declaration, target == Target::Cpu ? nullptr : function->getBody());
      if (isImage && function->isExternC()) // the generated kernel has this name
        editor.insertBefore(function->getBeginLoc(), "extern \"C++\" ");
      removeRestrictOfPacks(function);
      if (function->doesThisDeclarationHaveABody())
        rewriteKernel(function);
      return true;
    }
    if (isTileOnly(function)) {
      if (target == Target::Cpu) {
        rewriteLaunchesOf(declaration, nullptr);
      } else {
        bool isBody = function->doesThisDeclarationHaveABody() && !named.computes(function);
        bool isGone = !named.contains(function) || (isBody && isOnlyDefinition(function));
        if (isGone)
          removeDeclaration(declaration, function);
        else if (isBody)
          removeBody(function);
        if (!isGone)
          rewriteLaunchesOf(declaration, isBody ? function->getBody() : nullptr);
        if (named.isOperand(function))
          declareForAll(function);
        removeInstantiations(declaration);
      }
      return true;
    }
    if (declaration == function && function->hasAttr<CUDAGlobalAttr>() && target != Target::Gpu &&
        function->doesThisDeclarationHaveABody())
      rewriteSimtKernel(function);
    return false;
  }

  // The code after a kernel's opening brace if a launch calls the kernel itself. A graph keeps the
  // call with its arguments.
  void takeLaunch(FunctionDecl *kernel, const std::string &pending, const std::string &before) {
    std::string captures = "=";
    for (unsigned i = 0; i < kernel->getNumParams(); ++i)
      if (isReference(kernel, i))
        captures += ", &" + argument(kernel, i);
    editor.insertAfter(kernel->getBody()->getBeginLoc(),
                       " if (auto *__tessera = " + pending + ") return __tessera_run(__tessera, " +
                           before + "[" + captures + "] { (" + reference(kernel) + ")(" +
                           argumentsOf(kernel) + "); });" + renamedParameters(kernel));
  }

  // Parameters that the following body names by the program's name.
  static std::string renamedParameters(const FunctionDecl *kernel) {
    std::string variables;
    for (unsigned i = 0; i < kernel->getNumParams(); ++i)
      if (isRenamed(kernel, i)) {
        std::string name = parameterName(kernel, i), type = "decltype(" + name + ")";
        variables += llvm::formatv(" {0} {1} = static_cast<{0}>({2});", type,
                                   kernel->getParamDecl(i)->getNameAsString(), name);
      }
    return variables;
  }

  // cudaLaunchKernel knows its address if the kernel has a body.
  void rewriteSimtKernel(FunctionDecl *kernel) {
    nameParameters(kernel);
    std::string name = "\"" + kernel->getNameAsString() + "\"";
    takeLaunch(kernel,
               "__tessera_simt_launch<void (*)(" + parameterTypes(kernel) + "), &" +
                   reference(kernel) + ">([] { return " + name + "; })",
               name + ", ");
  }

  // A parameter's type, or the element type of a pack.
  static QualType elementType(const FunctionDecl *kernel, unsigned i) {
    QualType type = kernel->getParamDecl(i)->getType();
    auto *pack = type->getAs<PackExpansionType>();
    return pack ? pack->getPattern() : type;
  }

  static bool isReference(const FunctionDecl *kernel, unsigned i) {
    return elementType(kernel, i)->isReferenceType();
  }

  // `extern __shared__ float x[];` has a definition on a GPU only.
  void rewriteDynamicShared(const VarDecl *variable) {
    auto *array = context.getAsArrayType(variable->getType());
    if (!array)
      return;
    std::string element = array->getElementType().getAsString(context.getPrintingPolicy());
    editor.replace(variable->getSourceRange(), "auto *" + variable->getNameAsString() +
                                                   " = __tessera_dynamic_shared<" + element +
                                                   ">()");
  }

  void rewriteKernel(FunctionDecl *kernel) {
    nameParameters(kernel);
    if (target == Target::Cpu)
      return takeLaunch(kernel, "__tessera_tile_launch()", "");
    // Attributes on a kernel's parameters are not valid on its entry.
    for (const ParmVarDecl *parameter : kernel->parameters())
      if (auto *attribute = parameter->getAttr<CUDAGridConstantAttr>();
          attribute && attribute->getLocation().isMacroID())
        editor.remove(sources.getExpansionRange(attribute->getLocation()).getAsRange());
    // The generated kernel takes the addresses of reference parameters.
    std::string arguments = join(kernel->parameters(), [&](unsigned i) {
      return (isReference(kernel, i) ? "&" : "") + argument(kernel, i);
    });
    std::string type = "void (*)(" + parameterTypes(kernel) + ")", definition;
    // nvcc (13.0) crashes on an empty pack of such types among template arguments.
    if (llvm::any_of(kernel->parameters(), [](auto *one) { return one->isParameterPack(); })) {
      definition = "using __tessera_type = " + type + "; ";
      type = "__tessera_type";
    }
    editor.replace(kernel->getBody()->getSourceRange(), "{ " + definition + "__tessera_launch<" +
                                                            type + ", &" + reference(kernel) +
                                                            ">(" + arguments + "); }");
  }

  template <class List, class Spell> static std::string join(const List &list, Spell spell) {
    std::string text;
    for (unsigned i = 0; i < list.size(); ++i)
      text += (i ? ", " : "") + spell(i);
    return text;
  }

  // Its name would hide the kernel's, which cannot be qualified in an unnamed namespace.
  static bool isRenamed(const FunctionDecl *kernel, unsigned i) {
    const ParmVarDecl *parameter = kernel->getParamDecl(i);
    return parameter->getDeclName() == kernel->getDeclName() && !parameter->isParameterPack() &&
           unnamedNamespaceOf(kernel);
  }

  static std::string parameterName(const FunctionDecl *kernel, unsigned i) {
    StringRef name = kernel->getParamDecl(i)->getName();
    return name.empty() || isRenamed(kernel, i) ? "__tessera_argument_" + std::to_string(i)
                                                : name.str();
  }

  static std::string argument(const FunctionDecl *kernel, unsigned i) {
    return parameterName(kernel, i) + (kernel->getParamDecl(i)->isParameterPack() ? "..." : "");
  }

  // The kernel's own parameters as the arguments of another call.
  static std::string argumentsOf(const FunctionDecl *kernel) {
    return join(kernel->parameters(), [&](unsigned i) {
      std::string name = parameterName(kernel, i);
      bool isPassedOn = elementType(kernel, i)->isRValueReferenceType();
      return (isPassedOn ? "static_cast<decltype(" + name + ")>(" + name + ")" : name) +
             (kernel->getParamDecl(i)->isParameterPack() ? "..." : "");
    });
  }

  // As in the function's type, which has no top-level qualifiers of parameters. In a type that
  // depends on a template's arguments, GCC keeps __restrict__.
  static std::string parameterTypes(const FunctionDecl *kernel) {
    return join(kernel->parameters(), [&](unsigned i) {
      std::string type = "decltype(" + parameterName(kernel, i) + ")";
      return (kernel->isTemplated() ? "__tessera_parameter<" + type + ">" : type) +
             (kernel->getParamDecl(i)->isParameterPack() ? "..." : "");
    });
  }

  static std::string templateParameterName(const NamedDecl *parameter, unsigned i) {
    return parameter->getName().empty() ? "__tessera_template_parameter_" + std::to_string(i)
                                        : parameter->getNameAsString();
  }

  static bool isInvented(const NamedDecl *parameter) {
    auto *type = dyn_cast<TemplateTypeParmDecl>(parameter);
    return type && type->isImplicit();
  }

  // The kernel as named in its own body: "::ns::k<T, N>". Parameters invented by `auto` are
  // deduced.
  static std::string reference(const FunctionDecl *kernel) {
    std::string name = nameInBody(kernel);
    const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
    if (!pattern)
      return name;
    std::string arguments;
    for (auto [i, parameter] : llvm::enumerate(*pattern->getTemplateParameters()))
      if (!isInvented(parameter))
        arguments += (arguments.empty() ? "" : ", ") + templateParameterName(parameter, i) +
                     (parameter->isParameterPack() ? "..." : "");
    return arguments.empty() ? name : name + "<" + arguments + ">";
  }

  // GCC cannot take the address of a function with `T *__restrict__... p`.
  void removeRestrictOfPacks(const FunctionDecl *kernel) {
    for (const ParmVarDecl *parameter : kernel->parameters())
      if (parameter->isParameterPack()) {
        auto isAt = [](SourceLocation location) {
          return [=](const Token &token) { return token.getLocation() == location; };
        };
        auto begin = llvm::find_if(record.tokens, isAt(parameter->getBeginLoc()));
        auto end = std::find_if(begin, record.tokens.end(), isAt(parameter->getEndLoc()));
        for (const Token &token : llvm::make_range(begin, end))
          if (token.is(tok::kw_restrict))
            editor.remove(token.getLocation());
      }
  }

  void nameParameters(const FunctionDecl *kernel) {
    for (unsigned i = 0; i < kernel->getNumParams(); ++i)
      if (SourceLocation name = kernel->getParamDecl(i)->getLocation(); isRenamed(kernel, i))
        editor.replace(name, parameterName(kernel, i));
      else if (kernel->getParamDecl(i)->getName().empty())
        editor.insertBefore(name, " " + parameterName(kernel, i));
    if (const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate())
      for (auto [i, parameter] : llvm::enumerate(*pattern->getTemplateParameters()))
        if (parameter->getName().empty() && !isInvented(parameter))
          editor.insertBefore(parameter->getLocation(), " " + templateParameterName(parameter, i));
  }

  // The start of a declaration, with its attributes, among the tokens of a macro.
  SourceLocation beginInMacro(SourceLocation use, SourceLocation declaration) const {
    auto found = record.expansions.find(use);
    if (found == record.expansions.end())
      return declaration;
    SourceLocation begin = declaration;
    for (const Token &token : found->second) {
      if (token.getLocation() == declaration)
        return begin.isValid() ? begin : declaration;
      if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::colon))
        begin = SourceLocation();
      else if (begin.isInvalid() || &token == &found->second.front())
        begin = token.getLocation();
    }
    return declaration;
  }

  // Clang knows the location of an attribute's name, not of its brackets: `[[gnu::cold,
  // nodiscard]]`, `__attribute__((noinline))`, or a macro that contains it. A name without brackets
  // is the attribute's start.
  SourceLocation beginOf(const Attr *attribute, SourceLocation declaration) const {
    SourceLocation name = sources.getExpansionLoc(attribute->getLocation());
    if (declaration.isMacroID() && name == sources.getExpansionLoc(declaration))
      return beginInMacro(name, declaration);
    auto [file, offset] = sources.getDecomposedLoc(name);
    StringRef before = sources.getBufferData(file).take_front(offset);
    unsigned depth = 0; // in the arguments of preceding attributes
    for (; !before.empty() && !StringRef(";{}").contains(before.back());
         before = before.drop_back())
      if (before.back() == ')' || before.back() == ']') {
        ++depth;
      } else if (before.back() == '(' || before.back() == '[') {
        if (depth-- > 0)
          continue;
        StringRef opening = before.drop_back().rtrim();
        bool isOpened = before.back() == '['
                            ? opening.consume_back("[")
                            : opening.consume_back("__declspec") ||
                                  (opening.consume_back("(") &&
                                   (opening = opening.rtrim()).consume_back("__attribute__"));
        return isOpened ? name.getLocWithOffset(int(opening.size()) - int(offset)) : name;
      }
    return name;
  }

  // A member defined outside of its class: without a body it is an error.
  static bool isOnlyDefinition(const FunctionDecl *function) {
    return isa<CXXMethodDecl>(function) && function->isOutOfLine() &&
           function->getTemplateSpecializationKind() != TSK_ExplicitSpecialization;
  }

  // The mark has no meaning in the output.
  void declareForAll(FunctionDecl *function) {
    for (auto *mark : function->specific_attrs<AnnotateAttr>())
      if (mark->getLocation().isValid() && !mark->isInherited())
        return editor.insertAfter(sources.getExpansionLoc(mark->getLocation()),
                                  " __host__ __device__");
  }

  // There it is never called. Compilers warn about a static function without a body.
  void removeBody(FunctionDecl *function) {
    bool isStatic = !function->isExternallyVisible() && !function->isConstexpr();
    editor.replace(function->getBody()->getSourceRange(),
                   isStatic ? "{ __builtin_unreachable(); }" : ";");
  }

  // Removes the whole declaration, with the preceding attributes and the following semicolon.
  void removeDeclaration(Decl *declaration, FunctionDecl *function) {
    SourceRange range = declaration->getSourceRange();
    if (function->getNumTemplateParameterLists()) // of the classes around a member template
      range.setBegin(function->getOuterLocStart());
    if (auto *linkage = dyn_cast<LinkageSpecDecl>(declaration->getLexicalDeclContext());
        linkage && !linkage->hasBraces())
      range = linkage->getSourceRange();
    for (auto *attribute : function->attrs())
      if (attribute->getLocation().isValid() && !attribute->isInherited() &&
          sources.isBeforeInTranslationUnit(attribute->getLocation(), range.getBegin()))
        range.setBegin(beginOf(attribute, range.getBegin()));
    if (!function->doesThisDeclarationHaveABody() || function->isExplicitlyDefaulted() ||
        function->isDeletedAsWritten())
      removeWithSemicolon(range);
    else
      editor.remove(range);
  }

  // All variables of one declaration.
  void removeRepeated(const VarDecl *variable) {
    SourceRange range(variable->getOuterLocStart(), repeated.endOf(variable));
    if (!removedVariables.insert(range.getEnd()).second)
      return;
    if (auto *linkage = dyn_cast<LinkageSpecDecl>(variable->getLexicalDeclContext());
        linkage && !linkage->hasBraces())
      range.setBegin(linkage->getBeginLoc());
    for (auto *attribute : variable->attrs())
      if (attribute->getLocation().isValid() && !attribute->isInherited() &&
          sources.isBeforeInTranslationUnit(attribute->getLocation(), range.getBegin()))
        range.setBegin(beginOf(attribute, range.getBegin()));
    removeWithSemicolon(range);
  }

  // For a deleted function of a namespace, Clang's range ends in front of `= delete`.
  void removeWithSemicolon(SourceRange range) {
    auto behind = [&](SourceLocation end) {
      return Lexer::findNextToken(sources.getExpansionLoc(end), sources, context.getLangOpts());
    };
    auto next = behind(range.getEnd());
    if (next && next->is(tok::equal))
      while (next && next->isNoneOf(tok::semi, tok::eof))
        next = behind(next->getLocation());
    if (next && next->is(tok::semi))
      range.setEnd(next->getLocation());
    editor.remove(range);
  }

  // `using base::base;`
  static bool isInheriting(const UsingDecl *declaration) {
    return declaration->getDeclName().getNameKind() == DeclarationName::CXXConstructorName;
  }

  // `template __tile__ int f<int>(int);` names a removed template. Clang keeps no declaration of
  // it, only the location of the name.
  void removeInstantiations(Decl *declaration) {
    auto *pattern = dyn_cast<FunctionTemplateDecl>(declaration);
    if (!pattern)
      return;
    for (const FunctionDecl *instance : pattern->specializations()) {
      SourceLocation name = instance->getPointOfInstantiation();
      if (!isTemplateExplicitInstantiationOrSpecialization(
              instance->getTemplateSpecializationKind()) ||
          instance->getTemplateSpecializationKind() == TSK_ExplicitSpecialization ||
          !name.isFileID())
        continue;
      auto [file, offset] = sources.getDecomposedLoc(name);
      StringRef buffer = sources.getBufferData(file);
      size_t begin = buffer.take_front(offset).rfind("template"), end = buffer.find(';', offset);
      if (begin == StringRef::npos || end == StringRef::npos)
        continue;
      if (StringRef before = buffer.take_front(begin).rtrim(); before.ends_with("extern"))
        begin = before.size() - StringRef("extern").size();
      editor.remove({sources.getComposedLoc(file, begin), sources.getComposedLoc(file, end)});
    }
  }

  void rewriteLaunch(CUDAKernelCallExpr *launch, bool isUnevaluated) {
    const Expr *callee = launch->getCallee();
    Callee kind = classify(callee);
    if (kind == Callee::SimtKernel && target == Target::Gpu)
      return;
    const CallExpr *configuration = launch->getConfig();
    if (!rewrittenLaunches.insert(configuration->getBeginLoc()).second)
      return;
    std::string values;
    for (const Expr *value : configurationOf(launch))
      values += (values.empty() ? "" : ", ") + editor.textOf(value->getSourceRange());
    SourceRange chevrons(configuration->getBeginLoc(), configuration->getRParenLoc());
    if (kind != Callee::Unknown || target == Target::Cpu) {
      editor.insertBefore(launch->getBeginLoc(),
                          (isUnevaluated ? "(__tessera_unevaluated(" : "(__tessera_configure(") +
                              values + "), ");
      editor.remove(chevrons);
      editor.insertAfter(launch->getRParenLoc(), ")");
    } else {
      editor.insertBefore(launch->getBeginLoc(), "__tessera_launch_any(");
      editor.replace(chevrons, ", " + values + ")");
    }
  }

  // Without a GPU the runtime is ours and handles tile kernels itself.
  void rewriteRuntimeCall(const Expr *reference, const NamedDecl *declaration,
                          const DeclarationNameInfo &name) {
    if (target == Target::Gpu && isRuntimeCall(declaration->getUnderlyingDecl()))
      editor.replace({reference->getBeginLoc(), name.getEndLoc()},
                     "__tessera_calls::" + name.getAsString());
  }

  ASTContext &context;
  const SourceManager &sources;
  const PreprocessorRecord &record;
  Editor &editor;
  NamedTileFunctions named;
  RepeatedVariables repeated;
  llvm::DenseSet<SourceLocation> removedVariables; // by their ends
  // By their chevrons: a type is written once for all that it declares, but visited with each.
  llvm::DenseSet<SourceLocation> rewrittenLaunches;
  Target target;
  bool isImage;
};

} // namespace

namespace {

// A different compiler reads the output than the program: without a GPU a plain C++ compiler, for
// which CUDA's headers take their plain path. Tests of the compiler's macros keep the program's
// results, also in library files that contain tile code; other library files run their own tests.
void answerForCompiler(Editor &editor, const PreprocessorRecord &record,
                       const SourceManager &sources, Target target) {
  llvm::DenseSet<FileID> files = editor.editedFiles();
  files.insert(record.ownFiles.begin(), record.ownFiles.end());
  for (auto &[location, name] : record.compilerNames)
    if (files.contains(sources.getFileID(location)) &&
        (name == "__NVCC__" || target != Target::Gpu))
      editor.replace({location, location}, name == "__NVCC__" ? "TESSERA_NVCC" : "TESSERA_CUDACC");
}

Editor edit(CompilerInstance &compiler, const PreprocessorRecord &record,
            const RewriteOptions &options) {
  Editor editor(compiler.getPreprocessor(), record);
  if (options.target != Target::Cpu)
    editor.hideTileHeader();
  editor.moveTo(options.home);
  Rewriter(compiler, record, editor, options)
      .TraverseDecl(compiler.getASTContext().getTranslationUnitDecl());
  if (options.target == Target::Cpu)
    qualifyLibraryCalls(compiler.getASTContext(), editor);
  if (options.target == Target::Cpu && options.checksBounds)
    checkArrayIndices(compiler.getASTContext(), editor);
  answerForCompiler(editor, record, compiler.getSourceManager(), options.target);
  return editor;
}

void explain(const std::vector<SourceLocation> &locations, std::vector<RewriteFailure> &failures) {
  for (SourceLocation location : locations)
    failures.push_back({location, Refusal::KernelOfMacros});
}

} // namespace

View viewForRewriting(CompilerInstance &compiler, const PreprocessorRecord &record,
                      const RewriteOptions &options, std::vector<RewriteFailure> &failures) {
  std::vector<SourceLocation> locations;
  View view = edit(compiler, record, options).view(locations);
  explain(locations, failures);
  return view;
}

View viewOfBothPasses(const ParsedPass &device, const ParsedPass &host,
                      const RewriteOptions &options, std::vector<RewriteFailure> &failures) {
  if (options.target == Target::Gpu)
    return {};
  Editor ofDevice = edit(device.compiler, device.record, options);
  Editor ofHost = edit(host.compiler, host.record, options);
  return viewOfBothPasses(Pass{device.compiler, device.record, ofDevice},
                          Pass{host.compiler, host.record, ofHost}, options.target, failures);
}

// CUB's headers of blocks and warps use a GPU's instructions: reported once, for the first, at the
// include that leads to it.
static void refuseInstructions(const PreprocessorRecord &record, const SourceManager &sources,
                               std::vector<RewriteFailure> &failures) {
  FileID first;
  std::string name;
  for (auto &[entry, inclusions] : record.inclusions) {
    StringRef path = entry->tryGetRealPathName();
    if (!path.contains("/cub/block/") && !path.contains("/cub/warp/"))
      continue;
    if (first.isInvalid() || inclusions.front() < first) {
      first = inclusions.front();
      name = path.substr(path.find("/cub/") + 1).str();
    }
  }
  if (first.isInvalid())
    return;
  SourceLocation location = sources.getIncludeLoc(first);
  while (location.isValid() && sources.isInSystemHeader(location))
    location = sources.getIncludeLoc(sources.getFileID(location));
  failures.push_back({location, Refusal::DeviceLibrary, name});
}

std::vector<EditedFile> rewrite(CompilerInstance &compiler, const PreprocessorRecord &record,
                                const RewriteOptions &options, const std::vector<View> &others,
                                std::vector<RewriteFailure> &failures) {
  if (options.target != Target::Gpu)
    refuseInstructions(record, compiler.getSourceManager(), failures);
  std::vector<SourceLocation> locations;
  std::vector<EditedFile> files =
      edit(compiler, record, options).finish(options.headers, others, locations);
  explain(locations, failures);
  return files;
}

} // namespace tessera::frontend

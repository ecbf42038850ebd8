// One walk over the declarations as written: templates once, instantiations not at all.
//
// A function of tile code is removed (gpu, emulate) or stays (cpu); its declaration stays if the
// output names it. A kernel keeps its header and gets another body; a SIMT function stays (gpu) or,
// on targets that cannot run it, loses its body (cpu, emulate).
#include "frontend/edit/Rewrite.h"
#include "frontend/edit/ArrayIndices.h"
#include "frontend/edit/BothPasses.h"
#include "frontend/edit/KernelEdits.h"
#include "frontend/edit/LaunchEdits.h"
#include "frontend/edit/LibraryCalls.h"
#include "frontend/edit/NamedFunctions.h"
#include "frontend/edit/OperandVisitor.h"
#include "frontend/edit/Removal.h"
#include "frontend/edit/RepeatedVariables.h"
#include "frontend/parse/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace tessera::frontend {
namespace {

class Rewriter : public OperandVisitor<Rewriter> {
public:
  Rewriter(CompilerInstance &compiler, const PreprocessorRecord &record, Editor &editor,
           const RewriteOptions &options)
      : context(compiler.getASTContext()), sources(compiler.getSourceManager()), record(record),
        editor(editor), launches(editor, options.target),
        kernels(editor, record, sources, options.target), removal(context, record, editor),
        named(context), repeated(context), target(options.target), isImage(options.isImage) {}

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
      removal.removeVariables(variable, repeated.endOf(variable));
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
      removal.removeWithSemicolon(declaration->getSourceRange());
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *call) {
    launches.rewriteLaunch(call, isUnevaluated);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    launches.rewriteRuntimeCall(reference, reference->getDecl(), reference->getNameInfo());
    return true;
  }
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *reference) {
    if (reference->decls_begin() != reference->decls_end())
      launches.rewriteRuntimeCall(reference, *reference->decls_begin(), reference->getNameInfo());
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
      return rewriter.launches.rewriteLaunch(call, isUnevaluated), true;
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
      if (isTileLaunch(call))
        rewriter.launches.rewriteLaunch(call, isUnevaluated);
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
      kernels.removeRestrictOfPacks(function);
      if (function->doesThisDeclarationHaveABody())
        kernels.rewriteKernel(function);
      return true;
    }
    if (isTileOnly(function)) {
      if (target == Target::Cpu) {
        rewriteLaunchesOf(declaration, nullptr);
      } else {
        bool isBody = function->doesThisDeclarationHaveABody() && !named.computes(function);
        bool isGone = !named.contains(function) || (isBody && isOnlyDefinition(function));
        if (isGone)
          removal.removeDeclaration(declaration, function);
        else if (isBody)
          removal.removeBody(function);
        if (!isGone)
          rewriteLaunchesOf(declaration, isBody ? function->getBody() : nullptr);
        if (named.isOperand(function))
          declareForAll(function);
        removal.removeInstantiations(declaration);
      }
      return true;
    }
    if (declaration == function && function->hasAttr<CUDAGlobalAttr>() && target != Target::Gpu &&
        function->doesThisDeclarationHaveABody())
      kernels.rewriteSimtKernel(function);
    return false;
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

  // `using base::base;`
  static bool isInheriting(const UsingDecl *declaration) {
    return declaration->getDeclName().getNameKind() == DeclarationName::CXXConstructorName;
  }

  ASTContext &context;
  const SourceManager &sources;
  const PreprocessorRecord &record;
  Editor &editor;
  LaunchEdits launches;
  KernelEdits kernels;
  Removal removal;
  NamedTileFunctions named;
  RepeatedVariables repeated;
  Target target;
  bool isImage;
};

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
  Editor deviceEditor = edit(device.compiler, device.record, options);
  Editor hostEditor = edit(host.compiler, host.record, options);
  return viewOfBothPasses(Pass{device.compiler, device.record, deviceEditor},
                          Pass{host.compiler, host.record, hostEditor}, options.target, failures);
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

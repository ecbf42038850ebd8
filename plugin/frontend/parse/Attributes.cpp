// The parsing of the attributes in Clang, and the queries about them.
#include "frontend/parse/Attributes.h"
#include "frontend/parse/Hints.h"
#include "frontend/parse/SubstitutedSpaces.h"
#include "frontend/parse/UncheckedSpaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr llvm::StringLiteral TileName = "tile", KernelName = "tile_global",
                              HintName = "cutile::hint", SimtName = "simt_kernel",
                              UncheckedName = "tile_unchecked";

const AnnotateAttr *findAnnotation(const Decl *declaration, StringRef name) {
  for (auto *annotation : declaration->specific_attrs<AnnotateAttr>())
    if (annotation->getAnnotation() == name)
      return annotation;
  return nullptr;
}

Attr *annotate(Sema &sema, StringRef name, const ParsedAttr &attribute) {
  return AnnotateAttr::Create(sema.Context, name, nullptr, 0, attribute.getRange());
}

struct TileAttribute : ParsedAttrInfo {
  TileAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "tile"}};
    Spellings = spellings;
  }
  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute,
                            const Decl *declaration) const override {
    if (isa<FunctionDecl, VarDecl>(declaration))
      return true;
    sema.Diag(attribute.getLoc(), diag::warn_attribute_wrong_decl_type_str)
        << attribute << attribute.isRegularKeywordAttribute() << "functions and variables";
    return false;
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    declaration->addAttr(annotate(sema, TileName, attribute));
    allowOtherSpacesInSubstitution(sema);
    if (isa<FunctionDecl>(declaration) &&
        followsUncheckedPragma(sema.getPreprocessor(), declaration->getLocation()))
      declaration->addAttr(annotate(sema, UncheckedName, attribute));
    return AttributeApplied;
  }
};

struct KernelAttribute : ParsedAttrInfo {
  KernelAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "tile_global"}};
    Spellings = spellings;
  }
  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute,
                            const Decl *declaration) const override {
    if (isa<FunctionDecl>(declaration))
      return true;
    sema.Diag(attribute.getLoc(), diag::warn_attribute_wrong_decl_type_str)
        << attribute << attribute.isRegularKeywordAttribute() << "functions";
    return false;
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    declaration->addAttr(annotate(sema, KernelName, attribute));
    allowOtherSpacesInSubstitution(sema);
    return AttributeApplied;
  }
};

struct HintAttribute : ParsedAttrInfo {
  HintAttribute() {
    OptArgs = 15;
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, "cutile::hint"}};
    Spellings = spellings;
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    // Hints on variables apply to their initializers; an annotation of a variable would become
    // code.
    Attr *hint = annotateHint(sema, attribute);
    if (isa<FunctionDecl>(declaration) || hintFaultOf(cast<AnnotateAttr>(hint)))
      declaration->addAttr(hint);
    return AttributeApplied;
  }
  AttrHandling handleStmtAttribute(Sema &sema, Stmt *, const ParsedAttr &attribute,
                                   Attr *&result) const override {
    result = annotateHint(sema, attribute);
    return AttributeApplied;
  }
};

// Attributes about the threads of a block. Here they only show that the function is no tile kernel;
// on SIMT kernels nvcc handles them.
struct SimtKernelAttribute : ParsedAttrInfo {
  SimtKernelAttribute() {
    OptArgs = 3;
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "maxnreg"},
                                             {ParsedAttr::AS_GNU, "local_maxnreg"},
                                             {ParsedAttr::AS_GNU, "block_size"}};
    Spellings = spellings;
  }
  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    declaration->addAttr(annotate(sema, SimtName, attribute));
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<TileAttribute> tileAttribute(TileName, "code of a tile block");
ParsedAttrInfoRegistry::Add<KernelAttribute> kernelAttribute(KernelName, "a tile kernel");
ParsedAttrInfoRegistry::Add<SimtKernelAttribute>
    simtKernelAttribute(SimtName, "registers or threads of a SIMT kernel");
ParsedAttrInfoRegistry::Add<HintAttribute>
    hintAttribute(HintName, "advice to the compiler for one architecture");

// The namespaces around a declaration from the outside in, without inline ones.
SmallVector<StringRef, 4> namespacesOf(const Decl *declaration) {
  SmallVector<StringRef, 4> names;
  for (const DeclContext *context = declaration->getDeclContext(); context;
       context = context->getParent())
    if (auto *space = dyn_cast<NamespaceDecl>(context); space && !space->isInline())
      names.push_back(space->getName());
  std::reverse(names.begin(), names.end());
  return names;
}

} // namespace

bool isTileKernel(const Decl *declaration) { return findAnnotation(declaration, KernelName); }

bool isTile(const Decl *declaration) {
  return findAnnotation(declaration, TileName) || isTileKernel(declaration);
}

bool isTileAndDevice(const FunctionDecl *function) {
  const AnnotateAttr *tile = findAnnotation(function, TileName);
  if (!tile)
    return false;
  // `__device__ __tile__` applies `device` twice: once directly and once from the macro. A
  // specialisation inherits that of its template.
  const SourceManager &sources = function->getASTContext().getSourceManager();
  return llvm::any_of(function->specific_attrs<CUDADeviceAttr>(), [&](auto *device) {
    return device->getLocation().isValid() && !device->isInherited() &&
           sources.getExpansionLoc(device->getLocation()) !=
               sources.getExpansionLoc(tile->getLocation());
  });
}

bool isTileOnly(const FunctionDecl *function) {
  return isTileKernel(function) ||
         (findAnnotation(function, TileName) && !function->hasAttr<CUDAHostAttr>() &&
          !isTileAndDevice(function));
}

bool isUnchecked(const FunctionDecl *function) { return findAnnotation(function, UncheckedName); }

bool isSimtKernelAttribute(const Attr *attribute) {
  auto *annotation = dyn_cast<AnnotateAttr>(attribute);
  return annotation && annotation->getAnnotation() == SimtName;
}

bool isPrimitive(const FunctionDecl *function) {
  auto names = namespacesOf(function);
  return names.size() == 3 && names[0] == "cuda" && names[1] == "tiles" && names[2] == "__prim";
}

bool isTileLibrary(const Decl *declaration) {
  auto names = namespacesOf(declaration);
  return names.size() >= 2 && names[0] == "cuda" && names[1] == "tiles";
}

} // namespace tessera::frontend

// A walk over bases, members and arrays; offsets are Clang's own.
#include "frontend/lower/Fields.h"
#include "frontend/edit/EntryNames.h"
#include "frontend/lower/Kernels.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace tessera::frontend {
namespace {

constexpr size_t maxFields = 256; // declared ones; a longer struct is read as bytes

class Walk {
public:
  Walk(const ASTContext &context, EntryNames &names) : context(context), names(names) {}

  void visit(QualType type, Field location) {
    if (type.isVolatileQualified() || result.size() == maxFields)
      return;
    if (auto *array = context.getAsConstantArrayType(type)) {
      location.path += "[#]";
      location.arrays.push_back({array->getSize().getSExtValue(), sizeOf(array->getElementType())});
      return visit(array->getElementType(), std::move(location));
    }
    location.element = elementTypeOf(type);
    if (location.element.kind != ElementKind::Other && !type->isReferenceType()) {
      location.type = names.typeOf(type.getUnqualifiedType());
      location.size = sizeOf(type);
      return result.push_back(std::move(location));
    }
    if (const CXXRecordDecl *record = type->getAsCXXRecordDecl(); record && record->hasDefinition())
      visit(record->getDefinition(), location, /*outer=*/{});
  }

  std::vector<Field> result;

private:
  // `outer`: the derived classes, whose members hide those of the same name.
  void visit(const CXXRecordDecl *record, const Field &location,
             SmallVector<const CXXRecordDecl *> outer) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    for (const FieldDecl *field : record->fields()) {
      if (field->isBitField() || field->getAccess() == AS_private ||
          field->getAccess() == AS_protected ||
          llvm::any_of(outer, [&](const CXXRecordDecl *derived) {
            return field->getDeclName() && !derived->lookup(field->getDeclName()).empty();
          }))
        continue;
      Field member = location;
      member.offset +=
          context.toCharUnitsFromBits(layout.getFieldOffset(field->getFieldIndex())).getQuantity();
      if (!field->isAnonymousStructOrUnion())
        member.path += "." + field->getNameAsString();
      visit(field->getType(), std::move(member));
    }
    // Two of several bases may have members of one name.
    if (record->getNumBases() != 1 || record->bases_begin()->getAccessSpecifier() != AS_public)
      return;
    const CXXRecordDecl *base = record->bases_begin()->getType()->getAsCXXRecordDecl();
    Field inner = location;
    inner.offset += layout.getBaseClassOffset(base).getQuantity();
    outer.push_back(record);
    visit(base, inner, std::move(outer));
  }

  int64_t sizeOf(QualType type) const { return context.getTypeSizeInChars(type).getQuantity(); }

  const ASTContext &context;
  EntryNames &names;
};

} // namespace

std::vector<Field> fieldsOf(QualType type, EntryNames &names) {
  Walk walk(names.context, names);
  walk.visit(type, Field());
  return std::move(walk.result);
}

} // namespace tessera::frontend

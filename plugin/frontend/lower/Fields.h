// The members of a struct parameter of a kernel, by their names in generated code.
#pragma once

#include "frontend/Program.h"

#include "clang/AST/Type.h"

namespace tessera::frontend {

class EntryNames;

// The scalars that make up an object of the type, if code at the end of the file may name them: no
// bit-fields, references, private members, or hidden members. A scalar is its only field, without a
// name.
std::vector<Field> fieldsOf(clang::QualType type, EntryNames &names);

} // namespace tessera::frontend

// The members of a struct that is a kernel's parameter, by the names under which emitted text reads
// them.
#pragma once

#include "frontend/Program.h"

#include "clang/AST/Type.h"

namespace tessera::frontend {

class EntryNames;

// The scalars that an object of the type consists of, as far as text at the end of the file may
// name them: no bit-fields, references, private members, members hidden by others. A scalar is its
// only field, without a name.
std::vector<Field> fieldsOf(clang::QualType type, EntryNames &names);

} // namespace tessera::frontend

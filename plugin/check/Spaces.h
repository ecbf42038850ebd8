// Execution spaces: the space of a function, and whether tile code may call it.
#pragma once

#include "clang/AST/Decl.h"

namespace tessera::check {

class Reporter;

// Marked __tile__ or __tile_global__, or a lambda or member of a local class written inside such a
// function.
bool isTileCode(const clang::FunctionDecl *function);

// Tile code only; a lambda has the space of the enclosing function.
bool isTileCodeOnly(const clang::FunctionDecl *function);

// Marked for SIMT code and not for tile code.
bool isDeviceCode(const clang::FunctionDecl *function);

// An inline or static function: no code is generated unless something calls it.
bool isDiscardable(const clang::FunctionDecl *function);

// A builtin that tile code may use only if its value is constant.
bool isSimtBuiltin(const clang::FunctionDecl *function);

// Code for the device, which an extension allows in tile code; includes constexpr functions.
bool isLendable(const clang::FunctionDecl *function);

// A call of a function that is not tile code, with a replacement if known.
void refuseCallOfOther(clang::SourceLocation location, const clang::FunctionDecl *callee,
                       Reporter &report);

// A function of the C or the C++ library that tile code may call with constant arguments.
bool isConstantFunction(const clang::FunctionDecl *function);

// Tile code, or one of the few functions that need no mark.
bool isCallableFromTile(const clang::FunctionDecl *function);

} // namespace tessera::check

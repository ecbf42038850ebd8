// Execution spaces: what a function belongs to, and whether tile code may call it.
#pragma once

#include "clang/AST/Decl.h"

namespace tessera::check {

class Reporter;

// Marked __tile__ or __tile_global__, or a lambda or member of a local class written inside such a
// function.
bool isTileCode(const clang::FunctionDecl *function);

// Tile code and nothing else; a lambda is what the function is that it is written in.
bool isTileCodeOnly(const clang::FunctionDecl *function);

// Marked for SIMT code and not for tile code.
bool isDeviceCode(const clang::FunctionDecl *function);

// An inline or static function: nothing becomes of it unless something calls it.
bool isDiscardable(const clang::FunctionDecl *function);

// A builtin that tile code has only where its value is constant.
bool isSimtBuiltin(const clang::FunctionDecl *function);

// Code for the device, which an extension lends to tile code: constexpr functions are, too.
bool isLendable(const clang::FunctionDecl *function);

// A call of a function that is none of tile code, with what to write instead where that is known.
void refuseCallOfOther(clang::SourceLocation place, const clang::FunctionDecl *callee,
                       Reporter &report);

// A function of the C or the C++ library that tile code has where its arguments are constant.
bool isConstantFunction(const clang::FunctionDecl *function);

// Tile code, or one of the few functions that need no mark.
bool isCallableFromTile(const clang::FunctionDecl *function);

} // namespace tessera::check

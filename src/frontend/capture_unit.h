// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

#include "base/result.h"
#include "frontend/clang/clang_command.h"
#include "frontend/unit_store.h"

namespace heddle::frontend {

/// One unit of a project, on its way into the store.
struct UnitJob {
  build::CompileCommand recorded;
  build::RealCompiler compiler;
  ClangCommand command;  ///< the first to try
  std::string key;       ///< of `command`, also when another one succeeded
};

struct CaptureRules {
  std::string root;  ///< absolute; files below it are named from there
  bool keep_bitcode = true;
};

struct UnitOutcome {
  enum class Kind : char {
    Stored = 's',
    Refused = 'r',  ///< by the compiler; `message` is what it said
    NotKept = 'k',  ///< compiled, and could not be written: every other unit will fail in the same way
  };
  Kind kind = Kind::Stored;
  std::string message;
};

/// Compiles, cleans up, lowers and stores, in the folder of the command: the process's current folder changes. What
/// clang refuses is tried again as retry_command says; a file that changed while it was read is read again.
UnitOutcome capture_unit(const UnitJob& job, const UnitStore& store, const CaptureRules& rules);

}  // namespace heddle::frontend

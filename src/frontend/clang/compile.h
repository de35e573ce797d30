// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One translation unit: clang's driver works out the compiler's arguments, the compiler runs in this process, the
// module stays in memory. No file is written and no process is started.
//
// Bodies survive. C99 `inline` without `extern`, gnu89 `extern inline` and inline members of `extern template` classes
// are definitions that a compiler may leave out at -O0; here they are always emitted and linked as link-once, so that a
// stronger definition in another unit wins. What still has source text but no body comes back as `Bodiless`, and is an
// error unless another unit defines it.
#pragma once
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/clang/lock_annotations.h"
#include "frontend/clang/source.h"
#include "frontend/clang/unit_input.h"

namespace heddle::frontend {

struct Bodiless {
  std::string symbol;
  std::string place;  ///< file:line:column of the source text
};

struct CompiledUnit {
  std::unique_ptr<llvm::Module> module;
  std::vector<Bodiless> bodiless;
  std::vector<HarvestedAnnotation> annotations;
  std::vector<ReadFile> files;  ///< source and headers, sorted by path; if they are wanted
  bool wants_files = false;
  bool is_ir = false;  ///< read as LLVM's IR, not compiled
};

/// Needs a CrashGuard alive. If clang crashes, `context` is given up (and leaked, since it may be half built).
Result<CompiledUnit> compile_unit(const Source& source, const std::string& target, const Options& options,
                                  std::unique_ptr<llvm::LLVMContext>& context);

/// The same for a finished command of clang's driver (clang_command.h), run in the current folder, with the files that
/// were read. `path` is for messages.
Result<CompiledUnit> compile_command(const std::vector<std::string>& driver_arguments, const std::string& path,
                                     std::unique_ptr<llvm::LLVMContext>& context);

/// C text that is no file; `name` ends in `.c`.
Result<CompiledUnit> compile_text(const std::string& text, const std::string& name, const std::string& target,
                                  std::unique_ptr<llvm::LLVMContext>& context);

}  // namespace heddle::frontend

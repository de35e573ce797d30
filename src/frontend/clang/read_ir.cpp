// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/read_ir.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <filesystem>

#include "base/read_file.h"
#include "frontend/clang/clean_up.h"
#include "frontend/clang/crash_guard.h"

namespace heddle::frontend {
namespace {

Error bad_ir(const std::string& path, const std::string& what) {
  return {path + ": error: " + what +
          "; make it again with LLVM 19 or older, for example: clang-19 -O0 -g -emit-llvm -c FILE.c"};
}

/// Ends in the crash guard instead of the process.
void give_up(void*, const char*, bool) { __builtin_trap(); }

/// Clang leaves functions without optimisation alone, and heddle's clean-up is made of such passes.
void allow_clean_up(llvm::Module& module) {
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  }
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasAvailableExternallyLinkage()) variable.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
}

/// What is wrong with it, or nothing.
std::string read_module(const llvm::MemoryBuffer& buffer, llvm::LLVMContext& context,
                        std::unique_ptr<llvm::Module>& module) {
  const llvm::ScopedFatalErrorHandler handler(give_up);
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  llvm::SMDiagnostic diagnostic;
  module = llvm::parseIR(buffer.getMemBufferRef(), diagnostic, context);
  if (!module) {
    const std::string place = diagnostic.getLineNo() > 0 ? "line " + std::to_string(diagnostic.getLineNo()) + ": " : "";
    return "LLVM cannot read it: " + place + diagnostic.getMessage().str();
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool has_broken_debug_info = false;
  if (llvm::verifyModule(*module, &stream, &has_broken_debug_info))
    return "its code is not valid: " + text.substr(0, text.find('\n'));
  if (has_broken_debug_info) llvm::StripDebugInfo(*module);
  allow_clean_up(*module);
  forget_clean_mark(*module);
  return "";
}

}  // namespace

Result<CompiledUnit> read_ir(const std::string& path, std::unique_ptr<llvm::LLVMContext>& context, bool wants_files) {
  if (const std::string why = why_not_given(path); !why.empty()) return error(path + ": error: " + why);
  const auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) return error(path + ": error: cannot be read: " + buffer.getError().message());
  if ((*buffer)->getBufferSize() == 0) return std::unexpected(bad_ir(path, "the file is empty"));
  CompiledUnit unit;
  unit.is_ir = true;
  std::string failure;
  const WorkEnd end = run_guarded([&] { failure = read_module(**buffer, *context, unit.module); });
  if (end != WorkEnd::Done) {
    static_cast<void>(unit.module.release());
    static_cast<void>(context.release());
    if (end == WorkEnd::OutOfMemory) return error(path + ": error: " + words_of(end));
    return std::unexpected(bad_ir(path, "LLVM crashed on this file, so it is damaged"));
  }
  if (!failure.empty()) return std::unexpected(bad_ir(path, failure));
  const std::string_view bytes((*buffer)->getBufferStart(), (*buffer)->getBufferSize());
  if (wants_files) unit.files.push_back({std::filesystem::absolute(path).lexically_normal().string(), hash_of(bytes)});
  return unit;
}

}  // namespace heddle::frontend

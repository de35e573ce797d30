// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/capture_unit.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/read_file.h"
#include "frontend/clang/crash_guard.h"
#include "frontend/clang/read_ir.h"
#include "frontend/clang/toolchain.h"
#include "frontend/lower/lowering.h"

namespace heddle::frontend {
namespace {

constexpr int most_readings = 4;  // of a file that changes all the time

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Paths in a unit mean the folder it was compiled in; in a project they must mean the same everywhere.
std::string project_path(std::string_view path, const std::string& directory, const std::string& root) {
  const std::filesystem::path whole = (std::filesystem::path(directory) / path).lexically_normal();
  const std::filesystem::path inside = whole.lexically_relative(root);
  return inside.empty() || inside.native().starts_with("..") ? whole.string() : inside.string();
}

bool is_as_read(const std::vector<ReadFile>& files, std::int64_t began) {
  FileStates states;
  return std::ranges::all_of(files, [&](const ReadFile& file) {
    const FileStates::State& state = states.state(file.path);
    // Older than the reading, with time to spare: it cannot have changed since.
    return state.exists && (state.time + 1'000'000'000 < began || states.hash(file.path) == file.hash);
  });
}

Result<CompiledUnit> compile_somehow(const UnitJob& job, std::unique_ptr<llvm::LLVMContext>& context) {
  if (is_ir_file(job.recorded.file)) {
    context = std::make_unique<llvm::LLVMContext>();
    return read_ir(job.recorded.file, context, true);
  }
  ClangCommand command = job.command;
  std::string first_message;
  for (;;) {
    context = std::make_unique<llvm::LLVMContext>();
    auto unit = compile_command(command.arguments, job.recorded.file, context);
    if (unit || context == nullptr) return unit;
    if (first_message.empty()) first_message = unit.error().message;
    const auto next = retry_command(job.recorded, job.compiler, command, unit.error().message);
    if (!next) return error(first_message);
    command = *next;
  }
}

UnitOutcome refused(std::string message) { return {UnitOutcome::Kind::Refused, std::move(message)}; }

UnitOutcome store_unit(const UnitJob& job, const UnitStore& store, const CaptureRules& rules, CompiledUnit compiled,
                       std::int64_t began) {
  const std::vector<ReadFile> files = std::move(compiled.files);
  const std::string name = project_path(job.recorded.file, job.command.directory, rules.root);
  llvm::Module& module = *compiled.module;
  std::string bitcode;
  const auto keep_bitcode = [&] {
    if (!rules.keep_bitcode || !bitcode.empty()) return;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(module, stream);
  };
  // Lowering cleans up, which makes the bitcode smaller, and takes aliases and ifuncs out, which other units may need.
  if (!module.alias_empty() || !module.ifunc_empty()) keep_bitcode();
  auto program = lower_unit(compiled, name);
  if (!program) return refused(program.error().message);
  for (File& file : program->files)
    file.path = program->arena.text(project_path(file.path, job.command.directory, rules.root));
  keep_bitcode();
  if (auto kept = store.put(job.key, *program, bitcode, files, began); !kept)
    return {UnitOutcome::Kind::NotKept, kept.error().message};
  return {};
}

}  // namespace

UnitOutcome capture_unit(const UnitJob& job, const UnitStore& store, const CaptureRules& rules) {
  std::error_code failure;
  std::filesystem::current_path(job.command.directory, failure);
  if (failure)
    return refused(job.recorded.file + ": error: its folder '" + job.command.directory +
                   "' cannot be entered: " + failure.message());
  if (const std::string why = why_not_plain(job.recorded.file); !why.empty())
    return refused(job.recorded.file + ": error: " + why);
  const CrashGuard guard;
  for (int reading = 0; reading < most_readings; ++reading) {
    const std::int64_t began = now();
    std::unique_ptr<llvm::LLVMContext> context;
    auto compiled = compile_somehow(job, context);
    if (!compiled) return refused(compiled.error().message);
    if (is_as_read(compiled->files, began)) return store_unit(job, store, rules, std::move(*compiled), began);
  }
  return refused(job.recorded.file +
                 ": error: it or one of its headers changes all the time; capture it again when nobody writes there");
}

}  // namespace heddle::frontend

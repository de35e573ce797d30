// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/compile.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Driver/Tool.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <filesystem>

#include "base/read_file.h"
#include "frontend/clang/crash_guard.h"
#include "frontend/clang/emit_action.h"
#include "frontend/clang/safe_arguments.h"
#include "frontend/clang/toolchain.h"
#include "frontend/firmware/module_notes.h"
#include "frontend/firmware/refused_assembly.h"

namespace heddle::frontend {
namespace {

/// Diagnostics of driver and compiler, as text.
class DiagnosticText {
 public:
  DiagnosticText() : options_(new clang::DiagnosticOptions), stream_(text_) { options_->ShowCarets = 0; }
  clang::DiagnosticOptions* options() { return options_.get(); }
  std::unique_ptr<clang::DiagnosticConsumer> consumer() {
    return std::make_unique<clang::TextDiagnosticPrinter>(stream_, options_.get());
  }
  /// What a terminal or a JSON file can hold: garbage in the source is echoed by clang byte by byte.
  std::string printable() {
    stream_.flush();
    std::string out;
    for (const char c : text_) out += (c == '\n' || c == '\t' || (c >= ' ' && c <= '~')) ? c : '?';
    while (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
  }

 private:
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options_;
  std::string text_;
  llvm::raw_string_ostream stream_;
};

/// The system's files without FIFOs and devices, which could keep the compiler waiting for ever. What the user hands
/// over as a source is read.
class PlainFiles : public llvm::vfs::ProxyFileSystem {
 public:
  explicit PlainFiles(std::string source)
      : ProxyFileSystem(llvm::vfs::getRealFileSystem()), source_(std::move(source)) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const auto found = status(path);
    if (!found) return found.getError();
    const bool is_plain = found->isRegularFile() || found->isDirectory();
    const std::string name = is_plain ? std::string() : path.str();
    if (!is_plain && name != "/dev/null" && !(name == source_ && is_handed_over(name)))
      return std::make_error_code(std::errc::invalid_argument);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  std::string source_;
};

std::optional<Error> check_readable(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) return Error{path + ": error: no such file"};
  if (failure) return Error{path + ": error: cannot be read: " + failure.message()};
  if (std::filesystem::is_directory(status)) return Error{path + ": error: is a folder; name the source files in it"};
  if (const std::string why = why_not_given(path); !why.empty()) return Error{path + ": error: " + why};
  return std::nullopt;
}

const clang::driver::Command* compile_job(const clang::driver::Compilation& compilation) {
  for (const clang::driver::Command& job : compilation.getJobs())
    if (llvm::StringRef(job.getCreator().getName()) == "clang") return &job;
  return nullptr;
}

/// The compiler's own arguments, which only the driver knows how to derive: include paths, target features, language.
Result<std::vector<std::string>> compiler_arguments(const std::vector<std::string>& arguments, const std::string& path,
                                                    DiagnosticText& text) {
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, text.options(), text.consumer().release());
  clang::driver::Driver driver(arguments.front(), llvm::sys::getDefaultTargetTriple(), diagnostics, "heddle",
                               new PlainFiles(path));
  driver.setCheckInputsExist(false);
  std::vector<const char*> raw;
  for (const std::string& argument : arguments) raw.push_back(argument.c_str());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(raw));
  const clang::driver::Command* job = compilation ? compile_job(*compilation) : nullptr;
  if (diagnostics.hasErrorOccurred()) return error(text.printable());
  if (job == nullptr)
    return error(path + ": error: not a C or C++ source file by its name; rename it or give '-x c' behind '--'");
  std::vector<std::string> out;
  for (const char* argument : job->getArguments()) out.emplace_back(argument);
  return out;
}

/// A source that is no file.
struct GivenText {
  std::string path, text;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_with_lent_headers(const std::string& source,
                                                                        const GivenText* given) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> lent(new llvm::vfs::InMemoryFileSystem);
  for (const auto& [path, text] : lent_headers())
    lent->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  if (given != nullptr) lent->addFile(given->path, 0, llvm::MemoryBuffer::getMemBufferCopy(given->text, given->path));
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(new llvm::vfs::OverlayFileSystem(new PlainFiles(source)));
  all->pushOverlay(lent);
  return all;
}

/// Code for it comes from cross compilers, with the assembly of gcc.
bool is_bare_machine(const std::string& target) {
  const llvm::Triple triple(target);
  return triple.getOS() == llvm::Triple::UnknownOS;
}

bool run_compiler(const std::vector<std::string>& arguments, llvm::LLVMContext& context, CompiledUnit& unit,
                  DiagnosticText& text, const std::string& source, const GivenText* given) {
  std::vector<const char*> raw;
  for (std::size_t i = 1; i < arguments.size(); ++i) raw.push_back(arguments[i].c_str());  // without -cc1
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticsEngine early(new clang::DiagnosticIDs, text.options(), text.consumer().release());
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, raw, early)) return false;
  keep_in_memory(*invocation);
  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  RefusedAssembly diagnostics(text.consumer());
  compiler.createDiagnostics(&diagnostics, false);
  if (is_bare_machine(compiler.getTargetOpts().Triple)) diagnostics.forgive(compiler.getDiagnostics());
  compiler.createFileManager(files_with_lent_headers(source, given));
  compiler.setVerboseOutputStream(llvm::nulls());
  EmitAction action(context, unit);
  const bool is_done =
      compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred() && unit.module != nullptr;
  if (is_done) note_refused(*unit.module, diagnostics.places());
  return is_done;
}

Result<CompiledUnit> run_driver(const std::vector<std::string>& driver_arguments, const std::string& path,
                                std::unique_ptr<llvm::LLVMContext>& context, bool wants_files, const GivenText* given) {
  DiagnosticText text;
  std::vector<std::string> dropped;  // a capture has told of them, where they matter
  const auto arguments = compiler_arguments(without_side_effects(driver_arguments, dropped), path, text);
  if (!arguments) return std::unexpected(arguments.error());
  CompiledUnit unit;
  unit.wants_files = wants_files;
  bool succeeded = false;
  const auto work = [&] { succeeded = run_compiler(*arguments, *context, unit, text, path, given); };
  if (const WorkEnd end = run_guarded(work); end != WorkEnd::Done) {
    static_cast<void>(unit.module.release());
    static_cast<void>(context.release());
    return error(path + ": error: " + words_of(end));
  }
  if (!succeeded) {
    std::string said = text.printable();
    if (said.contains("'omp.h' file not found"))
      said += "\n" + path + ": note: omp.h comes with clang's OpenMP library (on Debian: libomp-19-dev)";
    return error(said.empty() ? path + ": error: cannot be compiled" : said);
  }
  return unit;
}

}  // namespace

Result<CompiledUnit> compile_command(const std::vector<std::string>& driver_arguments, const std::string& path,
                                     std::unique_ptr<llvm::LLVMContext>& context) {
  if (auto failure = check_readable(path)) return std::unexpected(std::move(*failure));
  return run_driver(driver_arguments, path, context, true, nullptr);
}

Result<CompiledUnit> compile_text(const std::string& text, const std::string& name, const std::string& target,
                                  std::unique_ptr<llvm::LLVMContext>& context) {
  const GivenText given{"/heddle/" + name, text};
  return run_driver(clang_arguments({given.path, {}}, target, {}), given.path, context, false, &given);
}

Result<CompiledUnit> compile_unit(const Source& source, const std::string& target, const Options& options,
                                  std::unique_ptr<llvm::LLVMContext>& context) {
  if (auto failure = check_readable(source.path)) return std::unexpected(std::move(*failure));
  return run_driver(clang_arguments(source, target, options), source.path, context, false, nullptr);
}

}  // namespace heddle::frontend

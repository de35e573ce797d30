// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly that gcc takes and clang refuses: constraints with other ranges (avr-libc names port addresses beyond 63 in
// branches that never run), unknown registers, functions without a prologue that hold more than assembly. On machines
// without an operating system such a statement is left out, the rest of the unit is read, and the place is kept: what
// was left out belongs to the program and was not seen. Elsewhere it is the error that it is.
#pragma once
#include <clang/Basic/Diagnostic.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::frontend {

class RefusedAssembly : public clang::DiagnosticConsumer {
 public:
  /// What is not forgiven goes on to `others`.
  explicit RefusedAssembly(std::unique_ptr<clang::DiagnosticConsumer> others) : others_(std::move(others)) {}

  /// Nothing is forgiven before; `engine` is the one that this is the consumer of.
  void forgive(clang::DiagnosticsEngine& engine) { engine_ = &engine; }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* macros) override {
    others_->BeginSourceFile(language, macros);
  }
  void EndSourceFile() override { others_->EndSourceFile(); }
  void finish() override { others_->finish(); }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  /// `FILE:LINE: what clang said`
  [[nodiscard]] const std::vector<std::string>& places() const { return places_; }

 private:
  std::unique_ptr<clang::DiagnosticConsumer> others_;
  clang::DiagnosticsEngine* engine_ = nullptr;
  std::vector<std::string> places_;
  bool has_failed_ = false;      ///< an error that stays
  bool is_inside_note_ = false;  ///< the notes behind a forgiven error are forgiven, too
};

}  // namespace heddle::frontend

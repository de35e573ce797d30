// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/firmware/refused_assembly.h"

#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace heddle::frontend {
namespace {

/// The statement is dropped, except in naked functions, where it stays.
bool is_about_assembly(unsigned id) {
  constexpr unsigned all[] = {clang::diag::err_invalid_asm_value_for_constraint,
                              clang::diag::err_invalid_asm_cast_lvalue,
                              clang::diag::err_asm_input_duplicate_match,
                              clang::diag::err_asm_invalid_input_constraint,
                              clang::diag::err_asm_invalid_input_size,
                              clang::diag::err_asm_invalid_lvalue_in_input,
                              clang::diag::err_asm_invalid_lvalue_in_output,
                              clang::diag::err_asm_invalid_output_constraint,
                              clang::diag::err_asm_invalid_output_size,
                              clang::diag::err_asm_invalid_type_in_input,
                              clang::diag::err_asm_invalid_type,
                              clang::diag::err_asm_naked_parm_ref,
                              clang::diag::err_asm_register_size_mismatch,
                              clang::diag::err_asm_tying_incompatible_types,
                              clang::diag::err_asm_unknown_register_name,
                              clang::diag::err_non_asm_stmt_in_naked_function};
  return std::ranges::any_of(all, [&](unsigned one) { return one == id; });
}

std::string place_of_complaint(const clang::Diagnostic& info) {
  llvm::SmallString<128> words;
  info.FormatDiagnostic(words);
  if (!info.hasSourceManager()) return words.str().str();
  const clang::PresumedLoc at = info.getSourceManager().getPresumedLoc(info.getLocation());
  if (at.isInvalid()) return words.str().str();
  return std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ": " + words.str().str();
}

}  // namespace

void RefusedAssembly::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  const bool is_note = level == clang::DiagnosticsEngine::Note;
  if (is_note && is_inside_note_) return;
  const bool is_forgiven = engine_ != nullptr && !is_note && is_about_assembly(info.getID());
  is_inside_note_ = is_forgiven;
  if (is_forgiven) {
    std::string place = place_of_complaint(info);
    if (std::ranges::find(places_, place) == places_.end()) places_.push_back(std::move(place));
    // The engine has counted it already, and would emit no code.
    if (!has_failed_) engine_->Reset(true);
    return;
  }
  has_failed_ |= level >= clang::DiagnosticsEngine::Error;
  DiagnosticConsumer::HandleDiagnostic(level, info);
  others_->HandleDiagnostic(level, info);
}

}  // namespace heddle::frontend

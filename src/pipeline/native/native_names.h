// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeNames: what a running program says of itself are addresses (explore/native/native_words.h); this puts names of
// functions, places and variables there.
#pragma once
#include <string>
#include <vector>

#include "explore/launch/answer.h"
#include "instrument/symbols.h"
#include "report/race_report.h"

namespace heddle::pipeline {

class NativeNames {
 public:
  /// `modules` must outlive it; `program`: the file of the executable.
  NativeNames(const std::vector<explore::LoadedModule>& modules, std::string program)
      : modules_(modules), program_(std::move(program)) {}

  void name(ReportAccess& access);
  /// Of `@7f00deadbeef`, with whatever follows it.
  std::string variable(const std::string& text);

 private:
  [[nodiscard]] const explore::LoadedModule* module_at(std::uint64_t address) const;
  [[nodiscard]] const std::string& file_of(const explore::LoadedModule& module) const {
    return module.file == "/proc/self/exe" ? program_ : module.file;
  }
  void add_frames(const std::string& text, std::vector<ReportFrame>& stack);

  const std::vector<explore::LoadedModule>& modules_;
  std::string program_;
  instrument::Symbols symbols_;
};

}  // namespace heddle::pipeline

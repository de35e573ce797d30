// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <map>
#include <string>
#include <vector>

#include "program/names/access_name.h"
#include "program/names/access_path_namer.h"
#include "program/names/access_table.h"

namespace heddle::instrument {

/// Numbers of the accesses of one function after the other, each with its row in the table.
class HookNames {
 public:
  HookNames(const Program& program, AccessTable& table) : program_(program), table_(table), namer_(program, paths_) {}

  void enter(FunctionId function);
  [[nodiscard]] FunctionId function() const { return function_; }
  [[nodiscard]] const std::vector<AccessSite>& sites() const { return sites_; }

  std::uint64_t of_site(std::size_t site);
  /// What the library function called there does; `object`: the argument that leads to the memory, if there is one.
  std::uint64_t of_call(std::size_t call, AccessKind kind, const Operand* object);
  /// The end of the frame, where the instruction returns.
  std::uint64_t of_frame(std::size_t instruction);
  /// Tells the table of the calls, whose rows may name several objects.
  void leave();

 private:
  AccessRow row_of(std::string_view name, std::size_t instruction, std::string kind) const;

  const Program& program_;
  AccessTable& table_;
  AccessPathTable paths_;
  AccessPathNamer namer_;
  FunctionId function_;
  std::vector<AccessSite> sites_;
  std::vector<std::string> names_;
  std::optional<CallNames> calls_;
  std::map<std::uint64_t, AccessRow> of_calls_;
};

}  // namespace heddle::instrument

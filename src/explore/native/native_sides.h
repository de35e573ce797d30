// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OtherSides of a running program: the table of its sides, with the addresses that its symbols have in this process,
// along the ways that its hooks told of.
#pragma once
#include <span>

#include "explore/executor/side_marks.h"
#include "explore/executor/side_table.h"
#include "runtime/heddle_driver.h"

namespace heddle::explore {

/// The table as it holds in this process: addresses in place of symbols.
class NativeCode {
 public:
  explicit NativeCode(SideTable table);
  /// With the addresses of its symbols, 0 for what is not known.
  NativeCode(SideTable table, std::span<const std::uint64_t> addresses);

  [[nodiscard]] const std::string& obstacle() const { return table_.obstacle; }
  [[nodiscard]] std::uint64_t unknown_calls() const { return table_.unknown_calls; }
  [[nodiscard]] const SideTable::AccessFacts* find_access(AccessKey key) const;
  [[nodiscard]] const Origin& origin(std::uint32_t number) const { return table_.origins[number]; }
  /// Null: nobody knows the branch.
  [[nodiscard]] const SideTable::Branch* find_branch(std::uint64_t place) const;
  /// Null: no other side.
  [[nodiscard]] const Side* side_of(const SideTable::Branch& branch, std::uint64_t value) const;
  [[nodiscard]] const SideTable::Ask* find_ask(std::uint64_t place) const;

 private:
  void place_all(std::span<const std::uint64_t> addresses);
  static void place(Side& side, std::span<const std::uint64_t> addresses);
  static void place(LockUpdate& update, std::span<const std::uint64_t> addresses);
  /// 0: it is not known where that is.
  [[nodiscard]] static std::uint64_t placed(std::uint64_t address, std::span<const std::uint64_t> addresses);

  SideTable table_;
};

class NativeSides final : public OtherSides {
 public:
  explicit NativeSides(const NativeCode& code);

  void add_step(ThreadIndex thread, std::span<const heddle_passage> passages, bool is_whole);
  void rewind(std::size_t length);

  [[nodiscard]] const std::string& obstacle() const override { return code_.obstacle(); }
  [[nodiscard]] std::optional<std::vector<std::vector<SideMark>>> marks() override;
  [[nodiscard]] const Origin& origin_of(AccessKey key) override;
  [[nodiscard]] const std::vector<Region>& regions_of(AccessKey key) override;
  [[nodiscard]] bool is_answer(AccessKey key) override;

 private:
  struct Step {
    ThreadIndex thread = 0;
    std::size_t end = 0;  ///< in passages_
    bool is_whole = true;
  };
  void follow(const heddle_passage& passage, SideMarks& marks);
  void branch(const heddle_passage& passage, SideMarks& marks);
  void ask(const heddle_passage& passage, SideMarks& marks);
  void anything(const heddle_passage& passage, SideMarks& marks);

  const NativeCode& code_;
  Side anything_;  ///< of code that is not known
  Origin everything_;
  std::vector<Region> anywhere_{any_region};
  UnknownSides unknown_;
  std::vector<Step> steps_;
  std::vector<heddle_passage> passages_;
};

}  // namespace heddle::explore

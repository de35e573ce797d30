// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names: what a model under construction calls the memory, the locks and the threads of the program.
//
//   n at bytes 0..3 of a followed variable      shared variable 0, if nobody accesses it otherwise
//   &m                                          lock 0
//   pthread_create(&t, 0, f, 0) in main         thread 1; the handle in `t` is that of thread 1, if of no other
//
// While a model grows, slots have numbers from `first_local` on, so that shared variables can be added.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "judge/transaction/model.h"
#include "program/model/program.h"

namespace heddle::judge::transaction {

inline constexpr VariableIndex first_local = 0x80000000;

/// An address: so many bytes into a variable, or into an alloca of a frame.
struct Memory {
  std::optional<GlobalId> global;
  std::uint32_t frame = 0;   ///< without `global`
  std::uint32_t alloca = 0;  ///< its instruction
  std::int64_t offset = 0;
  friend auto operator<=>(const Memory&, const Memory&) = default;
};

class Names {
 public:
  explicit Names(const Program& program) : program_(program) {}

  /// The shared variable for an access to that many bytes as an integer. What turns out to be accessed otherwise as
  /// well is in `broken()` in the end.
  VariableIndex cell(const Memory& memory, std::uint64_t bytes, unsigned bits, Interval range);
  /// Where a variable lies that is not followed: a number that nobody knows, and that stays.
  VariableIndex address(GlobalId global);
  /// What is handed to the thread when it is started.
  VariableIndex argument(ThreadIndex thread);
  /// An access that is not one of an integer.
  void other_access(const Memory& memory, std::uint64_t bytes);
  /// Those of which some access names no integer, or other bytes.
  [[nodiscard]] std::set<VariableIndex> broken() const;
  [[nodiscard]] std::vector<SharedVariable> shared() const;

  LockIndex lock(const Memory& memory);
  LockIndex lock(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& locks() const { return lock_names_; }

  /// A thread's handle is written there.
  void handle(const Memory& memory, ThreadIndex thread) { handles_[memory].insert(thread); }
  /// Something else is, there or elsewhere in that variable.
  void no_handle(Memory memory) {
    memory.offset = 0;
    no_handles_.insert(memory);
  }
  /// The only thread whose handle can be there.
  [[nodiscard]] std::optional<ThreadIndex> thread_of(const Memory& memory) const;

 private:
  struct Cell {
    GlobalId global = {};  ///< or `thread`
    std::int64_t offset = 0;
    std::uint64_t bytes = 0;  ///< 0: its address, or the argument of a thread
    unsigned bits = 0;
    std::optional<ThreadIndex> thread = {};
    Interval range = Interval::of_width(64);
    friend auto operator<=>(const Cell&, const Cell&) = default;
  };
  VariableIndex number_of(const Cell& cell);
  LockIndex lock_of(const std::pair<std::optional<Memory>, std::string>& lock, const std::string& name);
  [[nodiscard]] std::string text(const Cell& cell) const;
  [[nodiscard]] bool is_inside(const Cell& cell) const;
  [[nodiscard]] std::string text(const Memory& memory) const;
  [[nodiscard]] std::optional<std::int64_t> initial(const Cell& cell) const;

  const Program& program_;
  std::vector<Cell> cells_;
  std::map<Cell, VariableIndex> cell_numbers_;
  std::set<Cell> others_;  ///< bits = 0
  std::vector<std::string> lock_names_;
  std::map<std::pair<std::optional<Memory>, std::string>, LockIndex> lock_numbers_;
  std::map<Memory, std::set<ThreadIndex>> handles_;
  std::set<Memory> no_handles_;
};

}  // namespace heddle::judge::transaction

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine: the program in this process (runtime/heddle_driver.h), lent to one executor at a time. There is one program
// and there may be several executors of it (a search, and the replay of what it found): whoever needs it while another
// one had it starts it again and repeats its own steps.
#pragma once
#include <cstdint>
#include <optional>

#include "explore/executor/deed.h"
#include "runtime/heddle_driver.h"

namespace heddle::explore {

/// How the program is to be run.
struct MachineSettings {
  bool at_accesses = false;
  bool spurious_wakeups = false;
  bool weak_tries = false;
  bool tells_ways = false;
  bool takes_turns = false;
  std::uint64_t input_value = 0;
  std::optional<AccessPair> only_at = {};  ///< of plain accesses; none: all are operations
};

class Machine {
 public:
  explicit Machine(heddle_machine& machine) : machine_(machine) {}

  [[nodiscard]] heddle_machine* operator->() const { return &machine_; }
  [[nodiscard]] const heddle_view& view(std::uint32_t thread) const {
    const char* const first = reinterpret_cast<const char*>(machine_.views);
    return *reinterpret_cast<const heddle_view*>(first + thread * machine_.view_distance);
  }

  /// True: it was another one's, and stands at the program's beginning now.
  bool lend_to(const void* user, const MachineSettings& settings) {
    if (user_ == user) return false;
    user_ = user;
    machine_.at_accesses = settings.at_accesses ? 1 : 0;
    machine_.spurious_wakeups = settings.spurious_wakeups ? 1 : 0;
    machine_.weak_tries = settings.weak_tries ? 1 : 0;
    machine_.tells_ways = settings.tells_ways ? 1 : 0;
    machine_.turns = settings.takes_turns ? 1 : 0;
    machine_.input_value = settings.input_value;
    machine_.has_only_at = settings.only_at ? 1 : 0;
    if (settings.only_at) {
      machine_.only_at[0] = settings.only_at->first;
      machine_.only_at[1] = settings.only_at->second;
    }
    restart();
    return true;
  }
  void restart() {
    if (!is_new_) machine_.restart();
    is_new_ = false;
  }
  /// A thread has asked for a lock or permit without waiting for it, in whatever execution.
  void note_try() { saw_try_ = true; }
  [[nodiscard]] bool saw_try() const { return saw_try_; }
  /// An atomic access that is weaker than sequential consistency was made.
  void note_weak() { saw_weak_ = true; }
  [[nodiscard]] bool saw_weak() const { return saw_weak_; }
  void give_back(const void* user) {
    if (user_ == user) user_ = nullptr;
  }

 private:
  heddle_machine& machine_;
  const void* user_ = nullptr;
  bool is_new_ = true;
  bool saw_try_ = false, saw_weak_ = false;
};

}  // namespace heddle::explore

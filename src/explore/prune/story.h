// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Story: one execution as each of its threads lived it: deeds and branches in order, with the sides that were not
// taken. The thread-local traces of ATVA08, section 3.1.
#pragma once
#include <unordered_map>
#include <vector>

#include "explore/executor/executor.h"
#include "explore/search/dependence.h"

namespace heddle::explore {

struct StoryItem {
  enum class Kind : std::uint8_t {
    Deed,
    Begin,
    End,
    Told,  ///< a library was asked or has answered; `deed`: what it wrote, which was told of before
  };
  Kind kind = Kind::Deed;
  bool is_chosen = false;  ///< a doubt, or the step had several outcomes: this is its first item
  bool in_section = false;
  std::uint32_t step = 0;
  std::uint32_t end = ~0U;  ///< Begin: the item that ends the branch
  Deed deed = {};
  const Side* side = nullptr;  ///< Begin
};

/// A visible operation on a synchronisation object.
[[nodiscard]] inline bool is_object_operation(const Deed& deed) {
  return uses_object(deed.kind) && deed.kind != DeedKind::Asks && deed.address != library_object;
}

class Story {
 public:
  /// The execution that the executor has just run.
  Story(Executor& executor, const Trace& trace);

  /// Every thread came to its end, and all that they did and could have done instead is told.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::size_t threads() const { return items_.size(); }
  [[nodiscard]] const std::vector<StoryItem>& of(ThreadIndex thread) const { return items_[thread]; }
  /// The thread's first item of step `step` or a later one.
  [[nodiscard]] std::size_t first_from(ThreadIndex thread, std::size_t step) const;
  /// Items of one access of the program.
  [[nodiscard]] const std::vector<std::uint32_t>& uses_of(ThreadIndex thread, AccessKey key) const;

  struct Birth {
    ThreadIndex creator = no_thread;
    std::uint32_t step = 0;
    std::uint32_t item = 0;                      ///< of the creator
    std::optional<std::uint64_t> argument = {};  ///< as in Creation
  };
  [[nodiscard]] const Birth& birth_of(ThreadIndex thread) const { return births_[thread]; }
  /// What happened before the thread's next deed in the state in front of step `step`, as the language orders it. Of a
  /// thread that does not exist there: of the thread that will create it, or its creator.
  [[nodiscard]] const Clock& clock_at(ThreadIndex thread, std::size_t step) const;
  /// The time of the step's own thread when it was over: what a clock has to show to be behind all of the step.
  [[nodiscard]] std::uint32_t epoch_of(std::size_t step) const { return epochs_[step]; }

 private:
  struct Moment {
    std::size_t step = 0;  ///< from behind this one on
    Clock clock;
  };
  void read_deeds(Executor& executor, const Trace& trace, const std::vector<std::vector<SideMark>>& marks);
  void add_mark(const SideMark& mark, ThreadIndex thread, std::uint32_t step);
  void add_deed(const Deed& deed, std::uint32_t step, bool& in_section);
  void read_clocks(Executor& executor);
  void pair_branches();
  [[nodiscard]] static bool has_ended(Executor& executor, const Trace& trace);
  std::vector<StoryItem>& items_of(ThreadIndex thread);

  bool is_whole_ = false;
  std::size_t steps_ = 0;
  std::vector<std::vector<StoryItem>> items_;
  std::vector<std::unordered_map<AccessKey, std::vector<std::uint32_t>>> uses_;
  std::vector<std::uint32_t> asked_;  ///< by thread: the item at which it asked a library last
  std::vector<Birth> births_;
  std::vector<std::vector<Moment>> clocks_;  ///< of each thread
  std::vector<std::uint32_t> epochs_;        ///< of each step
};

}  // namespace heddle::explore

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NativeExecutor: the running program under the control of a search. It lives in the process of the program, as part of
// the driver that the program's run-time library has loaded: a step is a switch of stacks.
//
//   Going back is starting again: the process's memory is put back to where it was when main began, and the first steps
//   of the path are repeated at full speed.
//
// For searches, single runs and replays alike; they differ in their settings and in who answers choices.
#pragma once
#include <memory>

#include "explore/executor/inputs.h"
#include "explore/executor/subject.h"
#include "explore/native/machine.h"
#include "explore/native/native_sides.h"
#include "explore/native/native_words.h"

namespace heddle::explore {

struct NativeLimits {
  std::uint64_t events = UINT64_MAX;
};

/// Gaps that a second search does not have.
inline constexpr const char* orders_unknown = "an atomic access is weaker than was known when the search began";
inline constexpr const char* tries_unknown = "a lock is tried, which was not known when the search began";

class NativeExecutor final : public Executor {
 public:
  /// `inputs`: null if choices are outcomes that a search takes. `code`: null if nobody asks for other sides.
  NativeExecutor(Machine& machine, const AccessTable& table, const MachineSettings& settings,
                 const NativeLimits& limits, Inputs* inputs, const NativeCode* code = nullptr);
  ~NativeExecutor() override { machine_.give_back(this); }

  void restart() override;
  void rewind(std::size_t length) override;
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] bool stopped() const override { return over_; }
  void rehearse(bool on) override { rehearses_ = on; }

  [[nodiscard]] std::size_t steps() const override { return path_.size(); }
  [[nodiscard]] std::span<const Deed> deeds() const override;
  [[nodiscard]] std::span<const Deed> deeds_of(std::size_t step) const override;
  [[nodiscard]] std::uint64_t instructions() const override { return work_; }
  [[nodiscard]] const std::set<std::string>& gaps() const override { return gaps_; }
  [[nodiscard]] EndingKind state() const override;
  [[nodiscard]] std::span<const EndingKind> avoided() const override { return avoided_; }
  [[nodiscard]] bool has_misused_lock() const override { return has_misused_lock_; }

  [[nodiscard]] std::size_t thread_count() const override;
  [[nodiscard]] Standing standing(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<Event> blocked() const override;
  [[nodiscard]] Creation creation_of(ThreadIndex thread) const override;
  [[nodiscard]] std::uint64_t progress(ThreadIndex thread) const override;
  [[nodiscard]] NextOperation next(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<NextAccess> next_accesses(ThreadIndex thread) override;
  [[nodiscard]] std::optional<std::uint64_t> awaited_object(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<std::uint64_t> held(ThreadIndex thread) const override;

  [[nodiscard]] SpinRules spin_rules() const override {
    return {.waits_end_alone = settings_.spurious_wakeups, .may_hold = settings_.weak_tries || !knew_tries_};
  }
  [[nodiscard]] std::optional<ContentHash> local_state(ThreadIndex thread) const override;
  [[nodiscard]] bool left_traces(ThreadIndex thread) const override;

  [[nodiscard]] Words& words() override { return words_; }
  [[nodiscard]] OtherSides* sides() override { return sides_ ? &*sides_ : nullptr; }

 private:
  static std::uint64_t answer(void* executor, std::uint32_t thread, std::uint32_t count, std::uint32_t bits);
  void own() const;
  [[nodiscard]] bool waits_outside() const;
  void await_descriptor(ThreadIndex thread) const;
  void repeat(std::size_t length) const;
  [[nodiscard]] std::uint64_t mark() const;
  void take_deeds();
  void note_try(std::uint8_t op);
  [[nodiscard]] std::vector<NextAccess> section_accesses(ThreadIndex thread);
  void note_step(Event& event);
  [[nodiscard]] bool holds(ThreadIndex thread, std::uint64_t lock) const;
  [[nodiscard]] std::span<std::uint64_t> held_into(std::span<std::uint64_t> room, ThreadIndex thread) const;
  void add_gap(std::string gap);

  Machine& machine_;
  MachineSettings settings_;
  NativeLimits limits_;
  Inputs* inputs_;
  std::vector<heddle_choice> path_;
  std::vector<std::uint64_t> marks_;         ///< behind each step: the same path must lead there again
  std::vector<std::uint64_t> answers_;       ///< that the path got
  std::vector<std::size_t> answers_before_;  ///< each step
  mutable std::size_t next_answer_ = 0;      ///< while the path is repeated
  std::vector<Deed> deeds_;
  std::vector<std::size_t> step_ends_;
  std::vector<EndingKind> avoided_;
  std::vector<std::size_t> avoided_before_;
  std::set<std::string> gaps_;
  std::uint64_t work_ = 0;
  bool knew_weak_;            ///< the same of weak atomic accesses
  bool knew_tries_;           ///< the program tries locks, and that was seen before this executor was made
  bool left_traces_ = false;  ///< of the latest step
  bool over_ = false, rehearses_ = false, has_misused_lock_ = false;
  mutable NativeWords words_;
  std::optional<NativeSides> sides_;
};

}  // namespace heddle::explore

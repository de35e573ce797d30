// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language of toy_program.h as an Executor: the second one beside the interpreter, and the smallest. It answers all
// that an Executor is asked, so every search, the clocks, spinning, confirming and replaying run on it.
#pragma once
#include <array>

#include "explore/executor/subject.h"
#include "explore/toy_program.h"

namespace heddle::explore::toy {

enum class Use : std::uint8_t { Search, Run, Replay };

class ToyExecutor final : public Executor {
 public:
  /// For searches that have no limits.
  explicit ToyExecutor(Threads threads);
  ToyExecutor(Threads threads, Use use, const ExecutionLimits& limits, Inputs* inputs);

  void restart() override;
  void rewind(std::size_t length) override;
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] bool stopped() const override;
  void rehearse(bool on) override { rehearses_ = on; }
  [[nodiscard]] std::size_t steps() const override { return path_.size(); }
  [[nodiscard]] std::span<const Deed> deeds() const override;
  [[nodiscard]] std::span<const Deed> deeds_of(std::size_t step) const override { return path_[step].deeds; }
  [[nodiscard]] std::uint64_t instructions() const override { return instructions_; }
  [[nodiscard]] const std::set<std::string>& gaps() const override { return gaps_; }
  [[nodiscard]] EndingKind state() const override { return failures().ending.kind; }
  [[nodiscard]] std::span<const EndingKind> avoided() const override { return failures().avoided; }
  [[nodiscard]] bool has_misused_lock() const override { return !failures().misuses.empty(); }
  [[nodiscard]] std::size_t thread_count() const override;
  [[nodiscard]] Standing standing(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<Event> blocked() const override;
  [[nodiscard]] Creation creation_of(ThreadIndex thread) const override;
  [[nodiscard]] std::uint64_t progress(ThreadIndex thread) const override { return now_.threads[thread].done; }
  [[nodiscard]] NextOperation next(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<NextAccess> next_accesses(ThreadIndex thread) override;
  [[nodiscard]] std::optional<std::uint64_t> awaited_object(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<std::uint64_t> held(ThreadIndex thread) const override;
  [[nodiscard]] SpinRules spin_rules() const override;
  [[nodiscard]] std::optional<ContentHash> local_state(ThreadIndex thread) const override;
  [[nodiscard]] bool left_traces(ThreadIndex thread) const override;
  [[nodiscard]] Words& words() override { return words_; }

 private:
  struct Thread {
    std::size_t at = 0;
    std::uint64_t done = 0;
    bool started = false, halted = false, changed = false;
  };
  static constexpr std::size_t most = 16;  ///< objects of a kind, numbered from 0
  struct Failures {
    Ending ending;
    std::vector<EndingKind> avoided;
    std::vector<Ending> endings, misuses;
  };
  struct State {
    std::vector<Thread> threads;
    std::array<std::uint32_t, most> variables{}, semaphores{}, cells{};
    std::array<ThreadIndex, most> owner{};  ///< of a lock; no_thread: free
    bool cut = false;
    std::optional<Failures> failures;  ///< if there are any
  };
  struct Made {
    State before;
    std::vector<Deed> deeds;
  };
  class ToyWords final : public Words {
   public:
    explicit ToyWords(ToyExecutor& executor) : executor_(executor) {}
    [[nodiscard]] ReportAccess describe(ThreadIndex thread, const Bytes& bytes) override;
    [[nodiscard]] ReportAccess describe_made(const Deed& deed) override;
    [[nodiscard]] std::string name_of(std::uint64_t address) const override;
    [[nodiscard]] std::string value_at(const Bytes& bytes) const override;
    [[nodiscard]] std::string thread_name(ThreadIndex thread) const override;
    [[nodiscard]] std::vector<ReportFrame> stack(ThreadIndex thread) const override;
    [[nodiscard]] Ending ending() const override { return executor_.failures().ending; }
    [[nodiscard]] std::vector<Ending> avoided() const override { return executor_.failures().endings; }
    [[nodiscard]] std::vector<Ending> misuses() const override { return executor_.failures().misuses; }

   private:
    ToyExecutor& executor_;
  };

  [[nodiscard]] const Failures& failures() const;
  Failures& new_failure();
  [[nodiscard]] const Operation* operation_of(ThreadIndex thread) const;
  [[nodiscard]] bool is_invisible(const Operation& operation) const;
  [[nodiscard]] bool can_run(ThreadIndex thread, const Operation& operation) const;
  [[nodiscard]] bool ends(const Operation& operation) const;
  [[nodiscard]] Event describe(ThreadIndex thread) const;
  [[nodiscard]] Ending ending_at(EndingKind kind, std::string what, ThreadIndex thread) const;
  void add_deeds(ThreadIndex thread, const Operation& operation);
  void perform(ThreadIndex thread, const Operation& operation, Event& event);
  void perform_input(Thread& thread, ThreadIndex number, const Operation& operation);
  void unlock(ThreadIndex thread, std::uint64_t lock);
  bool end_program(ThreadIndex thread, const Operation& operation, Event& event);
  void run_tail(ThreadIndex thread, Event& event);
  void finish(ThreadIndex thread, Event& event);

  Threads threads_;
  Use use_;
  ExecutionLimits limits_;
  Inputs* inputs_;
  ToyWords words_;
  State now_;
  std::vector<Made> path_;
  std::set<std::string> gaps_;
  std::uint64_t instructions_ = 0;
  bool rehearses_ = false;
};

class ToySubject final : public Subject {
 public:
  explicit ToySubject(const std::vector<std::string>& threads);

  [[nodiscard]] std::unique_ptr<Executor> for_search(const ExecutionLimits& limits) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_run(const RunLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::unique_ptr<Executor> for_replay(const ReplayLimits& limits, Inputs& inputs) const override;
  [[nodiscard]] std::string identity() const override { return identity_; }
  [[nodiscard]] std::vector<std::uint64_t> candidate_values() const override;
  [[nodiscard]] MemoryOrders memory_orders() const override;
  [[nodiscard]] std::set<std::string> open_ends() const override { return open_ends_; }
  [[nodiscard]] std::set<std::string> assumptions() const override { return {"sequential-consistency"}; }
  [[nodiscard]] std::string where(AccessKey key) const override;

  void add_open_end(const std::string& what) { open_ends_.insert(what); }

 private:
  Threads threads_;
  std::string identity_;
  std::set<std::string> open_ends_;
};

}  // namespace heddle::explore::toy

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "frontend/scratch_source.h"
#include "interpret/machine/machine.h"
#include "interpret/machine/runner.h"

namespace heddle::interpret {

/// Gives prepared answers in order, then zeros.
class ScriptedChooser final : public Chooser {
 public:
  std::vector<std::uint64_t> answers;
  std::vector<Choice> asked;
  std::uint64_t choose(const Choice& choice) override {
    asked.push_back(choice);
    if (next_ >= answers.size()) return 0;
    return answers[next_++];
  }
  void rewind() { next_ = 0; }

 private:
  std::size_t next_ = 0;
};

inline const api::ApiModels& shipped_models() {
  static const api::ApiModels models = *api::ApiModels::shipped();
  return models;
}

/// A C program and a machine that runs it.
class ProgramRun {
 public:
  explicit ProgramRun(std::string_view text, MachineOptions options = {}, frontend::Options data_model = {},
                      const std::string& name = "unit.c")
      : program(frontend::read_text(text, name, data_model)),
        machine(program, shipped_models(), std::move(options), chooser) {}

  const RunOutcome& finish(Scheduler scheduler = Scheduler::RoundRobin, std::uint64_t seed = 1) {
    return run_to_completion(machine, scheduler, seed);
  }
  [[nodiscard]] std::uint64_t global(std::string_view name, std::size_t bytes = 4) const {
    const std::vector<std::uint8_t> content = machine.bytes(machine.address_of(program.find_global(name)), bytes);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < content.size(); ++i) value |= static_cast<std::uint64_t>(content[i]) << (8 * i);
    return value;
  }

  Program program;
  ScriptedChooser chooser;
  Machine machine;
};

/// Every schedule, depth first, by mark and undo. Calls `at_end` with each finished run; gives their number.
inline std::size_t for_each_schedule(Machine& machine, const std::function<void(const Machine&)>& at_end,
                                     std::size_t limit = 200'000) {
  std::size_t runs = 0;
  const std::function<void()> visit = [&] {
    if (machine.outcome().kind != OutcomeKind::Running) {
      ++runs;
      at_end(machine);
      return;
    }
    const Machine::Mark here = machine.mark();
    for (const ThreadIndex thread : machine.enabled()) {
      if (runs >= limit) return;
      if (machine.step(thread).kind != StepResult::Kind::NotEnabled || machine.outcome().kind != OutcomeKind::Running)
        visit();
      machine.undo_to(here);
    }
  };
  visit();
  return runs;
}

}  // namespace heddle::interpret

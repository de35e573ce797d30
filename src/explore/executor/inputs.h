// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nondeterministic values for a run. Branches compare inputs with constants, so the constants of the program's
// comparisons and their neighbours are worth more than random bits:
//
//   int n = nondet(); if (n > 41) …           candidates 0, 1, -1, 40, 41, 42
#pragma once
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "interpret/code/operation.h"
#include "program/model/program.h"

namespace heddle::explore {

/// Sorted; always has 0, 1 and -1.
std::vector<std::uint64_t> candidate_values(const Program& program);

/// Fixed: always the first candidate, and the first of several ways to go on.
enum class ValuePolicy : std::uint8_t { Zero, One, Small, Candidates, Random, Fixed };

/// Answers by policy and writes down what it said, by the stable name of the asking thread.
class LoggedChooser final : public interpret::Chooser {
 public:
  struct Answer {
    std::uint32_t thread = 0;
    std::uint64_t value = 0;
  };

  LoggedChooser(const std::vector<std::uint64_t>& candidates, ValuePolicy policy, std::uint64_t seed)
      : candidates_(candidates), policy_(policy), random_(seed) {}

  std::uint64_t choose(const interpret::Choice& choice) override;

  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] bool asked_for_values() const { return asked_for_values_; }
  /// The step that asked was undone: the answers behind the first `count` are given again if it asks again.
  void rewind(std::size_t count);

 private:
  std::uint64_t pick(const interpret::Choice& choice);

  const std::vector<std::uint64_t>& candidates_;
  ValuePolicy policy_;
  std::mt19937_64 random_;
  std::vector<Answer> answers_;
  std::vector<std::uint64_t> taken_back_;  ///< the next one last
  bool asked_for_values_ = false;
};

/// Gives recorded answers, each thread's in order; 0 when there are no more.
class RecordedChooser final : public interpret::Chooser {
 public:
  void add(std::uint32_t thread, std::uint64_t value) { answers_[thread].push_back(value); }
  std::uint64_t choose(const interpret::Choice& choice) override;
  /// What was asked so far and answered, in order.
  [[nodiscard]] const std::vector<LoggedChooser::Answer>& given() const { return given_; }
  /// Takes back what was given behind the first `count` answers: the step that asked was undone.
  void rewind(std::size_t count);

 private:
  std::map<std::uint32_t, std::vector<std::uint64_t>> answers_;
  std::map<std::uint32_t, std::size_t> next_;
  std::vector<LoggedChooser::Answer> given_;
};

}  // namespace heddle::explore

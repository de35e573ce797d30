// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs: the answers that a single run gets when it asks for something that the schedule does not decide: a
// nondeterministic value, which of several waiting threads a signal wakes.
//
//   int n = nondet(); if (n > 41) …           candidates 0, 1, -1, 40, 41, 42
//
// Branches compare inputs with constants, so the constants of the program's comparisons and their neighbours
// (Subject::candidate_values) are worth more than random bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "explore/executor/deed.h"

namespace heddle::explore {

struct Question {
  ThreadIndex thread = 0;
  std::uint32_t bits = 0;
  std::uint64_t count = 0;  ///< so many answers, from 0; 0: any value of `bits` bits
  bool is_input = false;    ///< a value from outside, not a choice of the system
};

struct Answer {
  ThreadIndex thread = 0;
  std::uint64_t value = 0;
};

class Inputs {
 public:
  Inputs() = default;
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  virtual ~Inputs() = default;

  virtual std::uint64_t choose(const Question& question) = 0;
  /// What was answered so far, in order.
  [[nodiscard]] const std::vector<Answer>& given() const { return given_; }
  /// The step that asked was undone: the answers behind the first `count` are given again if it asks again.
  virtual void take_back(std::size_t count) = 0;

 protected:
  std::vector<Answer> given_;
};

/// Fixed: always the first candidate, and the first of several ways to go on.
enum class ValuePolicy : std::uint8_t { Zero, One, Small, Candidates, Random, Fixed };

/// Answers by policy.
class PolicyInputs final : public Inputs {
 public:
  PolicyInputs(const std::vector<std::uint64_t>& candidates, ValuePolicy policy, std::uint64_t seed)
      : candidates_(candidates), policy_(policy), random_(seed) {}

  std::uint64_t choose(const Question& question) override;
  void take_back(std::size_t count) override;
  [[nodiscard]] bool asked_for_values() const { return asked_for_values_; }

 private:
  std::uint64_t pick(const Question& question);

  const std::vector<std::uint64_t>& candidates_;
  ValuePolicy policy_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> taken_back_;  ///< the next one last
  bool asked_for_values_ = false;
};

/// Gives recorded answers, each thread's in order; 0 when there are no more.
class RecordedInputs final : public Inputs {
 public:
  void add(ThreadIndex thread, std::uint64_t value) { answers_[thread].push_back(value); }
  std::uint64_t choose(const Question& question) override;
  void take_back(std::size_t count) override;

 private:
  std::map<ThreadIndex, std::vector<std::uint64_t>> answers_;
  std::map<ThreadIndex, std::size_t> next_;
};

}  // namespace heddle::explore

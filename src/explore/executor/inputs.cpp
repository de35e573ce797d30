// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/inputs.h"

namespace heddle::explore {

std::uint64_t PolicyInputs::pick(const Question& question) {
  if (question.count != 0)
    return policy_ == ValuePolicy::Zero || policy_ == ValuePolicy::Fixed ? 0 : random_() % question.count;
  switch (policy_) {
    case ValuePolicy::Zero: return 0;
    case ValuePolicy::One: return 1;
    case ValuePolicy::Small: return random_() % 4;
    case ValuePolicy::Candidates: return candidates_[random_() % candidates_.size()];
    case ValuePolicy::Fixed: return candidates_.front();
    case ValuePolicy::Random:
      return random_() % 8 == 0 ? candidates_[random_() % candidates_.size()] : random_() >> (random_() % 64);
  }
  return 0;
}

std::uint64_t PolicyInputs::choose(const Question& question) {
  if (question.is_input) asked_for_values_ = true;
  std::uint64_t value = 0;
  if (taken_back_.empty()) {
    value = pick(question);
  } else {
    value = question.count == 0 ? taken_back_.back() : taken_back_.back() % question.count;
    taken_back_.pop_back();
  }
  if (question.count == 0 && question.bits < 64) value &= (std::uint64_t{1} << question.bits) - 1;
  given_.push_back({question.thread, value});
  return value;
}

void PolicyInputs::take_back(std::size_t count) {
  for (; given_.size() > count; given_.pop_back()) taken_back_.push_back(given_.back().value);
}

std::uint64_t RecordedInputs::choose(const Question& question) {
  const std::vector<std::uint64_t>& answers = answers_[question.thread];
  std::size_t& next = next_[question.thread];
  std::uint64_t value = next < answers.size() ? answers[next] : 0;
  ++next;
  if (question.count != 0) value %= question.count;
  given_.push_back({question.thread, value});
  return value;
}

void RecordedInputs::take_back(std::size_t count) {
  for (; given_.size() > count; given_.pop_back()) --next_[given_.back().thread];
}

}  // namespace heddle::explore

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/choices.h"

#include "base/check.h"
#include "interpret/code/values.h"

namespace heddle::interpret {

std::uint64_t Choices::ask(Choice choice) {
  if (is_rehearsal_) return 0;
  choice.thread = threads_.current();
  const Thread& thread = threads_.running();
  if (!thread.frames.empty() && thread.frames.back().code != nullptr) {
    choice.function = thread.frames.back().code->id;
    choice.instruction = thread.frames.back().pc;
  }
  const std::uint64_t answer = chooser_.choose(choice);
  HEDDLE_CHECK(choice.count == 0 || answer < choice.count, "an answer that is no candidate");
  return answer;
}

std::uint64_t Choices::value(std::uint32_t bits, bool is_float, std::string_view source) {
  const std::uint64_t answer = ask({ChoiceKind::Value, bits, 0, is_float, 0, {}, 0, source}) & mask_of(bits);
  if (!is_rehearsal_) account_.add_input(std::string(source) + " = " + std::to_string(answer));
  return answer;
}

std::uint64_t Choices::one_of(const std::vector<std::uint64_t>& values, std::string_view source) {
  const std::uint64_t answer = values[ask({ChoiceKind::Value, 64, values.size(), false, 0, {}, 0, source})];
  account_.add_input(std::string(source) + " = " + std::to_string(answer));
  return answer;
}

const std::string& Choices::text(const std::vector<std::string>& texts, const std::string& source) {
  const std::uint64_t answer = ask({ChoiceKind::Value, 8, 0, false, 0, {}, 0, source}) & mask_of(8);
  const std::string& text = texts[answer % texts.size()];
  if (!is_rehearsal_) account_.add_input(source + " = \"" + text + "\"");
  return text;
}

void Choices::float_value(const Shape& shape, std::string_view source, Slot* to) {
  const bool is_known = shape.format == FloatFormat::Single || shape.format == FloatFormat::Double;
  const Slot chosen{value(is_known ? shape.bits : 64, true, source), 0, 0, 0};
  const NumberType from = is_known ? shape.number() : NumberType{64, FloatFormat::Double};
  cast_number({CastOp::FpExt, from, shape.number()}, &chosen, to, image_.platform.rules);
}

std::uint64_t Choices::uninitialised_branch(std::uint32_t bits) {
  account_.look_at_unknown(1);
  if (!options_.uninitialised_is_choice) account_.undefined("a branch depends on an uninitialised value");
  return value(bits, false, "uninitialised value");
}

std::size_t Choices::waiter(std::size_t count) { return ask({ChoiceKind::Waiter, 0, count, false, 0, {}, 0, {}}); }

bool Choices::allocation_fails() {
  return options_.allocation_failure && ask({ChoiceKind::AllocationFails, 1, 2, false, 0, {}, 0, {}}) == 1;
}

bool Choices::try_fails() { return options_.weak_tries && ask({ChoiceKind::TryFails, 1, 2, false, 0, {}, 0, {}}) == 1; }

}  // namespace heddle::interpret

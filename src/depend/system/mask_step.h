// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::depend {

/// What one call or one piece of inline assembly does to who may preempt the caller, on the caller's core.
struct MaskStep {
  enum class Step : std::uint8_t {
    Begin,
    End,      ///< nothing is masked any more by this mask, however often it began
    Restore,  ///< the state before the last Begin comes back
  };
  enum class Of : std::uint8_t {
    Everything,  ///< all interrupts are off, so no scheduler runs either
    Interrupt,   ///< the one with `number`
    Tasks,       ///< the scheduler stands still; interrupts come
    Lock,        ///< whoever holds the lock with `number` at its own access; `any_lock`: it is not known which
    Unknown,     ///< some interrupts, and it is not known which: a Begin protects from nothing, an End ends any
  };
  static constexpr std::int64_t any_lock = -1;
  Step step = Step::Begin;
  Of of = Of::Everything;
  std::int64_t number = 0;
  /// Steps of one mask have one id: a Begin is ended by what has the same. Inline assembly is mask 0.
  std::uint32_t mask = 0;
  bool is_section = false;                ///< a critical section: on several cores one of its name runs at a time
  std::string_view section = {};          ///< its name, if it has one
  std::vector<std::int64_t> except = {};  ///< of Everything that is in force: interrupts that were let in again
  /// Which interrupt, a parameter of the function at hand says: until it is known, `of` is Unknown.
  std::optional<std::uint32_t> parameter = {};
  std::optional<std::int64_t> all = {};  ///< the parameter's value that means all
  std::int64_t offset = 0;               ///< other values plus this are the number

  bool operator==(const MaskStep&) const = default;
};

/// The same step with the value of its parameter.
[[nodiscard]] inline MaskStep with_number(MaskStep step, std::int64_t value) {
  step.parameter.reset();
  const bool is_all = step.all == value;
  step.of = is_all ? MaskStep::Of::Everything : MaskStep::Of::Interrupt;
  step.number = is_all ? 0 : value + step.offset;
  step.all.reset();
  step.offset = 0;
  return step;
}

}  // namespace heddle::depend

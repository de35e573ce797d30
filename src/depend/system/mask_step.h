// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
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
    Unknown,     ///< some interrupts, and it is not known which: a Begin protects from nothing, an End ends any
  };
  Step step = Step::Begin;
  Of of = Of::Everything;
  std::int64_t number = 0;
  /// Steps of one mask have one id: a Begin is ended by what has the same. Inline assembly is mask 0.
  std::uint32_t mask = 0;
  bool is_section = false;        ///< a critical section: on several cores one of its name runs at a time
  std::string_view section = {};  ///< its name, if it has one
  std::vector<std::int64_t> except = {};  ///< of Everything that is in force: interrupts that were let in again

  bool operator==(const MaskStep&) const = default;
};

}  // namespace heddle::depend

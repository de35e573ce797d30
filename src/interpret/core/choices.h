// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that is not decided by the program and not by the schedule: values of nondeterministic functions, bytes of
// unknown files, which waiter a signal wakes, whether malloc fails. Each is asked of the Chooser in the middle of a
// step, with the place in the program that asks. A search that wants another answer undoes the step and takes it again.
//
//   int x = __VERIFIER_nondet_int();     choices.value(32, false, "__VERIFIER_nondet_int")
//
// While a native call is only rehearsed (sync/rehearsal.h) nobody is asked and every answer is zero.
#pragma once
#include "interpret/code/image.h"
#include "interpret/state/account.h"

namespace heddle::interpret {

class Choices {
 public:
  Choices(const MachineOptions& options, const Image& image, const Threads& threads, Account& account, Chooser& chooser)
      : options_(options), image_(image), threads_(threads), account_(account), chooser_(chooser) {}

  /// Any number of so many bits.
  std::uint64_t value(std::uint32_t bits, bool is_float, std::string_view source);
  /// One of these values that stand for all; such a choice is the only one of its step.
  std::uint64_t one_of(const std::vector<std::uint64_t>& values, std::string_view source);
  /// One of these texts.
  const std::string& text(const std::vector<std::string>& texts, const std::string& source);
  /// A number of a floating point format; one that no search knows gets the value of a double.
  void float_value(const Shape& shape, std::string_view source, Slot* to);
  /// What a branch on an uninitialised value sees. Ends the run unless MachineOptions make it a choice.
  std::uint64_t uninitialised_branch(std::uint32_t bits);
  /// Which of `count` threads a signal wakes.
  std::size_t waiter(std::size_t count);
  bool allocation_fails();
  /// A try-lock that could succeed fails all the same: only with weak_tries.
  bool try_fails();

  void set_rehearsal(bool on) { is_rehearsal_ = on; }

 private:
  std::uint64_t ask(Choice choice);

  const MachineOptions& options_;
  const Image& image_;
  const Threads& threads_;
  Account& account_;
  Chooser& chooser_;
  bool is_rehearsal_ = false;
};

}  // namespace heddle::interpret

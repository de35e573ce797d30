// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of a function without a body, as the code that carries it out sees it: its arguments, and where the result
// goes.
//
//   void give_length(NativeCall& c) { c.give(c.text(0).size()); }        // strlen
//
// A native reads arguments by number, works on memory through core.space and says what the call returns. Three ways to
// end are special: `stays`, it pushed a frame or jumped, and the call finishes later; `stops`, the thread has to stop
// before the call, which is then made again from its beginning; and an exception that ends the run, if the program did
// what it must not.
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

struct NativeCall {
  Core& core;
  Thread& thread;
  const CallCode& site;
  FunctionId callee;
  std::vector<Slot> arguments;  ///< one per argument; of aggregates the first slot
  Slot result{};
  Slot second{};       ///< second slot of a result that has two
  bool stays = false;  ///< the native pushed a frame or jumped: the call does not finish now
  bool stops = false;  ///< the thread stops before the call, which is made again when the step is granted

  [[nodiscard]] std::size_t count() const { return arguments.size(); }
  [[nodiscard]] const Slot& slot(std::size_t i) const;
  [[nodiscard]] std::uint64_t word(std::size_t i) const;   ///< as passed, must be initialised
  [[nodiscard]] std::int64_t number(std::size_t i) const;  ///< sign-extended from its width
  [[nodiscard]] double real(std::size_t i) const;          ///< float and double only
  [[nodiscard]] FloatFormat format(std::size_t i) const;
  [[nodiscard]] numeric::FloatBits float_value(std::size_t i) const;  ///< of any format
  [[nodiscard]] std::string text(std::size_t i) const { return core.space.read_string(slot(i)); }
  [[nodiscard]] std::uint32_t bits(std::size_t i) const;
  [[nodiscard]] std::string name() const { return core.image.name_of(callee); }
  /// The machine cannot carry out this call.
  [[noreturn]] void refuse() const { core.account.unsupported("function " + name()); }
  /// State of the library that other threads change too: a scheduling point. False: the native returns at once.
  bool is_admitted(Address object);
  /// Whoever reads a file comes after whoever wrote it: all uses of files are ordered.
  void order_through_files();
  [[nodiscard]] Slot errno_place() const;
  void set_errno(int value);
  void give(std::uint64_t value);
  /// The call writes to the world and may fail there: a result that somebody looks at is one of several.
  void doubt_result();
  void give_real(double value);
  void give_float(numeric::FloatBits value);
  void give_pointer(const Slot& pointer) { result = pointer; }
  [[nodiscard]] std::uint32_t result_bits() const;
  [[nodiscard]] FloatFormat result_format() const;
};

}  // namespace heddle::interpret

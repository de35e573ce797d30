// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library as executed: name → implementation. Models tell effects, not results, so running needs this table;
// analysis never looks at it. A function that is in no table and that no model makes executable ends the run as
// Unsupported.
//
//   constexpr NativeEntry table[] = {{"abs", [](NativeCall& c) { … c.give(…); }}, {"llvm.fabs.*", give_fabs}, …};
//
// One file per header of the library has such a table, and find_native looks through all of them, once per function of
// the program, when the machine is set up. A native is written against NativeCall (core/native_call.h). It must not
// keep anything itself: what has to last lies in memory of the program (LibraryObjects) or in LibraryStore, where undo
// finds it. One that works on what threads share asks NativeCall::is_admitted first.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "interpret/core/native_call.h"
#include "interpret/core/va_list.h"

namespace heddle::interpret {

/// What a shell sees of a process that abort has ended.
constexpr int exit_code_of_abort = 134;
/// What most calls return when they fail.
constexpr std::uint64_t minus_one = ~0ULL;

/// '*' at the end of `name`: every function that begins so.
[[nodiscard]] constexpr bool fits(std::string_view name, std::string_view function) {
  return name.ends_with('*') ? function.starts_with(name.substr(0, name.size() - 1)) : function == name;
}

/// Calls that nothing comes of here and that return nothing.
inline void no_effect(NativeCall&) {}

/// Calls whose effect nobody here can feel; what they return, the system decides.
inline void ignore(NativeCall& call) {
  if (call.site.is_used) call.refuse();
}

struct NativeEntry {
  std::string_view name;  ///< see fits()
  Native native = nullptr;
};

/// The natively implemented function of that name; null if there is none.
Native find_native(std::string_view name);

std::span<const NativeEntry> string_natives();
std::span<const NativeEntry> stdio_natives();
std::span<const NativeEntry> file_natives();
std::span<const NativeEntry> scan_natives();
std::span<const NativeEntry> stdlib_natives();
std::span<const NativeEntry> environment_natives();
std::span<const NativeEntry> math_natives();
std::span<const NativeEntry> number_natives();
std::span<const NativeEntry> process_natives();
std::span<const NativeEntry> thread_natives();
std::span<const NativeEntry> intrinsic_natives();
std::span<const NativeEntry> cxx_natives();
std::span<const NativeEntry> cxx_string_natives();
std::span<const NativeEntry> cxx_stream_natives();
std::span<const NativeEntry> cxx_container_natives();

inline VaLists va_lists(NativeCall& call) { return {call.core.image, call.core.space, call.core.account}; }

/// Variadic arguments, from a call or from a va_list.
class ArgumentSource {
 public:
  ArgumentSource(NativeCall& call, std::size_t first) : call_(call), next_(first) {}
  /// The va_list in argument `list`.
  static ArgumentSource of_list(NativeCall& call, std::size_t list);

  std::uint64_t integer(std::uint32_t bytes);
  Slot pointer();
  double real();
  struct LongDouble {
    FloatFormat format;
    numeric::FloatBits value;
  };
  LongDouble long_double();

 private:
  NativeCall& call_;
  std::size_t next_ = 0;
  std::optional<VaLists::Reader> list_;
};

/// A number as strtol and its family read it, into `bits`; what is out of range is the nearest number of that width.
struct ParsedInteger {
  std::uint64_t value = 0;
  std::size_t length = 0;
  bool is_out_of_range = false;
};
ParsedInteger parse_integer(const std::string& text, int base, bool is_signed, std::uint32_t bits);

std::string format_text(Core& core, const std::string& format, ArgumentSource arguments);

}  // namespace heddle::interpret

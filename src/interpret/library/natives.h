// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library as executed: name → implementation. Models tell effects, not results, so running needs this table;
// analysis never looks at it. A function that is in no table and that no model makes executable ends the run as
// Unsupported.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "interpret/core/va_list.h"

namespace heddle::interpret {

/// Private objects of the library, for Core::library_object.
namespace library {
enum : std::uint32_t {
  errno_number,
  strtok_state,
  random_state,
  ctype_table,
  lower_table,
  upper_table,
  cancel_state,
  cancel_type,
  first_type = 0x1000,  ///< class_hierarchy.cpp
  first_table = 0x2000,
  first_error_text = 0x3000,  ///< strerror
  first_key = 0x4000,
};
}

struct NativeEntry {
  std::string_view name;  ///< '*' at the end: every name that begins so
  Native native = nullptr;
};

std::span<const NativeEntry> string_natives();
std::span<const NativeEntry> stdio_natives();
std::span<const NativeEntry> file_natives();
std::span<const NativeEntry> scan_natives();
std::span<const NativeEntry> stdlib_natives();
std::span<const NativeEntry> environment_natives();
std::span<const NativeEntry> math_natives();
std::span<const NativeEntry> thread_natives();
std::span<const NativeEntry> intrinsic_natives();
std::span<const NativeEntry> cxx_natives();
std::span<const NativeEntry> cxx_string_natives();
std::span<const NativeEntry> cxx_stream_natives();
std::span<const NativeEntry> cxx_container_natives();

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
  std::optional<VaListReader> list_;
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

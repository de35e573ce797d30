// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One conversion of a format of scanf: "%5ld" is {stored, width 5, length "l", conversion 'd'}.
#pragma once
#include <limits>
#include <string>

#include "interpret/core/core.h"

namespace heddle::interpret {

struct Directive {
  bool is_stored = true;
  int width = std::numeric_limits<int>::max();
  std::string length;
  char conversion = 0;
  std::string set;  ///< of %[
};

/// Reads a directive behind its '%'; `at` ends behind it.
Directive parse_directive(Core& core, const std::string& format, std::size_t& at);
/// Of the variable that an integer conversion writes.
std::uint32_t integer_bytes(const Core& core, const Directive& d);

}  // namespace heddle::interpret

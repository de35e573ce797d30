// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of any format as text, as the GNU C library writes and reads them: %f, %e, %g and %a of printf with their
// flags, strtold and the numbers of scanf. Digits are those of the exact value, rounded once.
//
//   print_float(FloatFormat::Extended, third, {.conversion = 'a'})   0xa.aaaaaaaaaaaaaabp-5
//   print_float(FloatFormat::Quad, third, {.conversion = 'a'})       0x1.5555555555555555555555555555p-2
#pragma once
#include <string>
#include <string_view>

#include "numeric/float_format.h"

namespace heddle::numeric {

struct FloatSpec {
  char conversion = 'f';  ///< one of fFeEgGaA
  int width = 0;
  int precision = -1;  ///< -1: none was given
  bool is_left = false, has_plus = false, has_space = false, is_alternative = false, has_zeros = false;
};

std::string print_float(FloatFormat format, FloatBits value, const FloatSpec& spec);

struct ParsedFloat {
  FloatBits value;
  std::size_t length = 0;        ///< characters that are the number; 0: there is none
  bool is_out_of_range = false;  ///< too large, or too small and not exact
};

/// The longest beginning of `text` that is a number; there is no space before it.
ParsedFloat parse_float(FloatFormat format, std::string_view text, const FloatRules& rules);

}  // namespace heddle::numeric

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program relies on and its instructions do not say: conventions of the machine it was compiled for. They come
// from the target triple; the machine heddle runs on has no say. What a target does that is not listed here has no
// answer (Unknown, none), and a program that asks ends as Unsupported.
//
// Two things are the compiler's choice, and the machine takes the plain one: i386 without SSE may keep a double in a
// register of 80 bits for a while (here every operation is rounded to its type, as the instruction says), and optimised
// code may fuse more.
#pragma once
#include <optional>

#include "numeric/float_format.h"
#include "program/model/program.h"

namespace heddle::interpret {

struct Platform {
  bool is_x86 = false;
  enum class VaList : std::uint8_t { Unknown, I386, X86_64, AArch64 } va_list = VaList::Unknown;
  std::optional<numeric::FloatFormat> long_double;  ///< of the C library: what %Lf reads
  numeric::FloatRules rules;
  /// `a * b + c`, which a compiler may fuse: aarch64 has the instruction always, the least x86 does not have it.
  bool fuses_multiply_add = false;
};

Platform platform_of(const DataLayout& layout);

}  // namespace heddle::interpret

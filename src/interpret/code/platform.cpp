// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/platform.h"

namespace heddle::interpret {

Platform platform_of(const DataLayout& layout) {
  using numeric::FloatFormat;
  using Survivor = numeric::FloatRules::Survivor;
  const std::string_view triple = layout.triple;
  const std::string_view arch = triple.substr(0, triple.find('-'));
  const bool is_foreign = triple.contains("windows") || triple.contains("apple") || triple.contains("android");
  const bool is_x86_64 = arch == "x86_64" && layout.pointer_bits == 64;
  const bool is_i386 = arch.size() == 4 && arch.starts_with('i') && arch.ends_with("86");
  Platform out;
  if (is_x86_64 || is_i386) {
    out.is_x86 = true;
    out.rules = {.default_nan_is_negative = true, .survivor = Survivor::First, .tiny_before_rounding = false};
    if (is_foreign) return out;
    out.long_double = FloatFormat::Extended;
    out.va_list = is_i386 ? Platform::VaList::I386 : Platform::VaList::X86_64;
    return out;
  }
  out.rules = {.default_nan_is_negative = false, .survivor = Survivor::Signalling, .tiny_before_rounding = true};
  if (arch != "aarch64" || layout.pointer_bits != 64) return out;
  out.fuses_multiply_add = out.rules.quad_nan_has_all_bits = true;
  if (is_foreign) return out;
  out.long_double = FloatFormat::Quad;
  out.va_list = Platform::VaList::AArch64;
  return out;
}

}  // namespace heddle::interpret

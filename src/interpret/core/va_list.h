// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments behind `...`. clang expands va_arg into loads that follow the target's convention, so va_start has to leave
// memory as that convention says:
//
//   i386     va_list is an address; all arguments lie behind it one after the other, at multiples of 4.
//   x86_64   {gp_offset, fp_offset, overflow_arg_area, reg_save_area}: six integer and eight vector registers, as far
//            as the named parameters left them, then memory. Which arguments went into registers decides how a struct
//            with an alignment of 16 is found, so registers are counted as the compiler counts them.
//   aarch64  {stack, gr_top, vr_top, gr_offs, vr_offs}. A va_list with both offsets 0 says that no register is left,
//            which is what it says in a function with many named parameters. All arguments then lie on the stack, each
//            as its memory image at a multiple of 8 or 16, and va_arg takes them in order: no defined program can tell.
//
// An argument in memory is what the compiler passes: coerced integers, arrays for homogeneous aggregates, addresses of
// copies for what is large, private copies for `byval`.
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

/// Makes the va_list at `list` begin with the first variadic argument of the thread's innermost call.
void start_va_list(Core& core, const Thread& thread, const Slot& list);
std::uint64_t size_of_va_list(Core& core);

/// Takes arguments as va_arg would, for functions of the library. The list in memory is left as it is: after such a
/// call its value is indeterminate in C.
class VaListReader {
 public:
  VaListReader(Core& core, const Slot& list);
  Address integer(std::uint32_t bytes);
  Address real();
  Address long_double(std::uint32_t bytes, std::uint32_t align);

 private:
  Address in_memory(std::uint32_t bytes, std::uint32_t align);
  Core& core_;
  Address cursor_ = 0, save_area_ = 0;
  std::uint32_t integer_offset_ = 0, vector_offset_ = 0, integer_end_ = 0, vector_end_ = 0;
};

}  // namespace heddle::interpret

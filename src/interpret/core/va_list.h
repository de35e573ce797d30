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
#include <optional>

#include "interpret/core/space.h"

namespace heddle::interpret {

/// The variadic arguments of one call: first where each goes, then the stores.
class VarargsLayout {
 public:
  /// Offsets in the object that holds the save area, if there is one, and the arguments behind it.
  VarargsLayout(const Image& image, const Function& callee, const CallCode& site);
  [[nodiscard]] std::uint64_t size() const { return end_; }
  /// `caller`: the first slot of the calling frame.
  void store(Space& space, const Slot& area, const Slot* caller) const;

 private:
  [[nodiscard]] const Shape& shape_of(const CallArgument& argument) const;
  [[nodiscard]] std::uint64_t size_of(const CallArgument& argument) const;
  std::uint64_t in_memory(std::uint64_t align, std::uint64_t size);

  const Image& image_;
  const CallCode& site_;
  std::size_t first_;
  Shape address_;  ///< of an argument without a type
  std::vector<std::uint64_t> offsets_;
  std::uint64_t end_ = 0;
};

/// A va_list of the target; ends the run if nobody knows its convention.
class VaLists {
 public:
  VaLists(const Image& image, Space& space, Account& account) : image_(image), space_(space), account_(account) {}
  /// Makes the va_list at `list` begin with the first variadic argument of the thread's innermost call.
  void start(const Thread& thread, const Slot& list);
  std::uint64_t size();

  /// Takes arguments as va_arg would, for functions of the library. The list in memory is left as it is: after such a
  /// call its value is indeterminate in C.
  class Reader {
   public:
    Address integer(std::uint32_t bytes);
    Address real();
    Address long_double(std::uint32_t bytes, std::uint32_t align) { return in_memory(bytes, align); }

   private:
    friend class VaLists;
    explicit Reader(std::uint32_t word) : word_(word) {}
    Address in_memory(std::uint32_t bytes, std::uint32_t align);
    std::uint32_t word_;
    Address cursor_ = 0, save_area_ = 0;
    std::uint32_t integer_offset_ = 0, vector_offset_ = 0, integer_end_ = 0, vector_end_ = 0;
  };
  Reader read(const Slot& list);

 private:
  [[noreturn]] void refuse();

  const Image& image_;
  Space& space_;
  Account& account_;
};

}  // namespace heddle::interpret

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run must not be asked for when it is to stand for all runs: where objects lie, which handle a thread has, how
// far strcmp's result is from zero. Such numbers carry their doubt in the Slot (code/decoded.h); copying, storing,
// passing and turning them back into pointers is harmless. Whoever computes with one, or compares it with anything but
// zero, adds a doubt to the run (Account::add_doubt), and no proof rests on that run.
//
//   i = (long)arg          where arg came from an integer: no doubt
//   h = (uintptr_t)p % 64  where p points to an object: "an address is used as a number"
//   p < q                  inside of one object: no doubt; else "addresses of different objects are compared"
//   (uintptr_t)p == n      as pointers, where n is all of an address, or no address can be n
//   memcmp(a, b, n) > 0    no doubt; memcmp(a, b, n) == 1 is one
//   *(int *)&real          a doubt if real arithmetic made it: compilers may fuse a * b + c, or round later
//
// Pointers: two live objects never have the same address, so `p == q` tells nothing but which objects are meant, unless
// one of them is gone (its memory may be used again) or `p` stands at the end of one and `q` at the beginning of the
// other. Bytes of pointers that lie in memory are found by their value when numbers are loaded (Memory::is_address).
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

constexpr const char* what_is_used(std::uint32_t kind) {
  switch (kind) {
    case doubt::address: return "an address is used as a number";
    case doubt::magnitude:
      return "of a comparison's result more than the sign is used, which the library does not tell";
    default: return "the bytes of a real number are used, which rounding decides";
  }
}

/// A number takes part in a computation.
inline void compute_with(Account& account, const Slot& number) {
  if (number.doubt != doubt::none) [[unlikely]]
    account.add_doubt(what_is_used(number.doubt));
}

/// Two numbers of which one has a doubt are operands; the distance of two addresses in one object has none.
void compute_with_both(Core& core, const Code& code, const Slot& a, const Slot& b);

/// Two numbers of so many bits of which one has a doubt, or two pointers, are compared.
void compare_with_doubt(Core& core, Predicate predicate, const Slot& a, const Slot& b, std::uint32_t bits,
                        bool are_pointers);

}  // namespace heddle::interpret

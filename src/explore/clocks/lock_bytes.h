// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of synchronisation objects in one run. In an executor a lock is no memory: a program that writes over one
// that it has used, or reads it, goes on otherwise than a real run, so what it meets later counts for nothing.
//
//   sem_init(&s, 0, 2); *(unsigned *)&s = 1;     two threads that wait for s are not inside at once
#pragma once
#include <map>
#include <span>
#include <vector>

#include "explore/executor/deed.h"

namespace heddle::explore {

class LockBytes {
 public:
  void follow(std::span<const Deed> deeds);
  /// There is an object of that size; 0: it did not say.
  void add(std::uint64_t address, std::uint64_t size);
  /// Whether it touches bytes of an object.
  [[nodiscard]] bool is_inside(const Deed& deed) const;
  /// By others than these two accesses, which may be the race itself.
  [[nodiscard]] bool were_used_besides(const Deed& first, const Deed& second) const;
  [[nodiscard]] bool were_used() const { return !uses_.empty(); }

 private:
  std::map<std::uint64_t, std::uint64_t> sizes_;  ///< of the objects used so far
  std::uint64_t largest_ = 0;
  std::vector<Deed> uses_;
};

}  // namespace heddle::explore

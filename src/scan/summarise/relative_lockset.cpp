// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/relative_lockset.h"

#include <algorithm>

namespace heddle::scan {
namespace {

auto place_of(auto& locks, Lvalue lock) { return std::ranges::lower_bound(locks, lock, {}, &HeldLock::lock); }

}  // namespace

const HeldLock* RelativeLockset::find(Lvalue lock) const {
  const auto at = place_of(acquired, lock);
  return at != acquired.end() && at->lock == lock ? &*at : nullptr;
}

void RelativeLockset::acquire(Lvalue lock, bool is_shared) {
  constexpr std::uint8_t many = 250;
  const auto at = place_of(acquired, lock);
  if (at == acquired.end() || at->lock != lock) {
    acquired.insert(at, {lock, is_shared, 1});
  } else {
    if (at->count < many) ++at->count;
    at->is_shared = at->is_shared && is_shared;
  }
}

void RelativeLockset::release(Lvalue lock) {
  const auto at = place_of(acquired, lock);
  if (at != acquired.end() && at->lock == lock) {
    if (--at->count == 0) acquired.erase(at);
    return;
  }
  if (const auto to = std::ranges::lower_bound(released, lock); to == released.end() || *to != lock)
    released.insert(to, lock);
}

RelativeLockset join(const RelativeLockset& a, const RelativeLockset& b) {
  RelativeLockset out;
  for (const HeldLock& held : a.acquired)
    if (const HeldLock* other = b.find(held.lock))
      out.acquired.push_back({held.lock, held.is_shared || other->is_shared, std::min(held.count, other->count)});
  // Given back and taken again on one way, left alone on the other: as it was.
  const auto is_as_before = [](const RelativeLockset& x, const RelativeLockset& y, Lvalue lock) {
    return x.find(lock) != nullptr && y.find(lock) == nullptr && !std::ranges::binary_search(y.released, lock);
  };
  std::ranges::set_union(a.released, b.released, std::back_inserter(out.released));
  std::erase_if(out.released, [&](Lvalue lock) { return is_as_before(a, b, lock) || is_as_before(b, a, lock); });
  return out;
}

RelativeLockset lock_update(const RelativeLockset& before, const RelativeLockset& then) {
  RelativeLockset out = before;
  for (const Lvalue lock : then.released) out.release(lock);
  for (const HeldLock& held : then.acquired)
    for (std::uint8_t i = 0; i < held.count; ++i) out.acquire(held.lock, held.is_shared);
  return out;
}

}  // namespace heddle::scan

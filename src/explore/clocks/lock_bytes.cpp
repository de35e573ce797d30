// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/clocks/lock_bytes.h"

#include <algorithm>

namespace heddle::explore {
namespace {

constexpr std::uint64_t least = 4;  // of an object that says nothing: the smallest, a spin lock

bool is_operation(DeedKind kind) {
  switch (kind) {
    case DeedKind::Acquire:
    case DeedKind::Release:
    case DeedKind::AcquireShared:
    case DeedKind::ReleaseShared:
    case DeedKind::SyncReset: return true;
    default: return false;
  }
}

bool is_same(const Deed& a, const Deed& b) {
  return a.thread == b.thread && a.key == b.key && a.kind == b.kind && a.address == b.address;
}

}  // namespace

void LockBytes::follow(std::span<const Deed> deeds) {
  for (const Deed& deed : deeds) {
    if (is_operation(deed.kind)) {
      add(deed.address, deed.size);
    } else if (deed.kind == DeedKind::Free) {
      sizes_.erase(sizes_.lower_bound(deed.address), sizes_.lower_bound(deed.address + deed.size));
    } else if ((deed.kind == DeedKind::Read || deed.kind == DeedKind::Write) && is_inside(deed)) {
      uses_.push_back(deed);
    }
  }
}

void LockBytes::add(std::uint64_t address, std::uint64_t size) {
  std::uint64_t& known = sizes_[address];
  known = std::max({known, least, size});
  largest_ = std::max(largest_, known);
}

bool LockBytes::is_inside(const Deed& deed) const {
  auto object = sizes_.lower_bound(deed.address > largest_ ? deed.address - largest_ : 0);
  for (; object != sizes_.end() && object->first < deed.address + deed.size; ++object)
    if (deed.address < object->first + object->second) return true;
  return false;
}

bool LockBytes::were_used_besides(const Deed& first, const Deed& second) const {
  return std::ranges::any_of(uses_, [&](const Deed& deed) { return !is_same(deed, first) && !is_same(deed, second); });
}

}  // namespace heddle::explore

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/states/touched_bytes.h"

#include <algorithm>

namespace heddle::explore {
namespace {

std::uint64_t end_of(const Bytes& bytes) { return bytes.address + bytes.size; }

}  // namespace

void TouchedBytes::insert(Ranges& ranges, const Bytes& bytes) {
  if (bytes.size == 0) return;
  const auto first = std::ranges::lower_bound(ranges, bytes.address, {}, end_of);  // the first that reaches up to it
  auto last = first;
  Bytes merged = bytes;
  for (; last != ranges.end() && last->address <= end_of(bytes); ++last) {
    const std::uint64_t end = std::max(end_of(merged), end_of(*last));
    merged.address = std::min(merged.address, last->address);
    merged.size = end - merged.address;
  }
  if (first == last) {
    ranges.insert(first, merged);
    return;
  }
  *first = merged;
  ranges.erase(first + 1, last);
}

bool TouchedBytes::meet(const Ranges& a, const Ranges& b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (overlap(*x, *y)) return true;
    if (end_of(*x) < end_of(*y))
      ++x;
    else
      ++y;
  }
  return false;
}

void TouchedBytes::add(const TouchedBytes& other) {
  for (const Bytes& bytes : other.reads_) insert(reads_, bytes);
  for (const Bytes& bytes : other.writes_) insert(writes_, bytes);
}

void TouchedBytes::add_to(Hasher& hasher) const {
  for (const Ranges* ranges : {&reads_, &writes_}) {
    hasher.add(ranges->size());
    for (const Bytes& bytes : *ranges) hasher.add(bytes.address).add(bytes.size);
  }
}

bool TouchedBytes::conflicts_with(const TouchedBytes& other) const {
  return meet(writes_, other.writes_) || meet(writes_, other.reads_) || meet(reads_, other.writes_);
}

bool TouchedBytes::meets(const TouchedBytes& other) const {
  return conflicts_with(other) || meet(reads_, other.reads_);
}

}  // namespace heddle::explore

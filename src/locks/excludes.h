// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// excludes: can two threads hold these two locks at the same time? They cannot if the two are surely one lock, and one
// of the threads holds it exclusively.
//
//   {m}            {m}             excluded by m
//   {m (shared)}   {m (shared)}    two readers: not excluded
//   {m (shared)}   {m}             excluded by m
//
// Sound if the locks are surely held (a lower bound) and the relation answers "surely one lock". What a driver keeps
// for a held lock is its own business: it only has to say the mode (`mode_of`) and the relation.
#pragma once
#include <functional>
#include <ranges>

#include "locks/hold.h"

namespace heddle::locks {

constexpr bool excludes(Mode a, Mode b) { return a == Mode::Exclusive || b == Mode::Exclusive; }

/// Something a driver keeps for a lock that is held: it can say in which mode.
template <class T>
concept Held = requires(const T& held) {
  { mode_of(held) } -> std::same_as<Mode>;
};

template <Held A, class Same>
constexpr bool excludes(const A& a, const A& b, const Same& must_be_one_lock) {
  return excludes(mode_of(a), mode_of(b)) && must_be_one_lock(a, b);
}

/// A lock of `first` that excludes one of `second`, with it; nullptr twice if there is none. Every pair is asked.
template <std::ranges::random_access_range Locks, class Same>
constexpr auto find_exclusion(const Locks& first, const Locks& second, const Same& must_be_one_lock) {
  using Lock = std::ranges::range_value_t<Locks>;
  for (const Lock& a : first)
    for (const Lock& b : second)
      if (excludes(a, b, must_be_one_lock)) return std::pair<const Lock*, const Lock*>(&a, &b);
  return std::pair<const Lock*, const Lock*>(nullptr, nullptr);
}

/// The same for lists sorted by a name whose equality is "one lock", exclusive before shared: one walk over both.
template <std::ranges::random_access_range Locks, class Name>
constexpr bool excludes_by_name(const Locks& first, const Locks& second, Name name) {
  auto a = std::ranges::begin(first);
  auto b = std::ranges::begin(second);
  while (a != std::ranges::end(first) && b != std::ranges::end(second)) {
    const auto& x = std::invoke(name, *a);
    const auto& y = std::invoke(name, *b);
    if (x == y && excludes(mode_of(*a), mode_of(*b))) return true;
    if (!(y < x)) ++a;
    if (!(x < y)) ++b;
  }
  return false;
}

}  // namespace heddle::locks

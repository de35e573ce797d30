// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The acquisition history of a state (CAV07 §4, Definition 6; locks/acquisition_history.h has the algebra and says what
// it means): for each lock held, the locks that were acquired since it was taken.
//
//   lock(a); lock(b); unlock(b)        locks {a}, history {a: {b}}
//
// What histories are asked is whether a lock was in the thread's hands at some moment since another was taken. So a
// call that is refused because the caller holds the lock counts like one that takes it. Kept as a map of maps, Form ->
// Form -> Mode, of which no inner one is empty. It is a lower bound: only acquisitions that surely took place are in
// it, under names that still mean the locks they were. A lock that is no longer held for sure has no row, so every way
// to lose one goes through drop_lock.
#pragma once
#include "topdown/domain/state.h"

namespace heddle::topdown {

/// `lock` is acquired now: it goes to the history of every other lock that is held. Of very many nothing is noted.
void note_acquired(Universe& u, State& s, FormId lock, locks::Mode mode);

/// Its hold was given up for a moment: it is held, and nothing is said of before.
void begin_history_anew(Universe& u, State& s, FormId lock);

/// No longer held, or not for sure.
void drop_lock(Universe& u, State& s, FormId lock);

/// `visit(form)` for every lock that was acquired since another was taken, once for each of these.
template <class F>
void for_each_acquired(const Universe& u, MapId history, const F& visit) {
  u.maps.for_each(history, [&](std::uint32_t, std::uint32_t since) {
    u.maps.for_each(since, [&](std::uint32_t form, std::uint32_t) { visit(FormId(form)); });
  });
}

/// A history without empty rows, in which `now(form)` replaces every form; one that is none has lost its meaning.
template <class F>
MapId with_names(Universe& u, MapId history, const F& now) {
  MapId out = 0;
  u.maps.for_each(history, [&](std::uint32_t held, std::uint32_t since) {
    const FormId lock = now(FormId(held));
    if (!lock) return;
    MapId taken = 0;
    u.maps.for_each(since, [&](std::uint32_t form, std::uint32_t mode) {
      if (const FormId name = now(FormId(form))) taken = u.maps.set(taken, name.index(), mode);
    });
    if (taken != 0) out = u.maps.set(out, lock.index(), taken);
  });
  return out;
}

}  // namespace heddle::topdown

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

namespace {

/// Histories of more locks than these would be their square, at every access.
constexpr std::size_t most_held = 12;

}  // namespace

void note_acquired(Universe& u, State& s, FormId lock, locks::Mode mode) {
  if (u.maps.size(s.locks) > most_held) return;
  MapId history = s.history;
  u.maps.for_each(s.locks, [&](std::uint32_t held, std::uint32_t) {
    if (FormId(held) == lock) return;
    const MapId since = u.maps.find(s.history, held).value_or(0);
    const auto before = u.maps.find(since, lock.index());
    const locks::Mode now = before ? stronger(mode, static_cast<locks::Mode>(*before)) : mode;
    history = u.maps.set(history, held, u.maps.set(since, lock.index(), static_cast<std::uint32_t>(now)));
  });
  s.history = history;
}

void begin_history_anew(Universe& u, State& s, FormId lock) { s.history = u.maps.erase(s.history, lock.index()); }

void drop_lock(Universe& u, State& s, FormId lock) {
  s.locks = u.maps.erase(s.locks, lock.index());
  begin_history_anew(u, s, lock);
}

}  // namespace heddle::topdown

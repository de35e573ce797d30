// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/frame_ends.h"

#include <algorithm>
#include <set>

namespace heddle::topdown {

/// Only what others know: the object of this call settled, so the newest one is not the thread's own.
void FrameEnds::end_object(const Site& site, ObjectId fresh, State& s, bool has_many) const {
  const ObjectId settled = u.objects[fresh].settled;
  if (!settled) return;
  const bool is_unlisted = !u.lists_allocations && u.objects[settled].many;
  if (!is_unlisted && !u.maps.contains(s.allocated, settled.index())) return;
  if (!has_many && u.maps.contains(s.allocated, fresh.index())) return;
  recorder_.access(site, s, u.address_of(settled), 0, AccessKind::Free, false);
}

void FrameEnds::end_objects_of(const Site& site, ContextId context, State& s, bool has_many) const {
  const Function& f = u.program.functions[u.threads.contexts[context].function];
  const ThreadId thread = values_.thread_of(site);
  const auto end = [&](std::uint32_t name) {
    end_object(site, u.object(ObjectKind::Stack, name, context, thread, true), s, has_many);
  };
  for (const ByValue& copy : f.byval) end(copied_parameter | copy.index);
  for (std::uint32_t i = 0; i < f.instructions.size(); ++i)
    if (f.instructions[i].opcode == Opcode::Alloca) end(i);
}

void FrameEnds::end_thread_locals(const Site& site, State& s) const {
  const flow::MapId all = s.allocated;
  u.maps.for_each(all, [&](std::uint32_t id, std::uint32_t) {
    const Object& o = u.objects[ObjectId(id)];
    if (o.kind == ObjectKind::ThreadLocal && !o.fresh && o.thread == s.thread)
      recorder_.access(site, s, u.address_of(ObjectId(id)), 0, AccessKind::Free, false);
  });
}

void FrameEnds::end_frame(const Site& site, State& s) const {
  if (!s.parallel) return;
  const bool is_entry = !u.threads.contexts[site.context].caller;
  if (is_entry && phase_.is_main(s.thread)) return;
  end_objects_of(site, site.context, s, false);
  if (is_entry) end_thread_locals(site, s);
}

void FrameEnds::end_all_frames(const Site& site, State& s) const {
  if (!s.parallel) return;
  const std::set<ContextId> active = u.threads.active(site.context);
  // In a state that covers several calls the newest object may be known to others in one of them.
  const bool has_many = std::ranges::any_of(active, [&](ContextId at) { return u.threads.contexts[at].covers_many; });
  for (auto at = active.rbegin(); at != active.rend(); ++at)
    if (u.threads.contexts[*at].caller || !phase_.is_main(s.thread)) end_objects_of(site, *at, s, has_many);
  if (!phase_.is_main(s.thread)) end_thread_locals(site, s);
}

}  // namespace heddle::topdown

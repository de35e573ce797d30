// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/frame_ends.h"

namespace heddle::topdown {

/// Only what others know: the object of this call settled, so the newest one is not the thread's own.
void FrameEnds::end_object(const Site& site, ObjectId fresh, State& s) const {
  const ObjectId settled = u.objects[fresh].settled;
  if (!settled || u.maps.contains(s.allocated, fresh.index()) || !u.maps.contains(s.allocated, settled.index())) return;
  recorder_.access(site, s, u.address_of(settled), 0, AccessKind::Free, false);
}

void FrameEnds::end_objects_of(const Site& site, ContextId context, State& s) const {
  const Function& f = u.program.functions[u.threads.contexts[context].function];
  const ThreadId thread = values_.thread_of(site);
  const auto end = [&](std::uint32_t name) {
    end_object(site, u.object(ObjectKind::Stack, name, context, thread, true), s);
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
  end_objects_of(site, site.context, s);
  if (is_entry) end_thread_locals(site, s);
}

void FrameEnds::end_all_frames(const Site& site, State& s) const {
  if (!s.parallel) return;
  for (ContextId at = site.context; at; at = u.threads.contexts[at].caller)
    if (u.threads.contexts[at].caller || !phase_.is_main(s.thread)) end_objects_of(site, at, s);
  if (!phase_.is_main(s.thread)) end_thread_locals(site, s);
}

}  // namespace heddle::topdown

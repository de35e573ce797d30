// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/once_actions.h"

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

using api::Effect;

/// Runs the function at most once in the program; callers wait for it. So its body excludes every other body and
/// everything that comes behind a call of once for the same object: the body holds it exclusively, what follows shared
/// and for good.
void OnceActions::call_once(const Site& site, const api::RunOnce& e, State s, States& out) {
  const FormId lock = held_.canonical(s, call_.argument(site, s, e.object));
  if (const auto name = held_.lock_name(lock)) kinds_.once.try_emplace(*name, false);
  const InfoId entry = d.info_of(s, call_.argument(site, s, e.entry), u.pointer_bits());
  std::vector<FormId> given;
  if (e.argument != Effect::none) given.push_back(call_.argument(site, s, e.argument));
  auto done = [&](State after, bool was_held) {
    // The body may have let others know the object: then it has another name, or none that is known.
    const FormId now = held_.canonical(after, call_.argument(site, after, e.object));
    if (was_held && !held_.holds(after, now)) after.locks = 0;
    drop_lock(u, after, now);
    held_.hold(after, now, true);
    call_.return_status(site, after, e.success, true);
    out.push_back(after);
  };
  done(s, false);
  if (u.infos[entry].any_address || !u.infos[entry].addresses)
    return recorder_.obstacle(site, "a once-function that is not known");
  const std::vector<Target> targets = u.points_to[u.infos[entry].addresses].targets;
  for (const Target& t : targets) {
    if (u.objects[t.object].kind != ObjectKind::Function) continue;
    State inside = s;
    held_.hold(inside, lock, false);
    for (const State& after : call_back_(site, inside, FunctionId(u.objects[t.object].a), given))
      done(after, held_.holds(inside, lock));
  }
}

/// Call: the library calls the body. The other steps: it stands in the caller, as for the local statics of C++.
void OnceActions::run_once(const Site& site, const api::RunOnce& once, State s, States& out) {
  if (once.step == api::RunOnce::Step::Call) return call_once(site, once, s, out);
  const FormId lock = held_.canonical(s, call_.argument(site, s, once.object));
  if (const auto name = held_.lock_name(lock)) kinds_.once.try_emplace(*name, false);
  drop_lock(u, s, lock);
  switch (once.step) {
    case api::RunOnce::Step::Call:
    case api::RunOnce::Step::Abort: break;
    case api::RunOnce::Step::End: held_.hold(s, lock, true); break;
    case api::RunOnce::Step::Begin: {
      State runs = s;
      held_.hold(runs, lock, false);
      call_.return_status(site, runs, once.success, true);
      out.push_back(runs);
      held_.hold(s, lock, true);
      call_.return_status(site, s, once.success, false);
      break;
    }
  }
  out.push_back(s);
}

}  // namespace heddle::topdown

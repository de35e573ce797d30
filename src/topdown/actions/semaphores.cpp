// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/semaphores.h"

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

namespace {
constexpr std::uint32_t count_bytes = 4;  ///< of a semaphore, at its beginning
}  // namespace

/// A semaphore that is not used as a lock is none.
void Semaphores::misuse_semaphore(const Site& site, const State& s, FormId semaphore) {
  const Places places = memory_.places(s, semaphore, 1);
  if (places.anywhere) recorder_.obstacle(site, "a semaphore that is not known");
  for (const Target& t : places.targets) {
    if (t.stride == 0)
      kinds_.semaphores[{t.object, t.low}].misused = true;
    else
      kinds_.misused_somewhere.insert(t.object);
  }
}

void Semaphores::begin_semaphore(const Site& site, const api::SetUpObject& begin, State s, States& out) {
  const FormId lock = held_.canonical(s, call_.argument(site, s, begin.object));
  const auto name = held_.lock_name(lock);
  call_.return_status(site, s, api::Success::Zero, true);
  const FormId count = call_.argument(site, s, begin.value);
  const Interval value = d.interval_of(s, count, 32);
  memory_.store(s, call_.argument(site, s, begin.object), count, count_bytes, 32);
  if (name && value == Interval::constant(1) && !s.parallel && !held_.holds(s, lock))
    kinds_.semaphores[*name].initialised_to_one = true;
  else
    misuse_semaphore(site, s, lock);
  out.push_back(s);
}

void Semaphores::semaphore(const Site& site, const api::UseSemaphore& use, State s, States& out) {
  const FormId lock = held_.canonical(s, call_.argument(site, s, use.object));
  const auto name = held_.lock_name(lock);
  switch (use.step) {
    case api::UseSemaphore::Step::Wait: {
      if (name) kinds_.semaphores[*name];
      // A number before the first thread starts; then all that anybody wrote there.
      if (u.infos[memory_.stored_at(s, lock, count_bytes)] != u.infos[u.number(Interval::constant(1))])
        misuse_semaphore(site, s, lock);
      State failed = s;
      const bool may_fail = !use.outcome.blocking || !recorder_.grants(use.outcome.granted);
      call_.return_status(site, s, use.outcome.success, true);
      if (name) held_.hold(s, lock, false);
      out.push_back(s);
      if (may_fail) {
        call_.return_status(site, failed, use.outcome.success, false);
        out.push_back(failed);
      }
      return;
    }
    case api::UseSemaphore::Step::Post:
      call_.return_range(site, s, {-1, 0});  // it fails where the count would overflow
      if (!name || !held_.holds(s, lock)) misuse_semaphore(site, s, lock);
      drop_lock(u, s, lock);
      out.push_back(s);
      return;
  }
}

}  // namespace heddle::topdown

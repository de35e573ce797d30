// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/thread_values.h"

namespace heddle::topdown {

using api::Effect;

bool ThreadValues::may_run_out(const Site& site) {
  return u.objects[u.object(ObjectKind::Key, site.instruction, site.context, values_.thread_of(site), false)].many;
}

void ThreadValues::create_key(const Site& site, const api::UseThreadValue& use, State& s) {
  const ObjectId key = u.object(ObjectKind::Key, site.instruction, site.context, values_.thread_of(site), false);
  if (u.maps.contains(s.allocated, key.index()) && !u.objects[key].many) changed_ = u.objects[key].many = true;
  s.allocated = u.maps.set(s.allocated, key.index(), 1);
  const FormId where = call_.argument(site, s, use.key);
  if (use.destructor != Effect::none) {
    const InfoId destructor = d.info_of(s, call_.argument(site, s, use.destructor), u.pointer_bits());
    const Info& info = u.infos[destructor];
    bool known = info.is_number() && info.number == Interval::constant(0);
    if (!known)
      for (const FunctionId f : call_.functions_in(destructor, known))
        changed_ = destructors_.insert(f).second || changed_;
    if (!known) recorder_.obstacle(site, "a destructor of thread-specific data that is not known");
  }
  if (recorder_.access(site, s, where, 4, AccessKind::Write, false))
    memory_.store(s, where, u.address_of(key), 4, u.pointer_bits());
  values_.assign(site, s, u.constant(0));
}

/// It may come back when the thread ends, from where no state remembers.
void ThreadValues::keep(State& s, FormId value) {
  if (destructors_.empty()) return;
  InfoId info = d.info_of(s, value, u.pointer_bits());
  memory_.publish(s, info);
  info = memory_.settled(info);
  const InfoId all = kept_ ? u.join(kept_, info) : info;
  changed_ = changed_ || all != kept_;
  kept_ = all;
}

void ThreadValues::thread_specific(const Site& site, const api::UseThreadValue& use, State& s) {
  if (use.step == api::UseThreadValue::Step::Create) return create_key(site, use, s);
  const Info key = u.infos[d.info_of(s, call_.argument(site, s, use.key), 32)];
  if (!key.addresses || u.points_to[key.addresses].targets.size() != 1 || key.any_address ||
      !u.is_singleton(u.points_to[key.addresses].targets[0].object)) {
    recorder_.obstacle(site, "a thread-specific value under a key that is not known");
    return;
  }
  const ObjectId key_object = u.points_to[key.addresses].targets[0].object;
  const ObjectId mine = u.object(ObjectKind::TlsValue, key_object.index(), {}, values_.thread_of(site), true);
  u.objects[mine].settled = u.object(ObjectKind::TlsValue, key_object.index(), {}, values_.thread_of(site), false);
  u.objects[mine].zeroed = true;
  const std::uint32_t word = u.pointer_bits() / 8;
  if (use.step == api::UseThreadValue::Step::Get) {
    values_.assign(site, s, memory_.load(s, u.address_of(mine), word, u.pointer_bits(), values_.result_symbol(site)));
  } else {
    keep(s, call_.argument(site, s, use.value));
    memory_.store(s, u.address_of(mine), call_.argument(site, s, use.value), word, u.pointer_bits());
    values_.assign(site, s, u.constant(0));
  }
}

}  // namespace heddle::topdown

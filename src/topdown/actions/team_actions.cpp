// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/team_actions.h"

#include <algorithm>

namespace heddle::topdown {

namespace {

OwnPart part_of(std::string_view name) {
  if (name == "low") return OwnPart::Low;
  return name == "high" ? OwnPart::High : OwnPart::One;
}

}  // namespace

/// The one object that the argument points into; none if it may be another.
ObjectId TeamActions::team_at(const Site& site, const State& s, int argument) const {
  const Places where = memory_.places(s, call_.argument(site, s, argument), 1);
  return !where.anywhere && where.targets.size() == 1 ? where.targets[0].object : ObjectId();
}

/// Named by the way from the team's region to here; 0 if the thread only works for one of the team.
LabelId TeamActions::label_of(const Site& site, ObjectId team, TeamPlace place, TeamLabel::Of of) const {
  const threads::ThreadTable& table = u.threads;
  std::vector<std::uint32_t> path{site.instruction};
  ContextId at = site.context;
  if (place.depth == TeamPlace::inherited || table.contexts[at].shared) return 0;  // shared: by one way of several
  for (; table.contexts[at].depth > place.depth + 1; at = table.contexts[at].caller)
    path.push_back(table.contexts[at].call);
  if (table.contexts[at].depth != place.depth + 1) return 0;
  path.push_back(table.contexts[at].function.index());
  return u.team_labels.of({team, of, std::move(path)});
}

void TeamActions::wait(const Site& site, const api::WaitAtBarrier& wait, State& s) const {
  if (wait.step == Step::Wait && s.teams == 0) return;
  const ObjectId team = team_at(site, s, wait.object);
  if (!team) {
    if (wait.step == Step::Leave) s.teams = 0;
    return wait_somewhere(s);
  }
  if (wait.step == Step::Join) {
    const TeamPlace start{u.threads.contexts[site.context].depth, u.team_labels.of({team, TeamLabel::Of::Start, {}})};
    s.teams = u.maps.set(s.teams, team.index(), start.number());
    return;
  }
  const auto known = u.maps.find(s.teams, team.index());
  if (!known) return;
  const TeamPlace place = TeamPlace::from(*known);
  switch (wait.step) {
    case Step::Wait: return wait_at(site, team, place, s);
    case Step::Loop: return begin_loop(site, team, place, s);
    case Step::Leave:
      forget_shares(s, team, true);
      s.teams = u.maps.erase(s.teams, team.index());
      return;
    case Step::Join: return;
  }
}

/// At a barrier that is not known: it may be that of any team.
void TeamActions::wait_somewhere(State& s) const {
  s.teams = u.maps.transform(s.teams, [](std::uint32_t, std::uint32_t place) {
    return std::optional(TeamPlace{TeamPlace::from(place).depth, 0}.number());
  });
  std::vector<LabelId> all;
  u.maps.for_each(s.dealt, [&](std::uint32_t label, std::uint32_t) { all.push_back(label); });
  for (const LabelId label : all) forget_share(s, label);
  s.loop = 0;
}

void TeamActions::wait_at(const Site& site, ObjectId team, TeamPlace place, State& s) const {
  const LabelId phase = label_of(site, team, place, TeamLabel::Of::Barrier);
  s.teams = u.maps.set(s.teams, team.index(), TeamPlace{place.depth, phase}.number());
  forget_shares(s, team, false);
}

void TeamActions::begin_loop(const Site& site, ObjectId team, TeamPlace place, State& s) const {
  s.loop = 0;
  const LabelId label = label_of(site, team, place, TeamLabel::Of::Loop);
  if (label == 0) return;
  forget_share(s, label);
  if (!u.maps.contains(s.dealt, label)) s.loop = label;
  s.dealt = u.maps.set(s.dealt, label, 1);
}

void TeamActions::forget_shares(State& s, ObjectId team, bool fixed_ones) const {
  std::vector<LabelId> gone;
  u.maps.for_each(s.dealt, [&](std::uint32_t label, std::uint32_t) {
    const TeamLabel& of = u.team_labels[label];
    if (of.team == team && (fixed_ones || !of.is_fixed())) gone.push_back(label);
  });
  for (const LabelId label : gone) {
    forget_share(s, label);
    s.dealt = u.maps.erase(s.dealt, label);
    if (s.loop == label) s.loop = 0;
  }
}

/// Who holds such numbers keeps what is known of them, not whose they are.
void TeamActions::forget_share(State& s, LabelId label) const {
  for (const OwnPart part : {OwnPart::Low, OwnPart::High, OwnPart::One})
    for (const unsigned bits : {32U, 64U}) d.kill(s, own_symbol(label, part, bits));
}

SymbolId TeamActions::own_symbol(LabelId label, OwnPart part, unsigned bits) const {
  return u.symbol({.kind = SymbolKind::Own,
                   .detail = static_cast<std::uint8_t>(part),
                   .bits = static_cast<std::uint8_t>(bits),
                   .a = label,
                   .depends = {}});
}

LabelId TeamActions::share_label(const State& s, const api::ReturnValue& value, ObjectId team) const {
  if (value.name == "one") return u.team_labels.of({team, TeamLabel::Of::Number, {}});
  return s.loop != 0 && u.team_labels[s.loop].team == team ? s.loop : 0;
}

void TeamActions::return_own(const Site& site, const api::ReturnValue& value, State& s) const {
  const FormId given = call_.argument(site, s, value.object);
  const unsigned bits = values_.operand_bits(site, site.operands()[static_cast<std::size_t>(value.object) + 1]);
  const ObjectId team = team_at(site, s, value.team);
  const auto known = team ? u.maps.find(s.teams, team.index()) : std::nullopt;
  const bool is_member = known && TeamPlace::from(*known).depth != TeamPlace::inherited;
  const LabelId label = is_member ? share_label(s, value, team) : 0;
  if (label == 0) return values_.assign(site, s, given);
  const OwnPart part = part_of(value.name);
  const SymbolId symbol = own_symbol(label, part, bits);
  s.dealt = u.maps.set(s.dealt, label, 1);
  set_bounds(site, value, symbol, part, bits, s);
  values_.assign(site, s, u.of_symbol(symbol));
}

/// The ends of a share lie between those of the whole. An empty share has its ends the wrong way round: one further
/// out.
void TeamActions::set_bounds(const Site& site, const api::ReturnValue& value, SymbolId symbol, OwnPart part,
                             unsigned bits, State& s) const {
  const bool has_bounds = value.lowest != api::Effect::none && value.highest != api::Effect::none;
  if (!has_bounds) {
    d.kill(s, symbol);
    return d.set_info(s, symbol, d.info_of(s, call_.argument(site, s, value.object), bits));
  }
  const FormId low = call_.argument(site, s, value.lowest), high = call_.argument(site, s, value.highest);
  const Interval from = d.interval_of(s, low, bits), to = d.interval_of(s, high, bits);
  const Interval all = Interval::of_width(bits);
  Interval number = all;
  if (part == OwnPart::Low && to.high < all.high) number = {from.low, std::max(from.high, to.high + 1)};
  if (part == OwnPart::High && from.low > all.low) number = {std::min(from.low - 1, to.low), to.high};
  if (part == OwnPart::One) number = {from.low, to.high};
  d.kill(s, symbol);
  d.set_info(s, symbol, u.number(number));
  if (part != OwnPart::High && !u.forms[low].opaque && !u.forms[low].terms.empty() && d.is_exact(s, low, bits))
    s.lower = u.maps.set(s.lower, symbol.index(), low.index());
  if (part != OwnPart::Low && !u.forms[high].opaque && !u.forms[high].terms.empty() && d.is_exact(s, high, bits))
    s.upper = u.maps.set(s.upper, symbol.index(), high.index());
}

}  // namespace heddle::topdown

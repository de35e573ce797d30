// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/cases/evidence.h"

#include <algorithm>
#include <ranges>

#include "base/contains.h"
#include "race/build_report.h"
#include "race/user_code.h"
#include "report/short_names.h"

namespace heddle::scan {
namespace {

using race::Access;
using race::CallStep;

Access access_of(const std::vector<FunctionSummary>& summaries, const Candidate& c, std::size_t number) {
  const OwnAccess& own = summaries[c.function.index()].own[c.own];
  return {c.function, own.instruction, own.kind, own.is_atomic, static_cast<std::uint32_t>(number)};
}

template <class Place>
bool is_same(const Place& a, const Place& b) {
  return std::tie(a.file, a.line, a.column, a.function) == std::tie(b.file, b.line, b.column, b.function);
}

}  // namespace

race::Docket make_docket(const ScanFacts& facts, const Suspicions& suspicions) {
  race::Docket docket;
  for (std::uint32_t i = 0; i < suspicions.all.size(); ++i) {
    const Suspicion& s = suspicions.all[i];
    race::CaseFile one{
        {access_of(facts.summaries, s.first, 2UL * i), access_of(facts.summaries, s.second, 2UL * i + 1), i}};
    for (const RankReason& reason : s.rank_reasons) one.ranking.push_back({reason.points, to_sentence(reason)});
    for (const Doubt doubt : s.doubts)
      if (is_strong(doubt)) one.add("scan", race::Unlikely{reason_of(doubt), points_of(doubt)});
    docket.cases.push_back(std::move(one));
  }
  docket.not_listed = suspicions.dropped;
  if (suspicions.dropped > 0)
    docket.obstacles.push_back(
        {race::Obstacle::Kind::Analysis,
         {},
         std::to_string(suspicions.dropped) + " more suspected races rank lower and are not listed"});
  docket.coverage = race::coverage_of(facts.input.program);
  ReportCoverage& coverage = docket.coverage;
  coverage.functions_reached = facts.reach.functions_reached();
  coverage.threads = facts.reach.roots.size() + (facts.reach.has_main ? 1 : 0);
  return docket;
}

ScanEvidence::ScanEvidence(const ScanFacts& facts, const Suspicions& suspicions)
    : facts_(facts),
      program_(facts.input.program),
      summaries_(facts.summaries),
      reach_(facts.reach),
      names_(facts.names),
      suspicions_(suspicions),
      text_(program_),
      lock_places_(facts.input, facts.summaries),
      orders_(facts, suspicions),
      turns_(facts.summaries, facts.reach, facts.preemption) {
  for (const Root& root : reach_.roots) roots_[root.entry] = &root;
  for (std::uint32_t i = 0; i < names_.paths().size(); ++i) path_nodes_.push_back(names_.paths()[NodeId(i)]);
}

const Candidate& ScanEvidence::candidate(const Access& access) const {
  const std::size_t known = 2 * suspicions_.all.size();
  if (access.number >= known) return considered_[access.number - known];
  const Suspicion& s = suspicions_.all[access.number / 2];
  return access.number % 2 == 0 ? s.first : s.second;
}

const std::vector<std::uint32_t>& ScanEvidence::roots_of(const Candidate& c) const {
  return reach_.root_sets[reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)].roots];
}

const ScanEvidence::Way& ScanEvidence::way(const Access& access) {
  const Candidate& c = candidate(access);
  if (last_way_.access == c && !last_way_.stack.empty()) return last_way_;
  last_way_ = {c, stack_of(c), {}};
  last_way_.threads = threads_of(c, last_way_.stack);
  return last_way_;
}

/// The root that the way up ends at speaks for the others.
std::string ScanEvidence::thread_name(const Access& access) {
  const Candidate& c = candidate(access);
  if (!is_thread(c.phase)) return "main";
  const auto& roots = roots_of(c);
  const std::string name = race::thread_text(way(access).threads.front(), roots.empty() ? 0 : roots.size() - 1);
  return roots.empty() ? name + ", and very many other threads" : name;
}

std::vector<ReportThread> ScanEvidence::threads(const Access& access) { return way(access).threads; }

std::vector<ReportThread> ScanEvidence::threads_of(const Candidate& c, std::span<const CallStep> stack) {
  constexpr std::size_t most = 8;
  if (!is_thread(c.phase)) return {{"main"}};
  const std::vector<CallStep> way = way_up(c);
  std::vector<ReportThread> out{thread_of(*roots_.at(way.back().function))};
  const bool is_end =
      std::ranges::any_of(way, [&](const CallStep& step) { return reach_.ends_states[step.function.index()]; });
  if (std::string name = race::thread_name_of(program_, stack); !name.empty() && !is_end) out.front().name = name;
  for (const std::uint32_t id : roots_of(c)) {
    if (reach_.roots[id].entry == way.back().function) continue;
    ReportThread thread = thread_of(reach_.roots[id]);
    // Two programs of one project may have the same thread.
    const bool is_known = std::ranges::any_of(out, [&](const ReportThread& t) {
      return t.entry == thread.entry && t.is_multiple == thread.is_multiple && is_same(t.created, thread.created);
    });
    if (!is_known) out.push_back(std::move(thread));
    if (out.size() == most) break;
  }
  return out;
}

std::vector<ReportThread> ScanEvidence::all_threads() {
  std::vector<ReportThread> out;
  if (reach_.has_main) out.push_back({"main"});
  for (const Root& root : reach_.roots) {
    ReportThread thread = thread_of(root);
    const auto several = user_names_.find(root.entry);
    if (several == user_names_.end()) {
      out.push_back(std::move(thread));
      continue;
    }
    for (const std::string& name : several->second) {
      thread.name = name;
      out.push_back(thread);
    }
  }
  return race::without_doubles(std::move(out));
}

ReportThread ScanEvidence::thread_of(const Root& root) {
  name_roots();
  const bool is_multiple =
      root.is_multiple && (facts_.preemption == nullptr || !facts_.preemption->why_in_turn(root.entry, root.entry));
  ReportThread out{race::function_name(program_, root.entry), is_multiple, created_at(root),
                   race::person_name(program_, root.entry)};
  const auto found = user_names_.find(root.entry);
  if (found == user_names_.end()) return out;
  out.name = found->second.front();
  if (found->second.size() > 1) out.name += " or " + std::to_string(found->second.size() - 1) + " more";
  return out;
}

/// Where the user's code starts it, if only one way leads through the library.
ReportFrame ScanEvidence::created_at(const Root& root) const {
  if (!root.creator) return {};
  CallStep at{root.creator, root.instruction};
  const ReportFrame own = race::frame_of(program_, at);
  constexpr int deepest = 64;
  for (int i = 0; i < deepest && race::is_library(program_, at.function); ++i) {
    const auto& phases = reach_.visits[at.function.index()];
    const auto only = std::ranges::find_if(phases, &Visit::reached);
    if (only == phases.end() || only->calls != 1 || !only->caller) return own;
    if (std::ranges::count_if(phases, &Visit::reached) != 1) return own;
    at = {only->caller, only->call};
  }
  return race::frame_of(program_, at);
}

/// `std::thread` runs what it was given: the functions of the user's that its entry calls through the library alone.
void ScanEvidence::name_roots() {
  if (are_roots_named_) return;
  are_roots_named_ = true;
  for (std::uint32_t i = 0; i < reach_.visits.size(); ++i) {
    FunctionId at(i);
    const bool is_early = reach_.visit(at, Phase::Early).reached;
    const Visit* visit = &reach_.visit(at, is_early ? Phase::Early : Phase::Thread);
    if (!visit->reached || !visit->caller || race::is_library(program_, at)) continue;
    bool is_end = false;
    while (visit->caller && race::is_library(program_, visit->caller)) {
      is_end |= reach_.ends_states[at.index()];
      at = visit->caller;
      visit = &reach_.visit(at, visit->caller_phase);
    }
    if (visit->caller || is_end || !roots_.contains(at)) continue;
    std::string name = race::person_name(program_, FunctionId(i));
    auto& names = user_names_[at];
    names.push_back(name.empty() ? race::function_name(program_, FunctionId(i)) : std::move(name));
  }
}

std::string ScanEvidence::variable_key(const race::Warning& warning) {
  return "variable " + std::to_string(suspicion(warning).variable);
}

std::string ScanEvidence::why_parallel(const race::Warning& warning) {
  return why_parallel(candidate(warning.first), candidate(warning.second));
}

/// As Reach::may_overlap decides it.
std::string ScanEvidence::why_parallel(const Candidate& a, const Candidate& b) {
  if (std::string who = turns_.why_together(a, b); !who.empty()) return who;
  if (!is_thread(a.phase) || !is_thread(b.phase)) {
    const auto& others = roots_of(is_thread(a.phase) ? a : b);
    if (!others.empty() && std::ranges::all_of(others, [&](std::uint32_t r) { return reach_.roots[r].is_wide; }))
      return entries_of(others) + " may run at any time: main does not start it itself";
    return "main has started " + entries_of(others) + " and has not surely waited for it";
  }
  const auto& first = roots_of(a);
  const auto& second = roots_of(b);
  if (first != second) return "different threads: " + entries_of(first) + " and " + entries_of(second);
  if (first.size() != 1) return "several threads come to both places: " + entries_of(first);
  const Root& root = reach_.roots[first[0]];
  const std::string entry = report::thread_name(thread_of(root));
  if (!root.creator) return "several instances of " + entry + " may run at once";
  return entry + " is started more than once: in a loop, at several places, or by several threads";
}

std::string ScanEvidence::entries_of(const std::vector<std::uint32_t>& roots) {
  if (roots.empty()) return "any of very many threads";
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const std::uint32_t root : roots)
    if (std::string name = report::thread_name(thread_of(reach_.roots[root])); !contains(names, name))
      names.push_back(std::move(name));
  std::string out;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) out += (i == 0 ? "'" : ", '") + names[i] + "'";
  if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
  return out;
}

/// The holder, its caller, and so on up to where the thread starts. A caller was reached before what it calls, so this
/// ends.
std::vector<CallStep> ScanEvidence::way_up(const Candidate& c) const {
  std::vector<CallStep> way{{c.holder, 0}};
  Phase phase = c.phase;
  while (true) {
    const Visit& visit = reach_.visits[way.back().function.index()][static_cast<std::size_t>(phase)];
    if (!visit.caller) return way;
    way.push_back({visit.caller, visit.call});
    phase = visit.caller_phase;
  }
}

std::vector<CallStep> ScanEvidence::stack_of(const Candidate& c) const {
  constexpr int deepest = 64;
  std::vector<CallStep> way = way_to(summaries_, c);
  std::ranges::reverse(way);
  for (const CallStep& step : way_up(c) | std::views::drop(1) | std::views::take(deepest)) way.push_back(step);
  return way;
}

std::vector<CallStep> ScanEvidence::stack(const Access& access) { return way(access).stack; }

std::vector<race::HeldLock> ScanEvidence::locks(const Access& access) {
  const Candidate& c = candidate(access);
  const std::vector<CallStep>& steps = way(access).stack;
  std::vector<race::HeldLock> out;
  for (const Held& held : held_at(c)) {
    race::HeldLock lock{held.lock.name, held.is_shared};
    for (const CallStep& step : steps)
      if (const auto at = lock_places_.find(step.function, step.instruction, held.lock)) {
        lock.taken = CallStep{step.function, *at};
        break;
      }
    out.push_back(std::move(lock));
  }
  return out;
}

std::vector<ScanEvidence::Held> ScanEvidence::held_at(const Candidate& c) {
  const FunctionSummary& summary = summaries_[c.holder.index()];
  const AccessGroup& group = summary.groups[c.group];
  std::vector<Held> out;
  const auto add = [&](Held held) {
    const bool is_known = std::ranges::any_of(
        out, [&](const Held& h) { return h.lock.name == held.lock.name && h.is_shared == held.is_shared; });
    if (!is_known) out.push_back(std::move(held));
  };
  for (const HeldLock& held : summary.locksets[group.lockset].acquired)
    add({{text_.print(summary.nodes, c.holder, held.lock), summary.nodes[held.lock.node.index()].type,
          held.lock.offset},
         held.is_shared()});
  for (const NamedLock& held : reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)].locks) {
    if (names_.is_kind(held.name)) continue;
    const std::string name = text_.print(path_nodes_, {}, names_[held.name].path);
    const bool is_released = std::ranges::any_of(
        summary.locksets[group.lockset].released,
        [&](const ReleasedLock& gone) { return text_.print(summary.nodes, c.holder, gone.lock) == name; });
    const Lvalue lock = names_[held.name].path;
    if (!is_released) add({{name, path_nodes_[lock.node.index()].type, lock.offset}, held.is_shared()});
  }
  add_kinds(c, out);
  return out;
}

/// Locks of callers that have no name here.
void ScanEvidence::add_kinds(const Candidate& c, std::vector<Held>& out) {
  const FunctionSummary& summary = summaries_[c.holder.index()];
  for (const NamedLock& held : reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)].locks) {
    const LockNames::Name& kind = names_[held.name];
    if (!names_.is_kind(held.name) || !kind.parent) continue;
    const bool is_released =
        std::ranges::any_of(summary.locksets[summary.groups[c.group].lockset].released, [&](const ReleasedLock& gone) {
          return summary.nodes[gone.lock.node.index()].type == kind.parent && gone.lock.offset == kind.distance;
        });
    const bool is_listed = std::ranges::any_of(
        out, [&](const Held& h) { return h.lock.type == kind.parent && h.lock.offset == kind.distance; });
    if (is_released || is_listed) continue;
    const Node some{.kind = NodeKind::Value, .type = kind.parent};
    out.push_back(
        {{text_.print({&some, 1}, {}, {NodeId(0), kind.distance}), kind.parent, kind.distance}, held.is_shared()});
  }
}

std::string ScanEvidence::object_name(const Access& access) { return object_name_of(candidate(access)); }

std::string ScanEvidence::object_name_of(const Candidate& c) {
  const FunctionSummary& summary = summaries_[c.holder.index()];
  const std::uint32_t size = summaries_[c.function.index()].own[c.own].size;
  return text_.print(summary.nodes, c.holder, {summary.groups[c.group].node, c.offset}, std::max(1U, size));
}

std::vector<std::string> ScanEvidence::reasons(const race::Warning& warning) {
  const Suspicion& s = suspicion(warning);
  std::vector<std::string> out;
  if (s.guard != LockNames::none && s.guarded > 0)
    out.push_back(std::to_string(s.guarded) + " of " + std::to_string(s.locations) + " accesses hold '" +
                  guard_name(s) + "'");
  for (const bool is_wanted : {true, false})  // those that make it unlikely come first
    for (const Doubt doubt : s.doubts)
      if (is_strong(doubt) == is_wanted) out.push_back(reason_of(doubt));
  if (s.left_out > 0)
    out.push_back(std::to_string(s.left_out) + (s.left_out == 1 ? " more pair" : " more pairs") +
                  " of accesses to it " + (s.left_out == 1 ? "is" : "are") + " not listed");
  return out;
}

std::optional<ReportGuard> ScanEvidence::guard(const race::Warning& warning) {
  const Suspicion& s = suspicion(warning);
  if (s.guard == LockNames::none || s.guarded == 0) return std::nullopt;
  const VariableFacts& variable = suspicions_.variables[s.variable];
  ReportGuard out{guard_name(s), s.guarded, s.locations, {}, variable.more_without};
  for (const Candidate& c : variable.without_guard) {
    ReportAccess access = race::short_access(program_, access_of(summaries_, c, 0));
    const bool is_known = std::ranges::any_of(
        out.without, [&](const ReportAccess& a) { return is_same(a, access) && a.kind == access.kind; });
    if (!is_known) out.without.push_back(std::move(access));
  }
  return out;
}

std::string ScanEvidence::guard_name(const Suspicion& s) {
  const LockNames::Name& name = names_[s.guard];
  if (name.kind == LockNames::Name::Kind::Below) return "the lock of what it points to";
  if (name.path.valid()) return text_.print(path_nodes_, {}, name.path);
  switch (name.kind) {
    case LockNames::Name::Kind::Relative: return "the lock beside it";
    case LockNames::Name::Kind::Alike: return "a lock of one kind";
    default: return "a lock of what it belongs to";
  }
}

std::vector<race::ConsideredPair> ScanEvidence::considered(const std::function<bool(const Access&)>& is_wanted) {
  considered_.clear();
  const std::size_t known = 2 * suspicions_.all.size();
  const auto number = [&](const Candidate& c) {
    considered_.push_back(c);
    return access_of(summaries_, c, known + considered_.size() - 1);
  };
  const auto is_wanted_one = [&](const Candidate& c) {
    const bool answer = is_wanted(number(c));
    considered_.pop_back();
    return answer;
  };
  std::vector<race::ConsideredPair> out;
  for (const ConsideredCandidates& pair : consider_pairs(facts_, is_wanted_one)) {
    race::ConsideredPair one{{number(pair.first), number(pair.second)}, std::nullopt};
    one.separation = pair.separation ? pair.separation : orders_.between(pair.first, pair.second);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace heddle::scan

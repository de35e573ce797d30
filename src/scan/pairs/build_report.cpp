// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/build_report.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "base/contains.h"
#include "base/content_hash.h"
#include "program/names/access_path.h"
#include "program/names/access_path_namer.h"
#include "scan/names/lvalue_text.h"
#include "scan/pairs/lock_places.h"

namespace heddle::scan {
namespace {

class ReportBuilder {
 public:
  ReportBuilder(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                const LockNames& names)
      : program_(input.program),
        summaries_(summaries),
        reach_(reach),
        names_(names),
        namer_(program_, paths_),
        text_(program_),
        lock_places_(input, summaries) {
    for (const Root& root : reach.roots) roots_[root.entry] = &root;
    for (std::uint32_t i = 0; i < names.paths().size(); ++i) path_nodes_.push_back(names.paths()[NodeId(i)]);
  }

  RaceReport run(const Suspicions& suspicions) {
    RaceReport report;
    name_accesses(suspicions);
    for (const Suspicion& s : suspicions.all) report.races.push_back(race(s, suspicions.variables[s.variable]));
    if (suspicions.dropped > 0)
      report.obstacles.push_back(
          {{}, std::to_string(suspicions.dropped) + " more suspected races rank lower and are not listed"});
    ReportCoverage& coverage = report.coverage;
    coverage.functions_reached = reach_.functions_reached();
    coverage.threads = reach_.roots.size() + 1;
    for (const Function& f : program_.functions) {
      if (!f.has_body()) continue;
      ++coverage.functions;
      coverage.instructions += f.instructions.size();
    }
    return report;
  }

 private:
  ReportFrame frame(FunctionId function, std::uint32_t instruction) const {
    const Function& f = program_.functions[function];
    ReportFrame out;
    out.function = f.source_name.empty() ? f.name : f.source_name;
    LocationId id = instruction < f.instructions.size() ? f.instructions[instruction].location : f.location;
    if (!id) id = f.location;
    if (!id) return out;
    const Location& at = program_.locations[id];
    if (at.file) out.file = program_.files[at.file].path;
    out.line = at.line;
    out.column = at.column;
    return out;
  }

  std::string function_name(FunctionId id) const {
    const Function& f = program_.functions[id];
    return std::string(f.source_name.empty() ? f.name : f.source_name);
  }

  std::string thread_name(const Candidate& c) const {
    if (c.phase != Phase::Thread) return "main";
    const auto& roots = roots_of(c);
    const Root& root = *roots_.at(way_up(c).back().function);
    std::string name = function_name(root.entry);
    if (root.is_multiple) name += " (several instances)";
    if (root.creator) {
      const ReportFrame at = frame(root.creator, root.instruction);
      name += ", created at " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    }
    if (roots.size() > 1)
      name += ", and " + std::to_string(roots.size() - 1) + (roots.size() == 2 ? " other thread" : " other threads");
    if (roots.empty()) name += ", and very many other threads";
    return name;
  }

  std::vector<ReportThread> threads(const Candidate& c) const {
    constexpr std::size_t most = 8;
    if (c.phase != Phase::Thread) return {{"main"}};
    std::vector<ReportThread> out;
    for (const std::uint32_t id : roots_of(c)) {
      const Root& root = reach_.roots[id];
      ReportThread thread{function_name(root.entry), root.is_multiple, {}};
      if (root.creator) thread.created = frame(root.creator, root.instruction);
      // Two programs of one project may have the same thread.
      const bool is_known = std::ranges::any_of(out, [&](const ReportThread& t) {
        return t.entry == thread.entry && t.is_multiple == thread.is_multiple && is_same(t.created, thread.created);
      });
      if (!is_known) out.push_back(std::move(thread));
      if (out.size() == most) break;
    }
    return out;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& roots_of(const Candidate& c) const {
    return reach_.root_sets[reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)].roots];
  }

  /// As Reach::may_overlap decides it.
  std::string why_parallel(const Candidate& a, const Candidate& b) const {
    if (a.phase != Phase::Thread || b.phase != Phase::Thread) {
      const auto& others = roots_of(a.phase == Phase::Thread ? a : b);
      if (!others.empty() && std::ranges::all_of(others, [&](std::uint32_t r) { return reach_.roots[r].is_wide; }))
        return entries_of(others) + " may run at any time: main does not start it itself";
      return "main has started " + entries_of(others) + " and has not surely waited for it";
    }
    const auto& first = roots_of(a);
    const auto& second = roots_of(b);
    if (first != second) return "different threads: " + entries_of(first) + " and " + entries_of(second);
    if (first.size() != 1) return "several threads come to both places: " + entries_of(first);
    const Root& root = reach_.roots[first[0]];
    if (!root.creator) return "several instances of " + function_name(root.entry) + " may run at once";
    return function_name(root.entry) +
           " is started more than once: in a loop, at several places, or by several threads";
  }

  std::string entries_of(const std::vector<std::uint32_t>& roots) const {
    if (roots.empty()) return "any of very many threads";
    constexpr std::size_t most = 3;
    std::vector<std::string> names;
    for (const std::uint32_t root : roots)
      if (std::string name = function_name(reach_.roots[root].entry); !contains(names, name))
        names.push_back(std::move(name));
    std::string out;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) out += (i == 0 ? "'" : ", '") + names[i] + "'";
    if (names.size() > most) out += " and " + std::to_string(names.size() - most) + " more";
    return out;
  }

  template <class Place>
  static bool is_same(const Place& a, const Place& b) {
    return std::tie(a.file, a.line, a.column, a.function) == std::tie(b.file, b.line, b.column, b.function);
  }

  [[nodiscard]] const OwnAccess& own(const Candidate& c) const { return summaries_[c.function.index()].own[c.own]; }

  struct Held {
    LockPlaces::Wanted lock;
    bool is_shared = false;
  };
  std::vector<Held> locks(const Candidate& c) {
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
  void add_kinds(const Candidate& c, std::vector<Held>& out) {
    const FunctionSummary& summary = summaries_[c.holder.index()];
    for (const NamedLock& held : reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)].locks) {
      const LockNames::Name& kind = names_[held.name];
      if (!names_.is_kind(held.name) || !kind.parent) continue;
      const bool is_released = std::ranges::any_of(
          summary.locksets[summary.groups[c.group].lockset].released, [&](const ReleasedLock& gone) {
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

  /// Naming walks a whole function: all names of one together.
  void name_accesses(const Suspicions& suspicions) {
    std::vector<const Candidate*> order;
    for (const Suspicion& s : suspicions.all) {
      order.push_back(&s.first);
      order.push_back(&s.second);
    }
    std::ranges::sort(order, [](const Candidate* a, const Candidate* b) {
      return std::tie(a->function, a->own) < std::tie(b->function, b->own);
    });
    for (const Candidate* c : order)
      if (const auto [at, is_new] = names_of_accesses_.try_emplace({c->function, c->own}); is_new)
        at->second = own_path(*c);
  }

  std::string path(const Candidate& c) {
    if (const std::string& own_name = names_of_accesses_.at({c.function, c.own}); !own_name.empty()) return own_name;
    const FunctionSummary& summary = summaries_[c.holder.index()];
    return text_.print(summary.nodes, c.holder, {summary.groups[c.group].node, c.offset}, std::max(1U, own(c).size));
  }

  /// As the instruction's own function writes it; empty if it does not say.
  std::string own_path(const Candidate& c) {
    const Instruction& code = program_.functions[c.function].instructions[own(c).instruction];
    if (!code.is_call()) {
      const bool writes = own(c).mode != AccessMode::Read;
      for (const AccessSite& site : access_sites(program_, program_.functions[c.function], own(c).instruction)) {
        if ((site.kind != AccessKind::Read) != writes) continue;
        const AccessPathId id = namer_.path_of_site(c.function, site);
        if (paths_.is_complete(id)) return paths_.print(id);
      }
    }
    return {};
  }

  ReportAccess access(const Candidate& c) {
    ReportAccess out = short_access(c);
    out.path = path(c);
    out.thread = thread_name(c);
    out.threads = threads(c);
    std::vector<Step> way = way_to(summaries_, c);
    std::ranges::reverse(way);
    constexpr int deepest = 64;
    for (const Step& step : way_up(c) | std::views::drop(1) | std::views::take(deepest)) way.push_back(step);
    for (const Step& step : way) out.stack.push_back(frame(step.function, step.instruction));
    for (const Held& held : locks(c)) {
      out.locks.push_back(held.lock.name + (held.is_shared ? " (shared)" : ""));
      for (const Step& step : way)
        if (const auto at = lock_places_.find(step.function, step.instruction, held.lock)) {
          out.locks_taken.push_back({out.locks.back(), frame(step.function, *at)});
          break;
        }
    }
    return out;
  }

  /// The holder, who calls it, and so on up to where the thread starts. A caller was reached before what it calls, so
  /// this ends.
  std::vector<Step> way_up(const Candidate& c) const {
    std::vector<Step> way{{c.holder, 0}};
    Phase phase = c.phase;
    while (true) {
      const Visit& visit = reach_.visits[way.back().function.index()][static_cast<std::size_t>(phase)];
      if (!visit.caller) return way;
      way.push_back({visit.caller, visit.call});
      phase = visit.caller_phase;
    }
  }

  /// Place, kind and function: what a list of accesses needs.
  ReportAccess short_access(const Candidate& c) const {
    const ReportFrame at = frame(c.function, own(c).instruction);
    ReportAccess out;
    out.file = at.file;
    out.line = at.line;
    out.column = at.column;
    out.function = at.function;
    out.kind = kind_of(c);
    out.is_atomic = own(c).is_atomic;
    return out;
  }

  std::string kind_of(const Candidate& c) const {
    const AccessMode mode = own(c).mode;
    return mode == AccessMode::Read ? "read" : mode == AccessMode::Write ? "write" : "free";
  }

  ReportRace race(const Suspicion& s, const VariableFacts& facts) {
    ReportRace out;
    out.accesses = {access(s.first), access(s.second)};
    out.variable = out.accesses[0].path;
    const bool is_doubtful = std::ranges::any_of(s.doubts, is_strong);
    out.verdict = is_doubtful ? RaceVerdict::Unlikely : RaceVerdict::Likely;
    out.parallel = why_parallel(s.first, s.second);
    for (const Opinion& opinion : s.opinions) out.opinions.push_back({opinion.points, to_sentence(opinion)});
    if (s.guard != LockNames::none && s.guarded > 0) {
      out.reasons.push_back(std::to_string(s.guarded) + " of " + std::to_string(s.locations) + " accesses hold '" +
                            guard_name(s) + "'");
      out.guard = ReportGuard{guard_name(s), s.guarded, s.locations, {}, facts.more_without};
      for (const Candidate& c : facts.without_guard) {
        ReportAccess access = short_access(c);
        const bool is_known = std::ranges::any_of(
            out.guard->without, [&](const ReportAccess& a) { return is_same(a, access) && a.kind == access.kind; });
        if (!is_known) out.guard->without.push_back(std::move(access));
      }
    }
    for (const Doubt doubt : s.doubts) out.reasons.push_back(reason_of(doubt));
    if (s.left_out > 0)
      out.reasons.push_back(std::to_string(s.left_out) + (s.left_out == 1 ? " more pair" : " more pairs") +
                            " of accesses to it " + (s.left_out == 1 ? "is" : "are") + " not listed");
    Hasher id;
    for (const Candidate* c : {&s.first, &s.second}) {
      const Function& f = program_.functions[c->function];
      id.add(f.hash.low).add(f.name).add(own(*c).instruction);
    }
    out.id = id.finish().hex().substr(0, 12);
    return out;
  }

  std::string guard_name(const Suspicion& s) {
    const LockNames::Name& name = names_[s.guard];
    if (name.kind == LockNames::Name::Kind::Below) return "the lock of what it points to";
    if (name.path.valid()) return text_.print(path_nodes_, {}, name.path);
    switch (name.kind) {
      case LockNames::Name::Kind::Relative: return "the lock beside it";
      case LockNames::Name::Kind::Alike: return "a lock of one kind";
      default: return "a lock of what it belongs to";
    }
  }

  const Program& program_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  const LockNames& names_;
  std::map<FunctionId, const Root*> roots_;  ///< by entry
  std::vector<Node> path_nodes_;
  AccessPathTable paths_;
  AccessPathNamer namer_;
  LvalueText text_;
  LockPlaces lock_places_;
  std::map<std::pair<FunctionId, std::uint32_t>, std::string> names_of_accesses_;
};

}  // namespace

RaceReport build_report(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                        const LockNames& names, const Suspicions& suspicions) {
  return ReportBuilder(input, summaries, reach, names).run(suspicions);
}

}  // namespace heddle::scan

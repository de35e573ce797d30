// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/build_report.h"

#include <algorithm>
#include <map>
#include <ranges>

#include "base/content_hash.h"
#include "program/access_path.h"
#include "program/access_path_namer.h"
#include "scan/lvalue_text.h"

namespace heddle::scan {
namespace {

std::string reason_of(Doubt doubt) {
  switch (doubt) {
    case Doubt::ThreadLocalAllocation:
      return "one side uses memory that its own function allocated; perhaps nobody else knows it yet";
    case Doubt::OwnArgument: return "each instance of the thread is given memory of its own";
    case Doubt::LargePartition: return "only a very large class of pointers connects the two";
    case Doubt::BootUpThread: return "one side is the thread that started the program";
    case Doubt::SameEntry: return "both sides are instances of one thread";
    case Doubt::NeverLocked: return "no access to it ever holds a lock";
    case Doubt::SameKindOfLock: return "both hold a lock of the same kind, perhaps of the same object";
  }
  return {};
}

bool is_strong(Doubt doubt) {
  return doubt == Doubt::ThreadLocalAllocation || doubt == Doubt::OwnArgument || doubt == Doubt::LargePartition ||
         doubt == Doubt::SameKindOfLock;
}

class ReportBuilder {
 public:
  ReportBuilder(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                const LockNames& names)
      : program_(input.program),
        summaries_(summaries),
        reach_(reach),
        names_(names),
        namer_(program_, paths_),
        text_(program_) {
    for (const Root& root : reach.roots) roots_[root.entry] = &root;
    for (std::uint32_t i = 0; i < names.paths().size(); ++i) path_nodes_.push_back(names.paths()[NodeId(i)]);
  }

  RaceReport run(const Suspicions& suspicions) {
    RaceReport report;
    name_accesses(suspicions);
    for (const Suspicion& s : suspicions.all) report.races.push_back(race(s));
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
    const Visit& visit = reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)];
    const auto& roots = reach_.root_sets[visit.roots];
    const Root& root = *roots_.at(way_up(c).back().function);
    std::string name = function_name(root.entry);
    if (root.is_multiple) name += " (several instances)";
    if (root.creator) {
      const ReportFrame at = frame(root.creator, root.instruction);
      name += ", created at " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    }
    if (roots.size() > 1)
      name += ", and " + std::to_string(roots.size() - 1) + (roots.size() == 2 ? " other thread" : " other threads");
    if (visit.roots == Reach::any_root) name += ", and very many other threads";
    return name;
  }

  [[nodiscard]] const OwnAccess& own(const Candidate& c) const { return summaries_[c.function.index()].own[c.own]; }

  std::vector<std::string> locks(const Candidate& c) {
    const FunctionSummary& summary = summaries_[c.holder.index()];
    const AccessGroup& group = summary.groups[c.group];
    std::vector<std::string> out;
    const auto add = [&](std::string name, bool is_shared) {
      if (is_shared) name += " (shared)";
      if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
    };
    for (const HeldLock& held : summary.locksets[group.lockset].acquired)
      add(text_.print(summary.nodes, c.holder, held.lock), held.is_shared);
    for (const NamedLock& held : reach_.visits[c.holder.index()][static_cast<std::size_t>(c.phase)].locks) {
      const LockNames::Name& name = names_[held.name];
      add(text_.print(path_nodes_, {}, name.path), held.is_shared);
    }
    return out;
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
    ReportAccess out;
    const OwnAccess& record = own(c);
    const ReportFrame at = frame(c.function, record.instruction);
    out.file = at.file;
    out.line = at.line;
    out.column = at.column;
    out.function = at.function;
    out.kind = record.mode == AccessMode::Read ? "read" : record.mode == AccessMode::Write ? "write" : "free";
    out.is_atomic = record.is_atomic;
    out.path = path(c);
    out.thread = thread_name(c);
    out.locks = locks(c);
    const std::vector<Step> way = way_to(summaries_, c);
    for (std::size_t k = way.size(); k-- > 0;) out.stack.push_back(frame(way[k].function, way[k].instruction));
    constexpr int deepest = 64;
    for (const Step& step : way_up(c) | std::views::drop(1) | std::views::take(deepest))
      out.stack.push_back(frame(step.function, step.instruction));
    return out;
  }

  /// The holder, who calls it, and so on up to where the thread starts. A caller was reached before what it calls, so this ends.
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

  ReportRace race(const Suspicion& s) {
    ReportRace out;
    out.accesses = {access(s.first), access(s.second)};
    out.variable = out.accesses[0].path;
    const bool is_doubtful = std::ranges::any_of(s.doubts, is_strong);
    out.verdict = is_doubtful ? RaceVerdict::Unlikely : RaceVerdict::Likely;
    if (s.guard != LockNames::none && s.guarded > 0)
      out.reasons.push_back(std::to_string(s.guarded) + " of " + std::to_string(s.locations) + " accesses hold '" +
                            guard_name(s) + "'");
    for (const Doubt doubt : s.doubts) out.reasons.push_back(reason_of(doubt));
    if (s.left_out > 0)
      out.reasons.push_back(std::to_string(s.left_out) + " more pairs of accesses to it are not listed");
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
    if (name.kind == LockNames::Name::Kind::Fixed) return text_.print(path_nodes_, {}, name.path);
    return name.kind == LockNames::Name::Kind::Relative ? "the lock beside it" : "a lock of what it belongs to";
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
  std::map<std::pair<FunctionId, std::uint32_t>, std::string> names_of_accesses_;
};

}  // namespace

RaceReport build_report(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                        const LockNames& names, const Suspicions& suspicions) {
  return ReportBuilder(input, summaries, reach, names).run(suspicions);
}

}  // namespace heddle::scan

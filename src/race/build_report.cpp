// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/build_report.h"

#include <algorithm>

#include "base/content_hash.h"
#include "program/names/access_name.h"
#include "program/names/access_path.h"
#include "program/names/access_path_namer.h"

namespace heddle::race {

namespace {

using threads::ContextId;
using threads::ThreadId;
using topdown::GuardedAccess;
using topdown::HeldLock;
using topdown::ObjectId;

class ReportBuilder {
 public:
  ReportBuilder(const Program& program, const topdown::TopDownResult& result)
      : program_(program), result_(result), u_(*result.universe), table_(*result.threads), namer_(program, paths_) {}

  RaceReport run(const std::vector<Warning>& warnings) {
    RaceReport report;
    for (const Warning& w : warnings) report.races.push_back(race(w));
    std::sort(report.races.begin(), report.races.end(), [](const ReportRace& a, const ReportRace& b) {
      return std::tuple(order(a), a.id) < std::tuple(order(b), b.id);
    });
    for (const topdown::Obstacle& o : result_.obstacles) {
      const ReportObstacle said{program_.where(location(o.context, o.instruction)), o.what};
      const bool known = std::any_of(report.obstacles.begin(), report.obstacles.end(), [&](const ReportObstacle& x) {
        return x.where == said.where && x.what == said.what;
      });
      if (!known) report.obstacles.push_back(said);
    }
    std::sort(report.obstacles.begin(), report.obstacles.end(), [](const ReportObstacle& a, const ReportObstacle& b) {
      return std::tie(a.where, a.what) < std::tie(b.where, b.what);
    });
    report.assumptions.assign(result_.assumptions.begin(), result_.assumptions.end());
    report.coverage.threads = table_.threads.size();
    report.coverage.functions_reached = result_.reached.size();
    for (const Function& f : program_.functions) {
      if (!f.has_body()) continue;
      ++report.coverage.functions;
      report.coverage.instructions += f.instructions.size();
    }
    report.verdict = report.races.empty() && report.obstacles.empty() ? Verdict::RaceFree : Verdict::Unknown;
    return report;
  }

 private:
  static std::tuple<std::string, std::uint32_t, std::uint32_t, std::string, std::uint32_t, std::uint32_t> order(
      const ReportRace& r) {
    return {r.accesses[0].file, r.accesses[0].line, r.accesses[0].column,
            r.accesses[1].file, r.accesses[1].line, r.accesses[1].column};
  }

  LocationId location(ContextId context, std::uint32_t instruction) const {
    const Function& f = program_.functions[table_.contexts[context].function];
    const LocationId id = instruction < f.instructions.size() ? f.instructions[instruction].location : LocationId{};
    return id ? id : f.location;
  }

  ReportFrame frame(ContextId context, std::uint32_t instruction) const {
    ReportFrame out;
    const Function& f = program_.functions[table_.contexts[context].function];
    out.function = f.source_name.empty() ? f.name : f.source_name;
    if (const LocationId id = location(context, instruction)) {
      const Location& at = program_.locations[id];
      if (at.file) out.file = program_.files[at.file].path;
      out.line = at.line;
      out.column = at.column;
    }
    return out;
  }

  std::string thread_name(ThreadId id) const {
    const threads::Thread& t = table_.threads[id];
    const Function& f = program_.functions[t.entry];
    std::string name(f.source_name.empty() ? f.name : f.source_name);
    if (!t.creator) return name;
    if (t.multiple) name += " (several instances)";
    return name + ", created at " + program_.where(location(t.creator, t.created_by));
  }

  ReportThread thread(ThreadId id) const {
    const threads::Thread& t = table_.threads[id];
    const Function& f = program_.functions[t.entry];
    ReportThread out{std::string(f.source_name.empty() ? f.name : f.source_name), t.multiple, {}};
    if (t.creator) out.created = frame(t.creator, t.created_by);
    return out;
  }

  std::string lock_name(const HeldLock& lock) const {
    std::string name;
    if (lock.object) {
      name = u_.describe(lock.object);
      if (lock.kind == HeldLock::Kind::Indexed) name += "[i]";
      if (lock.offset != 0 && lock.kind == HeldLock::Kind::Exact) name += " + " + std::to_string(lock.offset);
    } else if (lock.kind == HeldLock::Kind::Relative) {
      name = "the lock " + std::to_string(lock.offset) + " bytes from the data";
    } else {
      name = "a lock behind a pointer";
    }
    return lock.shared ? name + " (shared)" : name;
  }

  std::string path(const GuardedAccess& a) {
    const FunctionId f = table_.contexts[a.context].function;
    const Instruction& code = program_.functions[f].instructions[a.instruction];
    if (!code.is_call()) {
      for (const AccessSite& site : access_sites(program_, program_.functions[f], a.instruction)) {
        const bool writes = site.kind != heddle::AccessKind::Read;
        if (writes != (a.kind != topdown::AccessKind::Read)) continue;
        const AccessPathId id = namer_.path_of_site(f, site);
        if (paths_.is_complete(id)) return paths_.print(id);
      }
    }
    return u_.describe(a.target.object);
  }

  ReportAccess access(const GuardedAccess& a) {
    ReportAccess out;
    const ReportFrame at = frame(a.context, a.instruction);
    out.file = at.file;
    out.line = at.line;
    out.column = at.column;
    out.function = at.function;
    out.kind = a.kind == topdown::AccessKind::Read ? "read" : a.kind == topdown::AccessKind::Write ? "write" : "free";
    out.is_atomic = a.is_atomic;
    out.path = path(a);
    out.thread = thread_name(a.thread);
    out.threads = {thread(a.thread)};
    for (const HeldLock& lock : a.locks)
      if (const std::string name = lock_name(lock);
          std::find(out.locks.begin(), out.locks.end(), name) == out.locks.end())
        out.locks.push_back(name);
    std::uint32_t instruction = a.instruction;
    for (ContextId c = a.context; c; c = table_.contexts[c].caller) {
      out.stack.push_back(frame(c, instruction));
      instruction = table_.contexts[c].call;
    }
    return out;
  }

  ReportRace race(const Warning& w) {
    ReportRace out;
    out.accesses = {access(w.first), access(w.second)};
    out.variable = out.accesses[0].path;
    out.verdict = RaceVerdict::Likely;
    out.parallel = why_parallel(w);
    out.reasons.push_back(out.parallel);
    out.reasons.push_back(w.first.locks.empty() || w.second.locks.empty() ? "no lock is surely held on both sides"
                                                                          : "no lock is surely common to both sides");
    Hasher id;
    for (const GuardedAccess* a : {&w.first, &w.second}) {
      const FunctionId f = table_.contexts[a->context].function;
      id.add(program_.functions[f].hash.low).add(program_.functions[f].name).add(a->instruction);
    }
    out.id = id.finish().hex().substr(0, 12);
    return out;
  }

  std::string why_parallel(const Warning& w) const {
    if (w.first.thread == w.second.thread) return "two instances of the thread may run at the same time";
    return "both threads may run at that time: neither has surely ended or not yet started";
  }

  const Program& program_;
  const topdown::TopDownResult& result_;
  const topdown::Universe& u_;
  const threads::ThreadTable& table_;
  AccessPathTable paths_;
  AccessPathNamer namer_;
};

}  // namespace

RaceReport build_report(const Program& program, const topdown::TopDownResult& result,
                        const std::vector<Warning>& warnings) {
  return ReportBuilder(program, result).run(warnings);
}

}  // namespace heddle::race

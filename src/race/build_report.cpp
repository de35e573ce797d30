// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/build_report.h"

#include <algorithm>
#include <map>

#include "base/contains.h"
#include "base/demangle.h"
#include "race/access_id.h"
#include "race/access_naming.h"
#include "race/race_id.h"
#include "race/user_code.h"
#include "report/short_names.h"

namespace heddle::race {
namespace {

class ReportBuilder {
 public:
  ReportBuilder(const Program& program, Evidence& evidence)
      : program_(program), evidence_(evidence), naming_(program), user_paths_(program) {}

  RaceReport run(const Docket& docket) {
    RaceReport report;
    announce(docket);
    std::vector<const CaseFile*> cases;
    for (const bool confirmed : {true, false})
      for (const CaseFile& one : docket.cases)
        if ((one.verdict() == RaceVerdict::Confirmed) == confirmed) cases.push_back(&one);
    for (const CaseFile* one : cases) report.races.push_back(race(*one));
    number_groups(report.races);
    name_covers(cases, report.races);
    report.verdict = verdict_of(docket);
    report.coverage = docket.coverage;
    report.coverage.thread_list = evidence_.all_threads();
    report.not_listed = docket.not_listed;
    report.assumptions = docket.assumptions;
    for (const Finding& finding : docket.findings) report.also_seen.push_back(finding.words);
    if (report.verdict == Verdict::RaceFree && docket.proof)
      add_proof(*docket.proof, report);
    else
      for (const Obstacle& obstacle : docket.obstacles)
        report.obstacles.push_back({obstacle.where, with_demangled_symbols(obstacle.what)});
    return report;
  }

 private:
  /// Each race stands where its case does.
  static void name_covers(const std::vector<const CaseFile*>& cases, std::vector<ReportRace>& races) {
    std::map<std::uint32_t, std::string> ids;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (!cases[i]->seen) ids[cases[i]->warning.number] = races[i].id;
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const std::uint32_t number : cases[i]->covered_by) races[i].covered_by.push_back(ids.at(number));
  }

  /// A proof of the whole program rests on its own assumptions alone, whatever the static stages met.
  static void add_proof(const Proof& proof, RaceReport& report) {
    (proof.form() == Proof::Form::States ? report.visited_states : report.exhausted_traces) = proof.seen();
    report.assumptions.assign(proof.assumptions().begin(), proof.assumptions().end());
  }

  void announce(const Docket& docket) {
    std::vector<Access> accesses;
    for (const CaseFile& one : docket.cases) {
      if (one.seen) continue;
      accesses.push_back(one.warning.first);
      accesses.push_back(one.warning.second);
    }
    naming_.announce(std::move(accesses));
  }

  ReportRace race(const CaseFile& one) {
    ReportRace out;
    const Warning& w = one.warning;
    out.verdict = one.verdict();
    if (one.seen) {
      out.accesses = one.seen->accesses;
      out.variable = one.seen->variable;
    } else {
      out.accesses.reserve(2);
      out.accesses.push_back(access(w.first));
      out.accesses.push_back(access(w.second));
      const std::string& named_by_user = out.accesses[0].user_path;
      out.variable = named_by_user.empty() ? out.accesses[0].path : named_by_user;
      out.group = number_of(group_key(w, out));
      out.parallel = evidence_.why_parallel(w);
      out.guard = evidence_.guard(w);
    }
    if (const GivenOpinion* given = one.find_given<Confirmed>()) {
      out.judge = given->judge;
      out.grade = to_text(std::get<Confirmed>(given->opinion).grade);
    } else if (const GivenOpinion* refuted = one.find_given<Refuted>()) {
      out.judge = refuted->judge;
      out.proof = to_text(std::get<Refuted>(refuted->opinion).proof.form());
    }
    for (const RankReason& reason : one.ranking) out.opinions.push_back({reason.points, reason.what});
    out.reasons = reasons(one);
    out.id = id_of(w, out.accesses);
    return out;
  }

  std::vector<std::string> reasons(const CaseFile& one) {
    if (const auto* seen = one.find<Confirmed>()) return {seen->how};
    if (const auto* refuted = one.find<Refuted>()) return {refuted->proof.statement()};
    std::vector<std::string> out;
    if (!one.seen) out = evidence_.reasons(one.warning);
    for (const GivenOpinion& given : one.opinions) {
      if (const auto* doubt = std::get_if<Unlikely>(&given.opinion))
        if (!contains(out, doubt->reason)) out.push_back(doubt->reason);
      if (const auto* nothing = std::get_if<NoOpinion>(&given.opinion); nothing != nullptr && nothing->is_worth_telling)
        out.push_back(nothing->why);
    }
    return out;
  }

  /// Unique in the report: ids that would be equal are counted.
  std::string id_of(const Warning& w, const std::vector<ReportAccess>& words) {
    const auto side = [&](const Access& a, const ReportAccess& said) {
      if (!a.function) return IdSide{said.path, said.function, a.kind, 0};  // a run could not tell its instruction
      const AccessNaming::Name& name = naming_(a);
      return IdSide{name.path.empty() ? std::string_view(said.path) : name.path, program_.functions[a.function].name,
                    a.kind, name.ordinal};
    };
    std::string id = race_id(side(w.first, words[0]), side(w.second, words[1]));
    const std::uint32_t before = ids_[id]++;
    return before == 0 ? id : race_id({id, {}, AccessKind::Read, before}, {});
  }

  ReportAccess access(const Access& a) {
    ReportAccess out = short_access(program_, a);
    const AccessNaming::Name& name = naming_(a);
    out.path = name.path.empty() ? evidence_.object_name(a) : name.path;
    out.thread = evidence_.thread_name(a);
    out.threads = evidence_.threads(a);
    const std::vector<CallStep> stack = evidence_.stack(a);
    for (const CallStep& step : stack) out.stack.push_back(frame_of(program_, step));
    out.user_path = user_paths_(stack);
    for (const HeldLock& held : evidence_.locks(a)) {
      out.locks.push_back(to_text(held));
      if (held.taken) out.locks_taken.push_back({out.locks.back(), frame_of(program_, *held.taken)});
    }
    return out;
  }

  /// Inside of a library's object, its members do not count: the races on a `std::vector` are on one variable, the
  /// user's.
  std::string group_key(const Warning& w, const ReportRace& race) {
    const std::string_view first = report::member_of(race.accesses[0].user_path),
                           second = report::member_of(race.accesses[1].user_path);
    if (first.empty() && second.empty()) {
      std::string key = evidence_.variable_key(w);
      return key.empty() ? "named " + race.variable : key;
    }
    return "inside of " + std::string(std::min(first, second)) + " and " + std::string(std::max(first, second));
  }

  std::uint32_t number_of(const std::string& key) {
    return groups_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()) + 1).first->second;
  }

  /// What a run met has no key of a driver: it joins the races on what has the same name. Then groups are numbered in
  /// the order of the report.
  void number_groups(std::vector<ReportRace>& races) {
    std::map<std::string, std::uint32_t> by_name;
    for (const ReportRace& race : races)
      if (race.group != 0) by_name.try_emplace(race.variable, race.group);
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (ReportRace& race : races) {
      if (race.group == 0) {
        const auto same = by_name.find(race.variable);
        race.group = same != by_name.end() ? same->second : number_of("met " + race.variable);
      }
      race.group = numbers.try_emplace(race.group, static_cast<std::uint32_t>(numbers.size()) + 1).first->second;
    }
  }

  const Program& program_;
  Evidence& evidence_;
  AccessNaming naming_;
  UserPaths user_paths_;
  std::map<std::string, std::uint32_t> ids_;
  std::map<std::string, std::uint32_t> groups_;  ///< by key
};

}  // namespace

RaceReport build_report(const Program& program, const Docket& docket, Evidence& evidence) {
  return ReportBuilder(program, evidence).run(docket);
}

std::string function_name(const Program& program, FunctionId function) {
  return with_demangled_symbols(program.functions[function].shown_name());
}

std::string thread_text(const ReportThread& thread, std::size_t others) {
  std::string out = report::thread_name(thread);
  if (thread.is_multiple) out += " (several instances)";
  if (!thread.created.file.empty())
    out += ", created at " + thread.created.file + ":" + std::to_string(thread.created.line) + ":" +
           std::to_string(thread.created.column);
  if (others > 0) out += ", and " + std::to_string(others) + (others == 1 ? " other thread" : " other threads");
  return out;
}

std::vector<ReportThread> without_doubles(std::vector<ReportThread> threads) {
  std::vector<ReportThread> out;
  std::map<std::string, std::size_t> known;
  for (ReportThread& thread : threads) {
    const auto [at, is_new] = known.try_emplace(report::thread_name(thread), out.size());
    if (is_new)
      out.push_back(std::move(thread));
    else
      out[at->second].is_multiple = true;
  }
  return out;
}

ReportCoverage coverage_of(const Program& program) {
  ReportCoverage out;
  for (const Function& f : program.functions) {
    if (!f.has_body()) continue;
    ++out.functions;
    out.instructions += f.instructions.size();
  }
  return out;
}

ReportFrame frame_of(const Program& program, const CallStep& step) {
  const Function& f = program.functions[step.function];
  ReportFrame out;
  out.function = function_name(program, step.function);
  LocationId id = step.instruction < f.instructions.size() ? f.instructions[step.instruction].location : LocationId{};
  if (!id) id = f.location;
  if (!id) return out;
  const Location& at = program.locations[id];
  if (at.file) out.file = program.files[at.file].path;
  out.line = at.line;
  out.column = at.column;
  return out;
}

ReportAccess short_access(const Program& program, const Access& access) {
  const ReportFrame at = frame_of(program, {access.function, access.instruction});
  ReportAccess out;
  out.file = at.file;
  out.line = at.line;
  out.column = at.column;
  out.function = at.function;
  out.kind = to_text(without_updates(access.kind));
  out.is_atomic = access.is_atomic;
  return out;
}

}  // namespace heddle::race

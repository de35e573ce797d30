// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/find_cases.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "race/build_report.h"
#include "topdown/cases/evidence.h"
#include "topdown/cases/pairs.h"
#include "topdown/cases/separate.h"

namespace heddle::topdown {
namespace {

using race::Access;
using race::Warning;

class CaseFinder {
 public:
  CaseFinder(const Program& program, const TopDownResult& result) : program_(program), result_(result) {}

  race::Docket run() {
    race::Docket docket;
    docket.is_exhaustive = !result_.gave_up;
    if (!result_.gave_up) find_warnings();
    sort_by_place();
    for (const Warning& w : warnings_) docket.cases.push_back({w});
    docket.obstacles = obstacles();
    docket.assumptions.assign(result_.assumptions.begin(), result_.assumptions.end());
    docket.coverage = coverage();
    return docket;
  }

 private:
  void find_warnings() {
    for_each_pair(result_, [this](std::uint32_t a, std::uint32_t b) { consider(a, b); });
  }

  void consider(std::uint32_t a, std::uint32_t b) {
    if (separate(result_, result_.accesses[a], result_.accesses[b])) return;
    const Warning found = warning_of(result_, a, b);
    if (seen_.insert(std::tuple(place(found.first), place(found.second))).second) warnings_.push_back(found);
  }

  static std::tuple<FunctionId, std::uint32_t, AccessKind> place(const Access& a) {
    return {a.function, a.instruction, a.kind};
  }

  void sort_by_place() {
    const auto at = [&](const Access& a) {
      const ReportFrame frame = race::frame_of(program_, {a.function, a.instruction});
      return std::tuple(frame.file, frame.line, frame.column);
    };
    std::ranges::sort(warnings_, {}, [&](const Warning& w) {
      return std::tuple(at(w.first), at(w.second), place(w.first), place(w.second));
    });
  }

  [[nodiscard]] std::vector<race::Obstacle> obstacles() const {
    std::set<std::pair<std::string, std::string>> said;
    for (const Obstacle& o : result_.obstacles) {
      const Function& f = program_.functions[result_.threads->contexts[o.context].function];
      const LocationId id =
          o.instruction < f.instructions.size() ? f.instructions[o.instruction].location : LocationId{};
      said.emplace(program_.where(id ? id : f.location), o.what);
    }
    std::vector<race::Obstacle> out;
    for (const auto& [where, what] : said) out.push_back({race::Obstacle::Kind::Analysis, where, what});
    return out;
  }

  [[nodiscard]] ReportCoverage coverage() const {
    ReportCoverage out = race::coverage_of(program_);
    out.threads = result_.threads->threads.size();
    out.functions_reached = result_.reached.size();
    return out;
  }

  const Program& program_;
  const TopDownResult& result_;
  std::vector<Warning> warnings_;
  std::set<
      std::tuple<std::tuple<FunctionId, std::uint32_t, AccessKind>, std::tuple<FunctionId, std::uint32_t, AccessKind>>>
      seen_;
};

}  // namespace

race::Docket find_cases(const Program& program, const TopDownResult& result) {
  return CaseFinder(program, result).run();
}

}  // namespace heddle::topdown

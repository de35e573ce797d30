// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/screen/blocks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/contains.h"
#include "report/policy.h"
#include "report/short_names.h"
#include "report/words.h"

namespace heddle::report {
namespace {

/// As the user sees them.
bool is_at_one_place(const ReportAccess& a, const ReportAccess& b) {
  const ReportFrame x = user_frame(a), y = user_frame(b);
  return std::tie(x.file, x.line, a.kind, x.function) == std::tie(y.file, y.line, b.kind, y.function);
}

bool holds(const ReportAccess& access, const ReportRace& race) {
  return race.guard && contains(access.locks, race.guard->lock);
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  const auto [end, other] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

std::string Block::title() const {
  const auto& accesses = best().accesses;
  if (accesses.size() < 2 || accesses[0].user_path.empty() || accesses[1].user_path.empty()) return best().variable;
  if (member_of(accesses[0].user_path) == member_of(accesses[1].user_path)) return best().variable;
  return accesses[0].user_path + " / " + accesses[1].user_path;
}

std::vector<Block> blocks_of(const RaceReport& report) {
  std::vector<const ReportRace*> shown;
  for (const RaceVerdict verdict :
       {RaceVerdict::Confirmed, RaceVerdict::Witnessed, RaceVerdict::Likely, RaceVerdict::Unlikely})
    for (const ReportRace& race : report.races)
      if (race.verdict == verdict && is_shown(race)) shown.push_back(&race);
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
  std::vector<Block> out;
  for (const ReportRace* race : shown) {
    const auto [at, is_new] = known.try_emplace({race->group, race->group == 0 ? race->variable : ""}, out.size());
    if (is_new) out.emplace_back();
    out[at->second].races.push_back(race);
  }
  return out;
}

std::vector<const ReportAccess*> main_accesses(const Block& block, std::size_t most) {
  std::vector<const ReportAccess*> out;
  for (const ReportAccess& access : block.best().accesses) out.push_back(&access);
  for (const bool lacks_guard : {true, false})
    for (const ReportRace* race : block.races)
      for (const ReportAccess& access : race->accesses) {
        if (out.size() >= most) return out;
        if (holds(access, *race) == lacks_guard) continue;
        if (std::ranges::none_of(out, [&](const ReportAccess* a) { return is_at_one_place(*a, access); }))
          out.push_back(&access);
      }
  return out;
}

std::string counted_by_word(const std::vector<Block>& blocks, std::size_t from) {
  std::map<RaceVerdict, std::size_t> counts;
  for (std::size_t i = from; i < blocks.size(); ++i) ++counts[blocks[i].verdict()];
  std::string out;
  for (const auto& [verdict, count] : counts)
    out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(word(verdict));
  return out;
}

std::map<std::string, std::string> short_ids(const RaceReport& report) {
  constexpr std::size_t least = 4;
  std::set<std::string> ids;
  for (const ReportRace& race : report.races) ids.insert(race.id);
  std::map<std::string, std::string> out;
  for (auto at = ids.begin(); at != ids.end(); ++at) {
    std::size_t digits = least;
    if (at != ids.begin()) digits = std::max(digits, common_beginning(*at, *std::prev(at)) + 1);
    if (std::next(at) != ids.end()) digits = std::max(digits, common_beginning(*at, *std::next(at)) + 1);
    out[*at] = at->substr(0, digits);
  }
  return out;
}

}  // namespace heddle::report

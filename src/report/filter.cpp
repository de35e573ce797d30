// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/filter.h"

#include <algorithm>

#include "report/policy.h"
#include "report/short_names.h"
#include "report/suppressions.h"

namespace heddle::report {
namespace {

bool is_glob(std::string_view text) { return text.contains('*'); }

bool fits(std::string_view wanted, std::string_view name) {
  return is_glob(wanted) ? matches_pattern("^" + std::string(wanted) + "$", name) : name.contains(wanted);
}

bool fits_file(std::string_view wanted, std::string_view path) {
  if (fits(wanted, path)) return true;
  for (std::size_t at = path.find('/'); is_glob(wanted) && at != std::string_view::npos; at = path.find('/', at + 1))
    if (fits(wanted, path.substr(at + 1))) return true;
  return false;
}

bool has_file(const ReportRace& race, std::string_view wanted) {
  return std::ranges::any_of(race.accesses, [&](const ReportAccess& access) {
    return fits_file(wanted, access.file) || fits_file(wanted, user_frame(access).file);
  });
}

bool has_variable(const ReportRace& race, std::string_view wanted) {
  return fits(wanted, race.variable) || std::ranges::any_of(race.accesses, [&](const ReportAccess& access) {
           return fits(wanted, access.path) || (!access.user_path.empty() && fits(wanted, access.user_path));
         });
}

bool has_thread(const ReportRace& race, std::string_view wanted) {
  return std::ranges::any_of(race.accesses, [&](const ReportAccess& access) {
    if (access.threads.empty()) return fits(wanted, access.thread);
    return std::ranges::any_of(access.threads, [&](const ReportThread& thread) {
      return fits(wanted, thread.entry) || fits(wanted, thread_name(thread));
    });
  });
}

template <class Has>
bool has_any(const std::vector<std::string>& wanted, const ReportRace& race, Has has) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& text) { return has(race, text); });
}

}  // namespace

std::optional<RaceVerdict> least_of(std::string_view word) {
  if (word == "confirmed") return RaceVerdict::Confirmed;
  if (word == "likely") return RaceVerdict::Likely;
  if (word == "unlikely") return RaceVerdict::Unlikely;
  return std::nullopt;
}

bool passes(const Filter& filter, const ReportRace& race) {
  if (filter.least && race.verdict > *filter.least) return false;
  return has_any(filter.files, race, has_file) && has_any(filter.variables, race, has_variable) &&
         has_any(filter.threads, race, has_thread);
}

void apply(const Filter& filter, RaceReport& report) {
  std::erase_if(report.races, [&](const ReportRace& race) {
    if (passes(filter, race)) return false;
    if (is_shown(race)) ++report.filtered_out;
    return true;
  });
}

}  // namespace heddle::report

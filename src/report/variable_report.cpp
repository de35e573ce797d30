// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/variable_report.h"

#include <algorithm>
#include <map>

#include "report/json_access.h"
#include "report/short_names.h"
#include "report/words.h"

namespace heddle::report {
namespace {

void write_short_access(std::ostream& out, const ReportAccess& access) {
  write_place(out, access);
  out << ' ' << (access.is_atomic ? "atomic " : "") << access.kind << " in " << short_name(access.function) << " by "
      << access.thread;
  if (access.locks.empty()) return;
  out << " with ";
  for (const std::string& lock : access.locks) out << (&lock == &access.locks.front() ? "" : ", ") << lock;
}

void write_group(std::ostream& out, const std::vector<const VariablePair*>& pairs) {
  const VariablePair& any = *pairs.front();
  if (any.reason.empty())
    out << "nothing separates (" << pairs.size() << (pairs.size() == 1 ? " pair" : " pairs") << "):\n";
  else
    out << any.reason << ": " << any.sentence << " (" << pairs.size() << (pairs.size() == 1 ? " pair" : " pairs")
        << ")\n";
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i) {
    out << "  ";
    write_short_access(out, pairs[i]->first);
    out << "\n    against ";
    write_short_access(out, pairs[i]->second);
    if (!pairs[i]->detail.empty()) out << "\n    by " << pairs[i]->detail;
    out << '\n';
  }
  if (pairs.size() > most) out << "  … and " << pairs.size() - most << " more (--format json lists all)\n";
}

void write_access(JsonStream& json, const ReportAccess& access) {
  json.open('{');
  write_access_fields(json, access);
  write_thread_fields(json, access);
  json.close('}');
}

}  // namespace

void write_text(std::ostream& out, const VariableReport& report) {
  out << "'" << report.variable << "': " << report.accesses << (report.accesses == 1 ? " access, " : " accesses, ")
      << report.pairs.size() << (report.pairs.size() == 1 ? " pair" : " pairs") << " looked at by " << report.driver
      << '\n';
  std::map<std::string, std::vector<const VariablePair*>> groups;
  for (const VariablePair& pair : report.pairs) groups[pair.reason].push_back(&pair);
  for (const auto& [reason, pairs] : groups) write_group(out, pairs);
  if (report.pairs.empty() && report.accesses > 0)
    out << "none of them can meet one of another thread: only one thread knows this memory, or it is only read\n";
  if (!report.like_names.empty()) {
    out << "no access has that name; did you mean: ";
    for (const std::string& name : report.like_names) out << (&name == &report.like_names.front() ? "" : ", ") << name;
    out << '\n';
  }
  if (!report.obstacles.empty()) out << "the list may not be complete, because:\n";
  for (const std::string& obstacle : report.obstacles) out << "  " << obstacle << '\n';
}

void write_json(std::ostream& out, const VariableReport& report) {
  JsonStream json;
  json.open('{');
  json.field("variable", report.variable);
  json.field("driver", report.driver);
  json.field("accesses", report.accesses);
  json.list("pairs", report.pairs, [&](const VariablePair& pair) {
    json.open('{');
    json.list("accesses", std::vector{pair.first, pair.second}, [&](const ReportAccess& a) { write_access(json, a); });
    if (!pair.reason.empty()) json.field("separated", pair.reason);
    if (!pair.detail.empty()) json.field("detail", pair.detail);
    json.close('}');
  });
  json.field("obstacles", report.obstacles);
  json.field("like_names", report.like_names);
  json.close('}');
  out << json.text() << '\n';
}

}  // namespace heddle::report

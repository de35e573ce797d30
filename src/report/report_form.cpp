// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One description of each row serves both directions, and whoever wants all texts. Structured bindings list every
// member: one that is added to a row breaks the build here, so that no report loses it.
#include "report/report_form.h"

#include <type_traits>

#include "base/byte_stream.h"

namespace heddle {
namespace {

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportThread>
void each(Row& row, Visit visit) {
  auto& [entry, is_multiple, created, name] = row;
  visit(entry, is_multiple, created, name);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportLock>
void each(Row& row, Visit visit) {
  auto& [name, taken] = row;
  visit(name, taken);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportOpinion>
void each(Row& row, Visit visit) {
  auto& [points, what] = row;
  visit(points, what);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportGuard>
void each(Row& row, Visit visit) {
  auto& [lock, holding, accesses, without, more_without] = row;
  visit(lock, holding, accesses, without, more_without);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportFrame>
void each(Row& row, Visit visit) {
  auto& [file, line, column, function] = row;
  visit(file, line, column, function);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportAccess>
void each(Row& row, Visit visit) {
  auto& [file, line, column, kind, is_atomic, path, function, thread, locks, stack, threads, locks_taken, user_path] =
      row;
  visit(file, line, column, kind, is_atomic, path, function, thread, locks, stack, threads, locks_taken, user_path);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportRace>
void each(Row& row, Visit visit) {
  auto& [id, variable, verdict, reasons, accesses, parallel, opinions, guard, judge, proof, grade, suppressed, baseline,
         covered_by, group] = row;
  visit(id, variable, verdict, reasons, accesses, parallel, opinions, guard, judge, proof, grade, suppressed, baseline,
        covered_by, group);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportObstacle>
void each(Row& row, Visit visit) {
  auto& [where, what] = row;
  visit(where, what);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportFinding>
void each(Row& row, Visit visit) {
  auto& [kind, what, stack, schedule] = row;
  visit(kind, what, stack, schedule);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportBlindSpot>
void each(Row& row, Visit visit) {
  auto& [what, may_hide] = row;
  visit(what, may_hide);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, ReportCoverage>
void each(Row& row, Visit visit) {
  auto& [tried, parsed, failed, skipped, functions, reached, instructions, threads, thread_list, blind_spots, was_run,
         is_project, program, linked, notes] = row;
  visit(tried, parsed, failed, skipped, functions, reached, instructions, threads, thread_list, blind_spots, was_run,
        is_project, program, linked, notes);
}

template <class Row, class Visit>
  requires std::is_same_v<std::remove_const_t<Row>, RaceReport>
void each(Row& row, Visit visit) {
  auto& [coverage, verdict, races, obstacles, also_seen, traces, states, assumptions, not_listed, filtered_out,
         only_race] = row;
  visit(coverage, verdict, races, obstacles, also_seen, traces, states, assumptions, not_listed, filtered_out,
        only_race);
}

class Out {
 public:
  void field(const std::string& text) { out_.text(text); }
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void field(const T& number) {
    out_.number(static_cast<std::uint64_t>(number));
  }
  template <class T>
  void field(const std::vector<T>& rows) {
    out_.number(rows.size());
    for (const T& row : rows) field(row);
  }
  template <class T>
  void field(const std::optional<T>& row) {
    out_.number(row ? 1 : 0);
    if (row) field(*row);
  }
  template <class T>
    requires std::is_class_v<T>
  void field(const T& row) {
    each(row, [&](const auto&... members) { (field(members), ...); });
  }
  std::string take() { return out_.take(); }

 private:
  ByteWriter out_;
};

class In {
 public:
  explicit In(std::string_view bytes) : in_(bytes) {}
  void field(std::string& text) { text = in_.text(); }
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void field(T& number) {
    number = static_cast<T>(in_.number());
  }
  template <class T>
  void field(std::vector<T>& rows) {
    rows.resize(in_.count());
    for (T& row : rows) field(row);
  }
  template <class T>
  void field(std::optional<T>& row) {
    if (in_.below(2) != 0) field(row.emplace());
  }
  template <class T>
    requires std::is_class_v<T>
  void field(T& row) {
    each(row, [&](auto&... members) { (field(members), ...); });
  }
  [[nodiscard]] bool is_complete() const { return !in_.failed() && in_.at_end(); }

 private:
  ByteReader in_;
};

/// Of a report that is `const` or not.
template <class Visit>
class Texts {
 public:
  explicit Texts(const Visit& visit) : visit_(visit) {}
  template <class Report>
  void all(Report& report) {
    each(report, [&](auto&... members) { (field(members), ...); });
  }

 private:
  template <class T>
  void field(T& member) {
    using Member = std::remove_const_t<T>;
    if constexpr (std::is_same_v<Member, std::string>) {
      visit_(member);
    } else if constexpr (requires { member.begin(); }) {
      for (auto& row : member) field(row);
    } else if constexpr (requires { member.has_value(); }) {
      if (member) field(*member);
    } else if constexpr (std::is_class_v<Member>) {
      all(member);
    }
  }

  const Visit& visit_;
};

}  // namespace

void for_each_text(RaceReport& report, const std::function<void(std::string&)>& visit) { Texts(visit).all(report); }

void for_each_text(const RaceReport& report, const std::function<void(const std::string&)>& visit) {
  Texts(visit).all(report);
}

std::string to_bytes(const RaceReport& report) {
  Out out;
  out.field(report);
  return out.take();
}

std::optional<RaceReport> report_of_bytes(std::string_view bytes) {
  In in(bytes);
  RaceReport report;
  in.field(report);
  if (!in.is_complete()) return std::nullopt;
  return report;
}

}  // namespace heddle

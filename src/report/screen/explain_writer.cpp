// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <string>
#include <tuple>

#include "report/report_writer.h"
#include "report/screen/shown.h"
#include "report/short_names.h"
#include "report/source_lines.h"
#include "report/words.h"

namespace heddle::report {
namespace {

class Explanation {
 public:
  Explanation(std::ostream& out, const RaceReport& report, const ReportRace& race)
      : out_(out), report_(report), race_(race) {}

  void write() {
    out_ << "data race on '" << race_.variable << "' [" << race_.id << "]\n" << evidence(race_.verdict) << '\n';
    if (!race_.suppressed.empty()) out_ << "suppressed by " << race_.suppressed << '\n';
    if (!race_.baseline.empty()) out_ << "against the baseline: " << race_.baseline << '\n';
    for (std::size_t i = 0; i < race_.accesses.size(); ++i) write_access(i, race_.accesses[i]);
    if (race_.verdict == RaceVerdict::Refuted) return write_refuted();
    write_parallel();
    for (const std::string& id : race_.covered_by)
      out_ << "\ncovered by [" << id << "]: where this one can happen, that one can\n";
    write_guard();
    write_opinions();
    write_next();
  }

 private:
  /// `   14 | s->hits++;` and where in it.
  void write_source(const std::string& file, std::uint32_t line, std::uint32_t column, std::string_view indent) {
    const std::string text = shown(sources_.line(file, line));
    if (text.find_first_not_of(" \t") == std::string_view::npos) return;
    const std::string number = std::to_string(line);
    out_ << indent << number << " | " << text << '\n';
    if (column == 0 || column > text.size()) return;
    out_ << indent << std::string(number.size(), ' ') << " | ";
    // Tabs stay tabs, so that the mark stands below its column whatever their width.
    for (std::size_t i = 0; i + 1 < column; ++i) out_ << (text[i] == '\t' ? '\t' : ' ');
    out_ << "^\n";
  }

  /// `server.c:22:5:  count(s);`
  template <class Place>
  void write_line_of(const Place& place) {
    write_place(out_, place);
    const std::string text = shown(sources_.line(place.file, place.line));
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin != std::string_view::npos) out_ << ":  " << text.substr(begin);
    out_ << '\n';
  }

  void write_access(std::size_t number, const ReportAccess& access) {
    out_ << '\n' << (number == 0 ? "one side: " : "the other side: ") << (access.is_atomic ? "atomic " : "");
    const ReportFrame user = user_frame(access);
    out_ << access.kind << " of '" << (access.user_path.empty() ? access.path : access.user_path) << "' in "
         << short_name(user.function) << "\n  at ";
    write_place(out_, user);
    out_ << '\n';
    write_source(user.file, user.line, user.column, "    ");
    if (!is_the_access(user, access)) {
      out_ << "  in the library: '" << access.path << "' in " << short_name(access.function) << " at ";
      write_place(out_, access);
      out_ << '\n';
    }
    write_threads(access);
    write_locks(access);
    write_callers(access, user);
  }

  /// The user's functions behind the access; those of libraries are counted.
  void write_callers(const ReportAccess& access, const ReportFrame& user) {
    bool is_first = true, is_behind = is_the_access(user, access);
    std::size_t folded = 0;
    const auto tell_folded = [&] {
      if (folded > 0) out_ << "    (" << folded << (folded == 1 ? " function" : " functions") << " of a library)\n";
      folded = 0;
    };
    for (const ReportFrame& frame : access.stack) {
      if (is_the_access(frame, access)) continue;
      const bool is_user =
          std::tie(frame.file, frame.line, frame.function) == std::tie(user.file, user.line, user.function);
      if (!is_behind) {
        is_behind = is_user;
        continue;
      }
      if (is_first) out_ << "  called from\n";
      is_first = false;
      if (is_library_file(frame.file)) {
        ++folded;
        continue;
      }
      tell_folded();
      out_ << "    " << short_name(frame.function) << " at ";
      write_line_of(frame);
    }
    tell_folded();
  }

  void write_threads(const ReportAccess& access) {
    if (access.threads.size() <= 1) {
      out_ << "  by thread " << access.thread << '\n';
      return;
    }
    out_ << "  by any of these threads\n";
    for (const ReportThread& thread : access.threads) {
      out_ << "    " << thread_name(thread) << (thread.is_multiple ? " (several instances)" : "");
      if (!thread.created.file.empty()) {
        out_ << ", created at ";
        write_place(out_, thread.created);
      }
      out_ << '\n';
    }
  }

  void write_locks(const ReportAccess& access) {
    if (access.locks.empty()) out_ << "  holds no lock\n";
    for (const std::string& lock : access.locks) {
      out_ << "  holds '" << lock << "'";
      const auto known = std::ranges::find(access.locks_taken, lock, &ReportLock::name);
      if (known != access.locks_taken.end()) {
        out_ << ", taken in " << known->taken.function << " at ";
        write_place(out_, known->taken);
      }
      out_ << '\n';
    }
  }

  void write_refuted() {
    out_ << "\nwhy it cannot happen" << (race_.judge.empty() ? "" : " (judge '" + race_.judge + "')") << '\n';
    for (const std::string& reason : race_.reasons) out_ << "  " << reason << '\n';
  }

  void write_parallel() {
    out_ << "\nwhy the two can happen at the same time\n";
    if (!race_.parallel.empty()) out_ << "  " << race_.parallel << '\n';
    const bool is_locked = std::ranges::all_of(race_.accesses, [](const ReportAccess& a) { return !a.locks.empty(); });
    // A race that a run confirmed has its schedule as the reason.
    if (race_.opinions.empty())
      for (const std::string& reason : race_.reasons)
        if (reason != race_.parallel) out_ << "  " << reason << '\n';
    if (!race_.opinions.empty())
      out_ << (is_locked ? "  both hold locks, but none that is known to be the same\n"
                         : "  no lock is held on both sides\n");
  }

  void write_guard() {
    if (!race_.guard) return;
    const ReportGuard& guard = *race_.guard;
    out_ << "\nlocks at the accesses to it: " << guard.holding << " of " << guard.accesses << " hold " << guard_name()
         << '\n';
    if (guard.without.empty()) return;
    const bool has_many_ways = guard.without.size() + guard.more_without < guard.accesses - guard.holding;
    out_ << "  these do not" << (has_many_ways ? "; each counts once for every set of locks and threads" : "") << '\n';
    for (const ReportAccess& access : guard.without) {
      out_ << "    " << (access.is_atomic ? "atomic " : "") << access.kind << " in " << short_name(access.function)
           << " at ";
      write_line_of(access);
    }
    if (guard.more_without > 0) out_ << "    and " << guard.more_without << " more\n";
  }

  /// A name is quoted, words such as "the lock beside it" are not.
  [[nodiscard]] std::string guard_name() const {
    const std::string& name = race_.guard->lock;
    return name.contains(' ') ? name : "'" + name + "'";
  }

  void write_opinions() {
    if (race_.opinions.empty()) return;
    out_ << "\nwhat moved it in the list, up or down\n";
    std::int64_t sum = 0;
    for (const ReportOpinion& opinion : race_.opinions) {
      sum += opinion.points;
      write_points(opinion.points);
      out_ << opinion.what << '\n';
    }
    write_points(sum);
    out_ << "in all: place " << place_in_list() << " of " << report_.races.size() << '\n';
  }

  void write_points(std::int64_t points) {
    constexpr std::size_t width = 7;
    const std::string text = (points >= 0 ? "+" : "") + std::to_string(points);
    out_ << std::string(width - std::min(width, text.size()), ' ') << text << "  ";
  }

  [[nodiscard]] std::ptrdiff_t place_in_list() const {
    return std::ranges::find(report_.races, race_.id, &ReportRace::id) - report_.races.begin() + 1;
  }

  void write_next() {
    out_ << "\nwhat to do\n";
    if (race_.accesses.empty()) return;
    const ReportAccess& first = race_.accesses.front();
    if (race_.verdict == RaceVerdict::Confirmed) {
      out_
          << "  it is real: a replayed run has it. 'heddle verify FILE… --schedule S' keeps the run, 'heddle replay S' "
             "shows it\n";
      return;
    }
    if (race_.guard && race_.guard->holding * 2 > race_.guard->accesses)
      out_ << "  if it is real: hold " << guard_name() << " on both sides, as the other accesses do\n";
    out_ << "  if it is meant: write '// heddle: ignore, REASON' on the line ";
    const ReportFrame user = user_frame(first);
    write_place(out_, ReportFrame{user.file, user.line, 0, {}});
    out_ << ",\n    or 'race:^id:" << race_.id << "$' into a file for 'heddle scan --suppressions FILE'\n";
    out_ << "  to have it decided: 'heddle verify --race " << race_.id
         << (report_.coverage.program.empty() ? "" : " --program " + report_.coverage.program) << "'\n";
  }

  std::ostream& out_;
  const RaceReport& report_;
  const ReportRace& race_;
  SourceLines sources_;
};

}  // namespace

void write_explanation(std::ostream& out, const RaceReport& report, const ReportRace& race) {
  Explanation(out, report, race).write();
}

}  // namespace heddle::report

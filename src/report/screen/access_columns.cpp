// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/screen/access_columns.h"

#include <algorithm>
#include <string_view>

#include "base/contains.h"
#include "report/screen/layout.h"
#include "report/short_names.h"

namespace heddle::report {
namespace {

std::string kind_of(const ReportAccess& access) { return (access.is_atomic ? "atomic " : "") + access.kind; }

std::string locks_of(const ReportAccess& access, const std::string& guard) {
  if (access.locks.empty()) return "no lock";
  std::string out;
  for (const std::string& lock : access.locks)
    out += (out.empty() ? "" : ", ") + (lock == guard ? std::string("holds it") : lock);
  return out;
}

enum class Others : std::uint8_t { Counted, LeftOut };

/// `worker×n`, `main`; with how many others may come there.
std::string thread_of(const ReportAccess& access, Others others) {
  if (access.threads.empty()) return cut(access.thread.substr(0, access.thread.find(", created")), 40);
  std::string out = thread_name(access.threads.front());
  if (access.threads.front().is_multiple) out += "×n";
  if (access.threads.size() > 1 && others == Others::Counted)
    out += " or " + std::to_string(access.threads.size() - 1) + " more";
  return out;
}

/// Functions of the user's from the access to the thread's entry; the entry itself is the thread.
std::vector<std::string> functions_of(const ReportAccess& access) {
  const ReportFrame user = user_frame(access);
  std::vector<std::string> out{user.function.empty() ? "<unknown>" : short_name(user.function)};
  bool is_behind = false;
  for (const ReportFrame& frame : access.stack) {
    if (is_behind && !is_library_file(frame.file)) out.push_back(short_name(frame.function));
    is_behind |= frame.file == user.file && frame.line == user.line && frame.function == user.function;
  }
  return out;
}

std::string joined(const std::vector<std::string>& functions, std::size_t first, const std::string& thread) {
  std::string out;
  for (std::size_t i = 0; i < first; ++i) out += (i == 0 ? "" : " < ") + functions[i];
  if (first < functions.size()) out += " < …";
  return out + (out.empty() ? "" : " < ") + thread;
}

/// The thread is the last function, or has its name.
bool is_entry(const std::string& function, const ReportAccess& access) {
  const std::string name = access.threads.empty() ? access.thread.substr(0, access.thread.find_first_of(" ,"))
                                                  : thread_name(access.threads.front());
  return function == name || (name.starts_with("lambda at ") && function.ends_with("lambda"));
}

/// `count < serve < worker×n`; `count < … < worker×n` where that is too wide.
std::string way_of(const ReportAccess& access, std::size_t width) {
  std::vector<std::string> functions = functions_of(access);
  if (is_entry(functions.back(), access)) functions.pop_back();
  const std::string thread = thread_of(access, Others::LeftOut);
  for (const std::string& end : {thread_of(access, Others::Counted), thread}) {
    if (functions.empty() && width_of(end) <= width) return end;
    // Each arrow takes three columns, so that more functions than these never fit.
    for (std::size_t kept = std::min(functions.size(), width / 3 + 1); kept > 0; --kept)
      if (std::string way = joined(functions, kept, end); width_of(way) <= width) return way;
  }
  if (functions.empty()) return cut(thread, width);
  if (std::string way = functions.front() + " < " + thread; width_of(way) <= width) return way;
  constexpr std::size_t arrow = 3, least = 8;
  const std::size_t end = std::min(width_of(thread), std::max(least, width * 2 / 5));
  if (width < end + arrow + least) return cut(functions.front(), width);
  return cut(functions.front(), width - end - arrow) + " < " + cut(thread, end);
}

constexpr std::size_t gap = 2, no_limit = 1000;

}  // namespace

void AccessColumns::announce(const ReportAccess& access, const std::string& guard) {
  kinds_ = std::max(kinds_, width_of(kind_of(access)));
  places_ = std::max(places_, width_of(place(access)));
  ways_ = std::max(ways_, width_of(way_of(access, no_limit)));
  locks_ = std::max(locks_, width_of(locks_of(access, guard)));
}

std::string AccessColumns::place(const ReportAccess& access) const {
  const ReportFrame at = user_frame(access);
  if (at.file.empty()) return "<unknown>";
  const bool is_below = !folder_.empty() && at.file.starts_with(folder_ + "/");
  const std::string file = is_below ? at.file.substr(folder_.size() + 1) : at.file;
  const std::string place = at.line == 0 ? file : file + ":" + std::to_string(at.line);
  return width_of(place) <= widest_place() ? place : cut_front(place.substr(place.rfind('/') + 1), widest_place());
}

std::size_t AccessColumns::widest_place() const { return std::max<std::size_t>(12, width_ / 3); }

/// What the way does not need goes to the locks.
std::size_t AccessColumns::locks_width() const {
  const std::size_t least = std::max<std::size_t>(9, width_ / 5);
  const std::size_t others = kinds_ + 1 + places_ + gap + ways_ + gap;
  return std::min(locks_, std::max(least, others < width_ ? width_ - others : 0));
}

std::string AccessColumns::line(const ReportAccess& access, const std::string& guard) const {
  const std::size_t fixed = kinds_ + 1 + places_ + gap + gap + locks_width();
  const std::size_t way = std::min(ways_, fixed < width_ ? width_ - fixed : 0);
  std::string out = padded(kind_of(access), kinds_) + " ";
  out += padded(place(access), places_ + gap);
  out += padded(way_of(access, way), way + gap) + cut(locks_of(access, guard), locks_width());
  return cut(out, width_);
}

}  // namespace heddle::report

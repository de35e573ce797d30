// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access in one line, in columns: what, where, in which function on which way, under which locks.
//
//   write server.c:14  count < serve < worker×n  no lock
//
// The way ends with the thread; frames of libraries are left out of it. What does not fit is cut: callers first.
#pragma once
#include <string>
#include <vector>

#include "report/race_report.h"

namespace heddle::report {

class AccessColumns {
 public:
  /// `folder`: what places need not begin with. `width`: of a whole line.
  AccessColumns(std::string folder, std::size_t width) : folder_(std::move(folder)), width_(width) {}

  /// Columns get as wide as the accesses that will be drawn ask for. `guard`: the usual lock of the variable.
  void announce(const ReportAccess& access, const std::string& guard);
  [[nodiscard]] std::string line(const ReportAccess& access, const std::string& guard) const;

 private:
  /// Without its folder where that makes it too wide.
  [[nodiscard]] std::string place(const ReportAccess& access) const;
  [[nodiscard]] std::size_t widest_place() const;
  [[nodiscard]] std::size_t locks_width() const;

  std::string folder_;
  std::size_t width_;
  std::size_t kinds_ = 0, places_ = 0, ways_ = 0, locks_ = 0;  ///< the widest of each
};

}  // namespace heddle::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a driver says to the heddle that started it: lines of a name, a space and a value, with line feeds and
// backslashes of the value escaped. A race is a group of them between `race` and `end`.
//
//   verdict race
//   race
//   schedule heddle-schedule 1\nprogram 5f1c…\n…
//   variable @55d0c010
//   access write ring.c 41 12 …
//   end
#pragma once
#include <string>
#include <string_view>

#include "explore/evidence/confirm.h"

namespace heddle::explore {

class DriverResult {
 public:
  void add(std::string_view name, std::string_view value);
  void add(const ConfirmedRace& race);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add(const ReportAccess& access);

  std::string text_;
};

}  // namespace heddle::explore

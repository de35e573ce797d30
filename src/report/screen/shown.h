// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of others on a screen. Paths, names, source lines and messages come from a project that nobody has read yet, and
// a terminal takes some characters for commands: they are made visible, as `<U+001B>`. So are marks that turn the
// direction of writing, which let code look like other code, and bytes that are no UTF-8. Tabs stay.
#pragma once
#include <string>
#include <string_view>

#include "report/race_report.h"

namespace heddle::report {

/// One line: new lines become visible too.
std::string shown(std::string_view text);
/// Several lines, such as a compiler's message: new lines stay.
std::string shown_lines(std::string_view text);
/// Every text of a report.
RaceReport shown(RaceReport report);
/// Whether every text of it is fit for a screen: nearly all reports are, and large ones are not copied for nothing.
bool is_shown_as_it_is(const RaceReport& report);

}  // namespace heddle::report

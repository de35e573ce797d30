// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A RaceReport as bytes and back, nothing lost: for a run that is asked the same again. Not for other programs to read;
// that is report.json.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "report/race_report.h"

namespace heddle {

std::string to_bytes(const RaceReport& report);
/// None if the bytes are no report.
std::optional<RaceReport> report_of_bytes(std::string_view bytes);

/// Every text in it, whatever it is part of.
void for_each_text(RaceReport& report, const std::function<void(std::string&)>& visit);
void for_each_text(const RaceReport& report, const std::function<void(const std::string&)>& visit);

}  // namespace heddle

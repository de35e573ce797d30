// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From case files to words and places: the one way in which any driver's or judge's result becomes a RaceReport. Beyond
// this line nothing is judged any more.
#pragma once
#include "race/docket.h"
#include "race/evidence.h"
#include "report/race_report.h"

namespace heddle::race {

/// Confirmed cases come first, the others keep the docket's order.
RaceReport build_report(const Program& program, const Docket& docket, Evidence& evidence);

/// How much code there is; drivers add what they reached of it.
ReportCoverage coverage_of(const Program& program);

/// A place of the program: the function's own where the instruction has none.
ReportFrame frame_of(const Program& program, const CallStep& step);
/// `list_add`, `Stack<int>::push`; the symbol where the source gives no name.
std::string function_name(const Program& program, FunctionId function);

/// `worker (several instances), created at a.c:12:3`, with how many others may make the access as well.
std::string thread_text(const ReportThread& thread, std::size_t others = 0);
/// Those with the same name are one; main comes first.
std::vector<ReportThread> without_doubles(std::vector<ReportThread> threads);

/// Place, kind and function of an access: what a list of accesses needs.
ReportAccess short_access(const Program& program, const Access& access);

}  // namespace heddle::race
